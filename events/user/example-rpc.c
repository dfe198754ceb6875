/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A client sends requests to a server over TCP, and both emit events. The request carries the id of
 * the client's call, so the server's events have the same id.
 *
 *   example-rpc server PORT            answers until it is stopped
 *   example-rpc client HOST PORT N     N requests, up to 16 at once
 *   example-rpc both N                 client and server, over loopback
 *   example-rpc stripes DIR N          a client with three threads and two servers, over loopback:
 *                                      N reads and writes by each thread of a file that is striped
 *                                      over both servers, whose parts are files in DIR, which is
 *                                      made. Without the module each process writes a text recording
 *                                      in DIR; the others want IOTRACE_TEXT=FILE then.
 */
#include <iotrace-calls.h>

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define WINDOW 16

static const char *const words[] = { "a", "to", "sea", "wave", "water", "tsunami" };

/* Request and answer have the same format; numbers are little-endian. */
struct message {
	uint64_t id; /* of the client's call */
	int32_t status;
	char name[52];
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "example-rpc: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void send_message(int fd, const struct message *message)
{
	if (send(fd, message, sizeof(*message), MSG_NOSIGNAL) != sizeof(*message))
		fail("send");
}

/* false: the other side has closed */
static bool receive_message(int fd, struct message *message)
{
	ssize_t n = recv(fd, message, sizeof(*message), MSG_WAITALL);

	if (n && n != sizeof(*message))
		fail("receive");
	message->name[sizeof(message->name) - 1] = '\0';
	return n;
}

/* --- server --- */

static void serve(int fd)
{
	struct message m;

	while (receive_message(fd, &m)) {
		struct iotrace_call call = {
			.id = le64toh(m.id), /* the id is the client's */
			.mode = -1,
			.flags = IOTRACE_SERVED,
			.domain = "example-rpc server",
			.resource = m.name,
			.op = "length",
		};

		iotrace_call_start(&call);
		call.status = (int32_t)strlen(m.name);
		iotrace_call_end(&call);
		m.status = (int32_t)htole32((uint32_t)call.status);
		send_message(fd, &m);
	}
}

/* A listening socket; port 0: any. */
static int listen_on(const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET,
				  .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	int fd, one = 1;

	if (getaddrinfo(NULL, port, &hints, &found))
		fail(port);
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, 16))
		fail("listen");
	freeaddrinfo(found);
	return fd;
}

static void run_server(int listener, int clients)
{
	while (clients < 0 || clients--) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			fail("accept");
		serve(fd);
		close(fd);
	}
}

/* --- client --- */

static int connect_to(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	int fd;

	if (getaddrinfo(host, port, &hints, &found))
		fail(host);
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen))
		fail(host);
	freeaddrinfo(found);
	return fd;
}

/* The call ends when the request is sent; the answer completes it. */
static void ask(int fd, int number)
{
	struct message m = { 0 };
	struct iotrace_call call = {
		.id = iotrace_id(), .mode = -1, .domain = "example-rpc", .op = "length"
	};

	strcpy(m.name, words[number % (int)(sizeof(words) / sizeof(words[0]))]);
	m.id = htole64(call.id);
	call.resource = m.name;
	iotrace_call_start(&call);
	send_message(fd, &m);
	iotrace_call_end(&call);
}

static void take_answer(int fd)
{
	struct message m;
	struct iotrace_call call = { .mode = -1, .domain = "example-rpc", .op = "length" };

	if (!receive_message(fd, &m)) {
		errno = ECONNRESET;
		fail("receive");
	}
	call.id = le64toh(m.id);
	call.status = (int32_t)le32toh((uint32_t)m.status);
	call.resource = m.name;
	iotrace_call_done(&call);
}

static void run_client(const char *host, const char *port, int count)
{
	int fd = connect_to(host, port);

	for (int i = 0; i < count + WINDOW; i++) {
		if (i >= WINDOW && i - WINDOW < count)
			take_answer(fd);
		if (i < count)
			ask(fd, i);
	}
	close(fd);
}

