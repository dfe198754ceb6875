/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The connection to /dev/iotrace: one for the process, opened on first use.
 *
 * Some programs close unknown descriptors, as daemons do when they start, and then reuse the number
 * for their own file. So we check the descriptor before we write records. If it is no longer ours,
 * we leave it alone and open the device again. Between check and write another thread could still
 * close it and open a file of its own: the descriptor has a high number, which new files get last.
 */
#include "user-local.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "/dev/iotrace"

/* Never changed once other threads can see it. */
struct connection {
	int fd;
	dev_t dev;
	ino_t ino;
	bool text;		     /* a text recording */
	struct connection *previous; /* its descriptor was lost; threads may still read it */
};

static const struct iotrace_page unknown = { .recording =
						     ~0U }; /* the first event opens the device */
static const struct iotrace_page nobody;
static const struct iotrace_page everybody = { .recording = ~0U };

const struct iotrace_page *iotrace_page_now = &unknown;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *connection; /* written under lock, read by anybody */
static struct iotrace_page *mapped;   /* lock */
static bool tried, handles_fork;      /* lock */

/* What iotrace_page_now is but for a pause; both under lock. */
static const struct iotrace_page *current = &unknown;
static bool paused;

/* The file of a text recording, NULL if there is none. */
static const char *text_path(void)
{
	const char *path = secure_getenv("IOTRACE_TEXT");

	return path && *path ? path : NULL;
}

static const char *device_path(void)
{
	const char *path = text_path();

	if (!path)
		path = secure_getenv("IOTRACE_DEVICE");
	return path && *path ? path : DEVICE;
}

static void show(const struct iotrace_page *page)
{
	current = page;
	__atomic_store_n(&iotrace_page_now, paused ? &nobody : page, __ATOMIC_RELEASE);
}

static void set_paused(bool pause)
{
	pthread_mutex_lock(&lock);
	paused = pause;
	show(current);
	pthread_mutex_unlock(&lock);
}

void iotrace_pause(void)
{
	set_paused(true);
}

void iotrace_resume(void)
{
	set_paused(false);
}

/* --- fork --- */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	iotrace_text_lock();
}

static void after_fork(void)
{
	iotrace_text_unlock();
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	after_fork();
	iotrace_ids_forget();
}

/* Called before the first resource that a child must not share with its parent: a connection, ids.
 * Under lock. */
static void handle_fork(void)
{
	if (!handles_fork)
		handles_fork = !pthread_atfork(before_fork, after_fork, in_child);
}

/* --- open and close; all under lock --- */

static int map_page(int fd)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	struct iotrace_page *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	int err = 0;

	if (page == MAP_FAILED)
		return errno == ENODEV ? -ENOTTY : -errno;
	if (page->magic != IOTRACE_ABI_MAGIC)
		err = -ENOTTY;
	else if (page->version != IOTRACE_ABI_VERSION ||
		 page->record_size != sizeof(struct iotrace_record))
		err = -EPROTONOSUPPORT;
	if (err) {
		munmap(page, size);
		return err;
	}
	mapped = page;
	return 0;
}

/* A file or a pipe instead of the device records all events. */
static int find_page(int fd, mode_t mode)
{
	if (S_ISREG(mode) || S_ISFIFO(mode)) {
		show(&everybody);
		return 0;
	}
	if (!mapped) {
		int err = map_page(fd);

		if (err)
			return err;
	}
	show(mapped);
	return 0;
}

