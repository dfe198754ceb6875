/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The wrappers of the system calls, most of them made by the table. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "iotrace-ops.h"
#include "preload-wrap.h"

#define STATE(kind, op) ((uint32_t)(kind) | (uint32_t)(op) << 16)

/* How calls begin. */
#define ON(op_, fd_, pos_, len_)                                                                  \
	.r.state = STATE(IOTRACE_PRELOAD_CALL, IOTRACE_OP_##op_), .r.fd = (fd_), .r.pos = (pos_), \
	.r.len = (int64_t)(len_)
#define BY(op_, dir_, path_)                                                                   \
	.r.state = STATE(IOTRACE_PRELOAD_CALL, IOTRACE_OP_##op_), .r.fd = (dir_), .r.pos = -1, \
	.path = (path_)
#define TO(path_)	      .path2 = (path_)
#define BUFFERS(iov_, n_iov_) .iov = (iov_), .n_iov = (n_iov_)
#define EFFECT(effect_, fd_)                                                               \
	.r.state = STATE(IOTRACE_PRELOAD_EFFECT, IOTRACE_EFFECT_##effect_), .r.fd = (fd_), \
	.r.pos = -1

static uint32_t preload_flock_type(int how)
{
	uint32_t type = how & LOCK_UN ? 2 : how & LOCK_EX ? 1 : how & LOCK_SH ? 0 : 3;

	return type | (type < 2 && !(how & LOCK_NB) ? 1u << 8 : 0);
}

/* ---- the wrappers of the table */

#define CALL(type, name, params, args, ...)                 \
	FUNCTION(type, name, params)                        \
	{                                                   \
		struct preload_call call = { __VA_ARGS__ }; \
		type ret;                                   \
                                                            \
		REQUIRE(type, name);                        \
		if (!preload.on)                            \
			return REAL(name) args;             \
		call.r.begin_ns = preload_now();            \
		ret = REAL(name) args;                      \
		preload_end(&call, (int64_t)ret);           \
		return ret;                                 \
	}
#define OPEN(type, name, params, args, ...)                 \
	FUNCTION(type, name, params)                        \
	{                                                   \
		struct preload_call call = { __VA_ARGS__ }; \
		type ret;                                   \
                                                            \
		REQUIRE(type, name);                        \
		if (!preload.on)                            \
			return REAL(name) args;             \
		call.r.begin_ns = preload_now();            \
		ret = REAL(name) args;                      \
		preload_end_open(&call, (int64_t)ret);      \
		return ret;                                 \
	}
#define OTHER(type, name, params) DECLARE(type, name, params)
#ifdef IOTRACE_WRAP
#define OLD(...)
#else
#define OLD CALL
#endif
#include "preload-ops.h"
#undef CALL
#undef OPEN
#undef OTHER
#undef OLD

/* ---- two files */

/* The position that a pointer names, which is looked at if the call has found it good. */
static int64_t told(const off_t *at, int64_t ret)
{
	return !at ? -1 : ret >= 0 ? *at - ret : IOTRACE_PRELOAD_ELSEWHERE;
}

static void end_two(struct preload_call *call, ssize_t ret, int to, const off_t *at,
		    const off_t *to_at)
{
	struct preload_call second;

	call->r.pos = told(at, ret);
	preload_end(call, ret);
	second = *call;
	second.r.state = STATE(IOTRACE_PRELOAD_WRITES, second.r.state >> 16);
	second.r.fd = to;
	second.r.pos = told(to_at, ret);
	preload_end(&second, ret);
}

#define TWO_FILES(name, op_, params, args, to, at, to_at)            \
	FUNCTION(ssize_t, name, params)                              \
	{                                                            \
		struct preload_call call = { ON(op_, from, -1, n) }; \
		ssize_t ret;                                         \
                                                                     \
		REQUIRE(ssize_t, name);                              \
		if (!preload.on)                                     \
			return REAL(name) args;                      \
		call.r.begin_ns = preload_now();                     \
		ret = REAL(name) args;                               \
		end_two(&call, ret, to, at, to_at);                  \
		return ret;                                          \
	}

/* clang-format off */
TWO_FILES(sendfile, SENDFILE, (int to, int from, off_t *at, size_t n), (to, from, at, n), to, at, NULL)
TWO_FILES(sendfile64, SENDFILE, (int to, int from, off_t *at, size_t n), (to, from, at, n), to, at, NULL)
TWO_FILES(splice, SPLICE, (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags), (from, at, to, to_at, n, flags), to, at, to_at)
TWO_FILES(copy_file_range, COPY_FILE_RANGE, (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags), (from, at, to, to_at, n, flags), to, at, to_at)
/* clang-format on */

/* ---- results of another kind */

/* Its result is the error. */
#define POSIX_FALLOCATE(name)                                            \
	FUNCTION(int, name, (int fd, off_t at, off_t n))                 \
	{                                                                \
		struct preload_call call = { ON(FALLOCATE, fd, at, n) }; \
		int ret, before = errno;                                 \
                                                                         \
		if (!HAVE(name))                                         \
			return ENOSYS;                                   \
		if (!preload.on)                                         \
			return REAL(name)(fd, at, n);                    \
		call.r.begin_ns = preload_now();                         \
		ret = REAL(name)(fd, at, n);                             \
		errno = ret;                                             \
		preload_end(&call, ret ? -1 : 0);                        \
		errno = before;                                          \
		return ret;                                              \
	}
POSIX_FALLOCATE(posix_fallocate)
POSIX_FALLOCATE(posix_fallocate64)

/* Memory without a file is none of ours. */
#define MMAP(name)                                                                            \
	FUNCTION(void *, name, (void *want, size_t n, int prot, int flags, int fd, off_t at)) \
	{                                                                                     \
		struct preload_call call = { ON(MMAP, fd, at, n) };                           \
		void *ret;                                                                    \
                                                                                              \
		REQUIRE(void *, name);                                                        \
		if (!preload.on || flags & MAP_ANONYMOUS)                                     \
			return REAL(name)(want, n, prot, flags, fd, at);                      \
		call.r.begin_ns = preload_now();                                              \
		ret = REAL(name)(want, n, prot, flags, fd, at);                               \
		preload_end(&call, (int64_t)(intptr_t)ret);                                   \
		return ret;                                                                   \
	}
MMAP(mmap)
MMAP(mmap64)

FUNCTION(int, close_range, (unsigned int first, unsigned int last, int flags))
{
	struct preload_call call = { ON(CLOSE_RANGE, (int)first, (int64_t)last, 0),
				     .r.flags = (uint32_t)flags };
	int ret;

	REQUIRE(int, close_range);
	if (!preload.on)
		return REAL(close_range)(first, last, flags);
	call.r.begin_ns = preload_now();
	ret = REAL(close_range)(first, last, flags);
	preload_end(&call, ret);
	return ret;
}

FUNCTION(int, closedir, (DIR * dir))
{
	struct preload_call call = { ON(CLOSE, dir ? dirfd(dir) : -1, -1, 0) };
	int ret;

	REQUIRE(int, closedir);
	if (!preload.on)
		return REAL(closedir)(dir);
	call.r.begin_ns = preload_now();
	ret = REAL(closedir)(dir);
	preload_end(&call, ret);
	return ret;
}

FUNCTION(DIR *, opendir, (const char *path))
{
	struct preload_call call = { BY(OPENAT, AT_FDCWD, path),
				     .r.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
	DIR *ret;

	if (!HAVE(opendir))
		return NULL;
	if (!preload.on)
		return REAL(opendir)(path);
	call.r.begin_ns = preload_now();
	ret = REAL(opendir)(path);
	preload_end_open(&call, ret ? dirfd(ret) : -1);
	return ret;
}

/* ---- fcntl */

/* The kernel's struct of 64 bits is that of the C library. */
static void begin_lock(struct preload_call *call, unsigned int op, bool waits,
		       const struct flock *lock)
{
	call->r.state = STATE(IOTRACE_PRELOAD_CALL, op);
	call->r.extra = (lock->l_type == F_RDLCK   ? 0u
			 : lock->l_type == F_WRLCK ? 1u
			 : lock->l_type == F_UNLCK ? 2u
						   : 3u) |
			(waits ? 1u << 8 : 0) | (uint32_t)(uint16_t)lock->l_whence << 16;
	call->r.pos = lock->l_start;
	call->r.len = lock->l_len;
}

/* FALSE: the command is none of ours. */
static bool begin_fcntl(struct preload_call *call, int command, long arg)
{
	const struct flock *lock = (const struct flock *)arg;

	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		call->r.state = STATE(IOTRACE_PRELOAD_EFFECT, IOTRACE_EFFECT_DUP);
		call->r.flags = command == F_DUPFD_CLOEXEC ? O_CLOEXEC : 0;
		return true;
	case F_SETFD:
		call->r.state = STATE(IOTRACE_PRELOAD_EFFECT, IOTRACE_EFFECT_SETFD);
		call->r.flags = arg & FD_CLOEXEC ? O_CLOEXEC : 0;
		return true;
	case F_SETFL:
		call->r.state = STATE(IOTRACE_PRELOAD_EFFECT, IOTRACE_EFFECT_SETFL);
		call->r.flags = (uint32_t)arg;
		return true;
	case F_GETLK:
		begin_lock(call, IOTRACE_OP_GETLK, false, lock);
		return true;
	case F_SETLK:
		begin_lock(call, IOTRACE_OP_SETLK, false, lock);
		return true;
	case F_SETLKW:
		begin_lock(call, IOTRACE_OP_SETLKW, true, lock);
		return true;
	case F_OFD_GETLK:
		begin_lock(call, IOTRACE_OP_OFD_GETLK, false, lock);
		return true;
	case F_OFD_SETLK:
		begin_lock(call, IOTRACE_OP_OFD_SETLK, false, lock);
		return true;
	case F_OFD_SETLKW:
		begin_lock(call, IOTRACE_OP_OFD_SETLKW, true, lock);
		return true;
	default:
		return false;
	}
}

#define FCNTL(name)                                                     \
	FUNCTION(int, name, (int fd, int command, long arg))            \
	{                                                               \
		struct preload_call call = { .r.fd = fd, .r.pos = -1 }; \
		int ret;                                                \
                                                                        \
		REQUIRE(int, name);                                     \
		if (!preload.on || !begin_fcntl(&call, command, arg))   \
			return REAL(name)(fd, command, arg);            \
		call.r.begin_ns = preload_now();                        \
		ret = REAL(name)(fd, command, arg);                     \
		preload_end(&call, ret);                                \
		return ret;                                             \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

/* From the position on, which is not told: whence is SEEK_CUR. */
#define LOCKF(name)                                                                               \
	FUNCTION(int, name, (int fd, int command, off_t n))                                       \
	{                                                                                         \
		struct preload_call call = { ON(SETLK, fd, 0, n),                                 \
					     .r.extra =                                           \
						     (command == F_ULOCK ? 2u : 1u) | 1u << 16 }; \
		int ret;                                                                          \
                                                                                                  \
		REQUIRE(int, name);                                                               \
		if (!preload.on || command == F_TEST)                                             \
			return REAL(name)(fd, command, n);                                        \
		if (command == F_LOCK) {                                                          \
			call.r.state = STATE(IOTRACE_PRELOAD_CALL, IOTRACE_OP_SETLKW);            \
			call.r.extra |= 1u << 8;                                                  \
		}                                                                                 \
		call.r.begin_ns = preload_now();                                                  \
		ret = REAL(name)(fd, command, n);                                                 \
		preload_end(&call, ret);                                                          \
		return ret;                                                                       \
	}
LOCKF(lockf)
LOCKF(lockf64)

/* ---- descriptors without files */

#define TWO_ENDS(name, params, args)                            \
	FUNCTION(int, name, params)                             \
	{                                                       \
		struct preload_call call = { EFFECT(NEW, -1) }; \
		int ret;                                        \
                                                                \
		REQUIRE(int, name);                             \
		if (!preload.on)                                \
			return REAL(name) args;                 \
		call.r.begin_ns = preload_now();                \
		ret = REAL(name) args;                          \
		preload_end(&call, ret ? ret : fd[0]);          \
		if (!ret)                                       \
			preload_end(&call, fd[1]);              \
		return ret;                                     \
	}
TWO_ENDS(pipe, (int fd[2]), (fd))
TWO_ENDS(pipe2, (int fd[2], int flags), (fd, flags))
TWO_ENDS(socketpair, (int domain, int type, int protocol, int fd[2]), (domain, type, protocol, fd))

/* Only descriptors that it passes matter. */
FUNCTION(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags))
{
	struct preload_call call = { EFFECT(PASS, fd) };
	ssize_t ret;

	REQUIRE(ssize_t, sendmsg);
	call.r.begin_ns = preload.on ? preload_now() : 0;
	ret = REAL(sendmsg)(fd, message, flags);
	if (preload.on && ret >= 0 && message->msg_controllen) {
		const struct cmsghdr *first = CMSG_FIRSTHDR(message);

		if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS)
			preload_end(&call, ret);
	}
	return ret;
}

/* ---- processes in one memory */

static void put_fork(void)
{
	struct iotrace_preload_record r = { .state = IOTRACE_PRELOAD_FORK, .fd = -1, .pos = -1 };

	r.begin_ns = r.end_ns = preload_now();
	preload_task(&r);
	preload_put(&r, NULL, NULL);
}

FUNCTION(int, clone,
	 (int (*run)(void *), void *stack, int flags, void *data, void *parent, void *tls,
	  void *child))
{
	REQUIRE(int, clone);
	if (preload.on && !(flags & CLONE_THREAD)) {
		put_fork();
		/* from now on two processes may be in this memory */
		preload.always |= (flags & CLONE_VM) != 0;
	}
	return REAL(clone)(run, stack, flags, data, parent, tls, child);
}

/* ---- vfork: the child runs in this memory, on this stack, so the wrapper must not return */

#if defined(__x86_64__) || defined(__aarch64__)
/* returns the function that the wrapper jumps to */
__attribute__((visibility("hidden"), used)) void *preload_vfork_begin(void);

void *preload_vfork_begin(void)
{
	if (preload.on) {
		put_fork();
		preload_self.suspect = 1;
	}
	return HAVE(vfork) ? (void *)REAL(vfork) : NULL;
}
#ifdef IOTRACE_WRAP
#define VFORK "__wrap_vfork"
#else
#define VFORK "vfork"
#endif
__asm__(".text\n.globl " VFORK "\n.type " VFORK ", %function\n" VFORK ":\n"
#ifdef __x86_64__
	"	endbr64\n	sub $8, %rsp\n	call preload_vfork_begin\n	add $8, %rsp\n	"
	"jmp *%rax\n"
#else
	"	hint #34\n	stp x29, x30, [sp, #-16]!\n	bl preload_vfork_begin\n	"
	"mov x16, x0\n"
	"	ldp x29, x30, [sp], #16\n	br x16\n"
#endif
	".size " VFORK ", . - " VFORK "\n");
#endif