static void find_port(int listener, char port[NI_MAXSERV])
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);

	if (getsockname(listener, (struct sockaddr *)&address, &len) ||
	    getnameinfo((struct sockaddr *)&address, len, NULL, 0, port, NI_MAXSERV,
			NI_NUMERICSERV))
		fail("port");
}

static void run_both(int count)
{
	int listener = listen_on("0");
	char port[NI_MAXSERV];
	pid_t server;

	find_port(listener, port);
	server = fork();
	if (server < 0)
		fail("fork");
	if (!server) {
		run_server(listener, 1);
		exit(0);
	}
	close(listener);
	run_client("127.0.0.1", port, count);
	waitpid(server, NULL, 0);
}

/* --- a striped file --- */

#define SERVERS 2
#define THREADS 3
#define STRIPES 4 /* of each request */
#define UNIT	16384
/* every so many requests of a thread are a sync */
#define SYNC_EVERY 5

static char ports[SERVERS][NI_MAXSERV];
static const char *dir;

/* A part of a request; the answer is the same with the result. */
struct part {
	uint64_t id; /* of the client's call */
	uint64_t offset;
	int32_t op; /* 'r', 'w', 's': sync, 'm': the other server's part of a sync */
	int32_t result;
};

static void exchange(int fd, struct part *part)
{
	if (send(fd, part, sizeof(*part), MSG_NOSIGNAL) != sizeof(*part) ||
	    recv(fd, part, sizeof(*part), MSG_WAITALL) != sizeof(*part))
		fail("exchange");
}

/*
 * File I/O of the server. The module records it by itself; in a text recording we do: with the
 * fields of EVENTS.md.
 */
static int next_id(void)
{
	static int ids;

	return __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
}

static int record_start(const char *event, int op, int fd, uint64_t pos, size_t len)
{
	int id = next_id();
	struct stat st;

	if (fstat(fd, &st))
		fail("stat");
	iotrace_text(event, "id=%d ino=%llu pos=%lld len=%zu tgid=%d fd=%d dev=%u flags=0 op=%d",
		     id, (unsigned long long)st.st_ino, op == 20 ? -1LL : (long long)pos, len,
		     getpid(), fd, major(st.st_dev) << 20 | minor(st.st_dev), op);
	return id;
}

static int record_end(const char *event, int id, ssize_t result, uint64_t pos)
{
	iotrace_text(event, "id=%d ret=%zd pos=%lld", id, result < 0 ? -errno : result,
		     (long long)pos);
	return (int)result;
}

static int open_part(const char *path)
{
	int id = next_id(), fd;
	struct stat st;

	iotrace_text("iotrace:open_start",
		     "id=%d ino=0 tgid=%d fd=-100 dev=0 flags=0x80042 mode=0x1b6 op=41 path=\"%s\"",
		     id, getpid(), path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || fstat(fd, &st))
		fail(path);
	iotrace_text("iotrace:open_end", "id=%d ret=%d ino=%llu dev=%u", id, fd,
		     (unsigned long long)st.st_ino, major(st.st_dev) << 20 | minor(st.st_dev));
	return fd;
}

static int read_stripe(int fd, uint64_t offset)
{
	char data[UNIT];
	int id = record_start("iotrace:read_start", 2, fd, offset, UNIT);
	ssize_t n = pread(fd, data, UNIT, (off_t)offset);

	return record_end("iotrace:read_end", id, n, offset + UNIT);
}

static int write_stripe(int fd, uint64_t offset)
{
	static const char data[UNIT];
	int id = record_start("iotrace:write_start", 7, fd, offset, UNIT);
	ssize_t n = pwrite(fd, data, UNIT, (off_t)offset);

	return record_end("iotrace:write_end", id, n, offset + UNIT);
}

static int sync_file(int fd)
{
	int id = record_start("iotrace:sync_start", 20, fd, 0, 0);

	return record_end("iotrace:sync_end", id, fsync(fd), 0);
}

struct serving {
	int number; /* of the server */
	int file, peer;
};

/* The first server has the other one take part in a sync: a call inside the call. */
static int ask_other(int peer)
{
	struct part part = { .id = iotrace_id(), .op = 'm' };
	struct iotrace_call call = {
		.id = part.id, .mode = -1, .domain = "store", .resource = "server 1", .op = "sync"
	};

	iotrace_call_start(&call);
	exchange(peer, &part);
	call.status = part.result;
	iotrace_call_end(&call);
	return part.result;
}