/* The same file with a number that open() gives last, or @fd. Below 1024, for programs with small tables. */
static int high_number(int fd)
{
	struct rlimit limit;
	int high = -1;

	if (!getrlimit(RLIMIT_NOFILE, &limit))
		high = fcntl(fd, F_DUPFD_CLOEXEC,
			     (int)(limit.rlim_cur < 1024 ? limit.rlim_cur : 1024) * 3 / 4);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static int open_device(struct connection *new)
{
	struct stat st;
	int err;

	new->text = text_path() != NULL;
	new->fd = open(device_path(),
		       O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | (new->text ? O_CREAT : 0), 0666);
	if (new->fd < 0)
		return -errno;
	new->fd = high_number(new->fd);
	err = fstat(new->fd, &st) ? -errno : 0;
	if (!err && new->text)
		err = S_ISREG(st.st_mode) ? iotrace_text_begin(new->fd) : -EINVAL;
	if (!err)
		err = find_page(new->fd, st.st_mode);
	if (err) {
		close(new->fd);
		return err;
	}
	new->dev = st.st_dev;
	new->ino = st.st_ino;
	return 0;
}

static int connect_device(void)
{
	struct connection *new = calloc(1, sizeof(*new));
	int err = new ? open_device(new) : -ENOMEM;

	tried = true;
	if (err) {
		free(new);
		show(&nobody);
		return err;
	}
	handle_fork();
	new->previous = connection;
	__atomic_store_n(&connection, new, __ATOMIC_RELEASE);
	return 0;
}

static bool is_ours(const struct connection *c)
{
	struct stat st;

	return !fstat(c->fd, &st) && st.st_dev == c->dev && st.st_ino == c->ino;
}

int iotrace_open(void)
{
	int saved = errno, err = 0;

	pthread_mutex_lock(&lock);
	if (!connection || !is_ours(connection))
		err = connect_device();
	pthread_mutex_unlock(&lock);
	errno = saved;
	return err;
}

void iotrace_close(void)
{
	int saved = errno;

	pthread_mutex_lock(&lock);
	tried = true;
	show(&nobody);
	if (connection && is_ours(connection))
		close(connection->fd);
	while (connection) {
		struct connection *previous = connection->previous;

		free(connection);
		connection = previous;
	}
	/* Another thread may be reading the page, so zeros replace it in one step. */
	if (mapped)
		mmap(mapped, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	mapped = NULL;
	pthread_mutex_unlock(&lock);
	errno = saved;
}

/* --- use --- */

/* The checked connection, or NULL and the reason. */
static const struct connection *get_connection(int *out_err)
{
	const struct connection *c = __atomic_load_n(&connection, __ATOMIC_ACQUIRE);

	if (c && is_ours(c))
		return c;
	pthread_mutex_lock(&lock);
	*out_err = -ENOTCONN;
	if (connection != c) /* another thread was here first */
		*out_err = 0;
	else if (c || !tried)
		*out_err = connect_device();
	c = *out_err ? NULL : connection;
	pthread_mutex_unlock(&lock);
	return c;
}

void iotrace_device_ask(void)
{
	int saved = errno;

	if (__atomic_load_n(&iotrace_page_now, __ATOMIC_ACQUIRE) != &unknown)
		return;
	pthread_mutex_lock(&lock);
	if (!tried)
		(void)connect_device();
	pthread_mutex_unlock(&lock);
	errno = saved;
}

int iotrace_device_text(void)
{
	const struct connection *c;
	int err = 0;

	if (!text_path() || !iotrace_recording(IOTRACE_CALL_START))
		return -1;
	c = get_connection(&err);
	return c && c->text ? c->fd : -1;
}

int iotrace_device_write(const struct iotrace_record *records, unsigned int count,
			 unsigned int *out_taken)
{
	int saved = errno, err = 0;
	const struct connection *c = get_connection(&err);
	unsigned int taken = 0;

	while (c && c->text && taken < count && !err) {
		err = iotrace_text_record(c->fd, &records[taken]);
		taken += !err;
	}
	while (c && !c->text && taken < count) {
		ssize_t n = write(c->fd, records + taken, (count - taken) * sizeof(*records));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < (ssize_t)sizeof(*records)) {
			err = n < 0 ? -errno : -EIO;
			break;
		}
		taken += (unsigned int)(n / (ssize_t)sizeof(*records));
	}
	*out_taken = taken;
	errno = saved;
	return err;
}

int iotrace_device_ids(struct iotrace_ids *ids)
{
	int saved = errno, err = 0;
	const struct connection *c;

	pthread_mutex_lock(&lock);
	handle_fork();
	pthread_mutex_unlock(&lock);
	c = get_connection(&err);
	if (c && ioctl(c->fd, IOTRACE_IOC_IDS, ids))
		err = -errno;
	errno = saved;
	return err;
}

/* --- words --- */

char *iotrace_explain(int error, char *text, size_t size)
{
	const char *path = device_path();

	switch (-error) {
	case 0:
		snprintf(text, size, "%s is open", path);
		break;
	case EINVAL:
		snprintf(text, size, "%s: a text recording (IOTRACE_TEXT) must be a regular file",
			 path);
		break;
	case ENOENT:
	case ENXIO:
	case ENODEV:
		snprintf(text, size, "there is no %s: load the module (modprobe iotrace)", path);
		break;
	case EACCES:
	case EPERM:
		snprintf(text, size, "%s: no permission: be root or in the group iotrace", path);
		break;
	case ENOTTY:
		snprintf(text, size, "%s is not the device of iotrace", path);
		break;
	case EPROTONOSUPPORT:
		snprintf(text, size,
			 "%s: the module and the library have different versions: "
			 "this library knows version %d",
			 path, IOTRACE_ABI_VERSION);
		break;
	case ENOTCONN:
		snprintf(text, size, "%s could not be opened before, or was closed", path);
		break;
	default:
		snprintf(text, size, "%s: %s", path, strerrordesc_np(-error) ?: "unknown error");
	}
	return text;
}