/* The server's work for a part; the events between start and end belong to the client's call. */
static void serve_part(const struct serving *s, struct part *part)
{
	struct iotrace_call call = { .id = part->id,
				     .mode = -1,
				     .flags = IOTRACE_SERVED,
				     .domain = "store server",
				     .resource = s->number ? "server 1" : "server 0",
				     .op = part->op == 'r'   ? "read part"
					   : part->op == 'w' ? "write part"
							     : "sync part" };

	iotrace_call_start(&call);
	if (part->op == 's' && ask_other(s->peer) < 0)
		part->result = -1;
	else if (part->op == 'r')
		part->result = read_stripe(s->file, part->offset);
	else if (part->op == 'w')
		part->result = write_stripe(s->file, part->offset);
	else
		part->result = sync_file(s->file);
	if (part->result >= 0)
		part->result++; /* a final status is not 0 */
	call.status = part->result;
	iotrace_call_end(&call);
}

struct connection {
	int number, fd;
};

/* Tells the names of process and thread, as the module does. */
static void record_task(const char *name)
{
	iotrace_text("iotrace:task", "tgid=%d ptgid=%d comm=\"%s\"", getpid(), getppid(), name);
}

static void *serve_connection(void *data)
{
	struct connection *c = data;
	char path[4096];
	struct serving s = { .number = c->number, .peer = -1 };
	struct part part;

	snprintf(path, sizeof(path), "%s/server-%d.part", dir, c->number);
	record_task("worker");
	s.file = open_part(path);
	if (!c->number)
		s.peer = connect_to("127.0.0.1", ports[1]);
	while (recv(c->fd, &part, sizeof(part), MSG_WAITALL) == sizeof(part)) {
		serve_part(&s, &part);
		if (send(c->fd, &part, sizeof(part), MSG_NOSIGNAL) != sizeof(part))
			fail("answer");
	}
	if (s.peer >= 0)
		close(s.peer);
	close(s.file);
	close(c->fd);
	free(c);
	return NULL;
}

/*
 * A text recording of this process, if there is no module. The processes are the nodes of the
 * picture, with one clock.
 */
static void record_in(const char *name)
{
	char path[4096];
	FILE *file;

	if (!iotrace_open() && !getenv("IOTRACE_TEXT"))
		return;
	snprintf(path, sizeof(path), "%s/%s.txt", dir, name);
	file = fopen(path, "w");
	if (!file ||
	    fprintf(file, "iotrace-text 1\nhostname %s\nclock mono\nsync yes\n", name) < 0 ||
	    fclose(file))
		fail(path);
	iotrace_close();
	setenv("IOTRACE_TEXT", path, 1);
	if (iotrace_open())
		fail(path);
	record_task(name);
}

/* One thread for each connection: those of the client's threads, and on server 1 those of server 0.
 */
static void run_store(int listener, int number)
{
	int connections = number ? 2 * THREADS : THREADS;
	pthread_t threads[2 * THREADS];

	record_in(number ? "server-1" : "server-0");
	for (int i = 0; i < connections; i++) {
		struct connection *c = malloc(sizeof(*c));

		if (!c)
			fail("memory");
		*c = (struct connection){ number, accept(listener, NULL, NULL) };
		if (c->fd < 0 || pthread_create(&threads[i], NULL, serve_connection, c))
			fail("accept");
	}
	for (int i = 0; i < connections; i++)
		pthread_join(threads[i], NULL);
}

struct client {
	int number, requests;
	int calls, parts, failed;
};

/* The parts of a request are on their way at once; their results add up. */
static int request_stripes(const int fds[SERVERS], struct part part)
{
	int result = 0;

	for (unsigned int i = 0; i < STRIPES; i++) {
		struct part one = part;

		one.offset = part.offset + i / SERVERS * UNIT;
		if (send(fds[i % SERVERS], &one, sizeof(one), MSG_NOSIGNAL) != sizeof(one))
			fail("send");
	}
	for (unsigned int i = 0; i < STRIPES; i++) {
		struct part one;

		if (recv(fds[i % SERVERS], &one, sizeof(one), MSG_WAITALL) != sizeof(one))
			fail("receive");
		result = one.result < 0 || result < 0 ? -1 : result + one.result;
	}
	return result;
}

static void make_request(struct client *client, const int fds[SERVERS], int i)
{
	bool sync = i % SYNC_EVERY == SYNC_EVERY - 1;
	struct iotrace_call call = { .id = iotrace_id(),
				     .mode = -1,
				     .domain = "store",
				     .resource = "striped file",
				     .op = sync	   ? "sync"
					   : i % 2 ? "read"
						   : "write" };
	struct part part = { .id = call.id,
			     .offset = (uint64_t)(client->number + i / 2) * UNIT,
			     .op = call.op[0] };

	iotrace_call_start(&call);
	if (sync)
		exchange(fds[0], &part);
	else
		part.result = request_stripes(fds, part);
	call.status = part.result;
	iotrace_call_end(&call);
	client->calls++;
	client->parts += sync ? 1 : STRIPES;
	client->failed += part.result < 0;
}

static void *run_requests(void *data)
{
	struct client *client = data;
	int fds[SERVERS];

	record_task("requests");
	for (int i = 0; i < SERVERS; i++)
		fds[i] = connect_to("127.0.0.1", ports[i]);
	for (int i = 0; i < client->requests; i++)
		make_request(client, fds, i);
	for (int i = 0; i < SERVERS; i++)
		close(fds[i]);
	return NULL;
}

/* Prints how many calls and parts there were. */
static void run_stripes(int requests)
{
	int listeners[SERVERS], calls = 0, parts = 0, failed = 0, status;
	struct client clients[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < SERVERS; i++) {
		listeners[i] = listen_on("0");
		find_port(listeners[i], ports[i]);
	}
	for (int i = 0; i < SERVERS; i++) {
		pid_t server = fork();

		if (server < 0)
			fail("fork");
		if (!server) {
			run_store(listeners[i], i);
			exit(0);
		}
	}
	record_in("client");
	for (int i = 0; i < THREADS; i++) {
		clients[i] = (struct client){ .number = i, .requests = requests };
		if (pthread_create(&threads[i], NULL, run_requests, &clients[i]))
			fail("thread");
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		calls += clients[i].calls;
		parts += clients[i].parts;
		failed += clients[i].failed;
	}
	while (wait(&status) > 0)
		failed += status != 0;
	printf("%d calls, %d parts, %d syncs of the other server, %d failed\n", calls, parts,
	       THREADS * (requests / SYNC_EVERY), failed);
}

int main(int argc, char **argv)
{
	char text[256];
	struct iotrace_counts counts;
	int opened = iotrace_open();

	fprintf(stderr, "example-rpc: %s\n", iotrace_explain(opened, text, sizeof(text)));
	if (opened && argc > 1 && strcmp(argv[1], "stripes")) {
		fprintf(stderr, "example-rpc: nothing would be recorded; load iotrace.ko, or set "
				"IOTRACE_TEXT=FILE for a text recording\n");
		return 1;
	}
	if (argc == 3 && !strcmp(argv[1], "server"))
		run_server(listen_on(argv[2]), -1);
	else if (argc == 5 && !strcmp(argv[1], "client"))
		run_client(argv[2], argv[3], atoi(argv[4]));
	else if (argc == 3 && !strcmp(argv[1], "both"))
		run_both(atoi(argv[2]));
	else if (argc == 4 && !strcmp(argv[1], "stripes")) {
		dir = argv[2];
		if (mkdir(dir, 0777) && errno != EEXIST)
			fail(dir);
		run_stripes(atoi(argv[3]));
	} else {
		fprintf(stderr, "usage: example-rpc server PORT | client HOST PORT N | both N | "
				"stripes DIR N\n");
		return 1;
	}
	iotrace_get_counts(&counts);
	fprintf(stderr, "example-rpc: %llu events written, %llu dropped\n",
		(unsigned long long)counts.written, (unsigned long long)counts.dropped);
	return 0;
}
