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

#define CALL(type, name, params, args, ...)                                                 \
	WRAPPER(type, (type)-1, name, params, args, true, preload_end(&call, (int64_t)ret), \
		__VA_ARGS__)
#define OPEN(type, name, params, args, ...)                                                      \
	WRAPPER(type, (type)-1, name, params, args, true, preload_end_open(&call, (int64_t)ret), \
		__VA_ARGS__)
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

#define TWO_FILES(name, op, params, args, to, at, to_at)                                   \
	WRAPPER(ssize_t, -1, name, params, args, true, end_two(&call, ret, to, at, to_at), \
		ON(op, from, -1, n))

/* clang-format off */
TWO_FILES(sendfile, SENDFILE, (int to, int from, off_t *at, size_t n), (to, from, at, n), to, at, NULL)
TWO_FILES(sendfile64, SENDFILE, (int to, int from, off_t *at, size_t n), (to, from, at, n), to, at, NULL)
TWO_FILES(splice, SPLICE, (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags), (from, at, to, to_at, n, flags), to, at, to_at)
TWO_FILES(copy_file_range, COPY_FILE_RANGE, (int from, off_t *at, int to, off_t *to_at, size_t n, unsigned int flags), (from, at, to, to_at, n, flags), to, at, to_at)
/* clang-format on */

/* ---- results of another kind */

/* The result is the error. */
static void end_error(struct preload_call *call, int err)
{
	int before = errno;

	errno = err;
	preload_end(call, err ? -1 : 0);
	errno = before;
}

#define POSIX_FALLOCATE(name)                                                      \
	WRAPPER(int, ENOSYS, name, (int fd, off_t at, off_t n), (fd, at, n), true, \
		end_error(&call, ret), ON(FALLOCATE, fd, at, n))
POSIX_FALLOCATE(posix_fallocate)
POSIX_FALLOCATE(posix_fallocate64)

/* Memory without a file is left out. */
#define MMAP(name)                                                             \
	WRAPPER(void *, MAP_FAILED, name,                                      \
		(void *want, size_t n, int prot, int flags, int fd, off_t at), \
		(want, n, prot, flags, fd, at), !(flags & MAP_ANONYMOUS),      \
		preload_end(&call, (int64_t)(intptr_t)ret), ON(MMAP, fd, at, n))
MMAP(mmap)
MMAP(mmap64)

WRAPPER(DIR *, NULL, opendir, (const char *path), (path), true,
	preload_end_open(&call, ret ? dirfd(ret) : -1), BY(OPENAT, AT_FDCWD, path),
	.r.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC)

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

#define FCNTL(name)                                                                    \
	WRAPPER(int, -1, name, (int fd, int command, long arg), (fd, command, arg),    \
		begin_fcntl(&call, command, arg), preload_end(&call, ret), .r.fd = fd, \
		.r.pos = -1)
FCNTL(fcntl)
FCNTL(fcntl64)

/* From the position on, which is not told: whence is SEEK_CUR. */
#define LOCKF(name)                                                                             \
	WRAPPER(int, -1, name, (int fd, int command, off_t n), (fd, command, n),                \
		command != F_TEST, preload_end(&call, ret),                                     \
		.r.state = STATE(IOTRACE_PRELOAD_CALL,                                          \
				 command == F_LOCK ? IOTRACE_OP_SETLKW : IOTRACE_OP_SETLK),     \
		.r.fd = fd, .r.len = n,                                                         \
		.r.extra = (command == F_ULOCK ? 2u : 1u) | (command == F_LOCK ? 1u << 8 : 0) | \
			   1u << 16)
LOCKF(lockf)
LOCKF(lockf64)

/* ---- descriptors without files */

static void end_ends(struct preload_call *call, int ret, const int *fd)
{
	preload_end(call, ret ? ret : fd[0]);
	if (!ret)
		preload_end(call, fd[1]);
}

#define TWO_ENDS(name, params, args) \
	WRAPPER(int, -1, name, params, args, true, end_ends(&call, ret, fd), EFFECT(NEW, -1))
TWO_ENDS(pipe, (int fd[2]), (fd))
TWO_ENDS(pipe2, (int fd[2], int flags), (fd, flags))
TWO_ENDS(socketpair, (int domain, int type, int protocol, int fd[2]), (domain, type, protocol, fd))

static bool passes_descriptors(const struct msghdr *message)
{
	const struct cmsghdr *first = message->msg_controllen ? CMSG_FIRSTHDR(message) : NULL;

	return first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS;
}

/* Only descriptors that it passes matter. */
static void end_send(struct preload_call *call, ssize_t ret, const struct msghdr *message)
{
	if (ret >= 0 && passes_descriptors(message))
		preload_end(call, ret);
}

WRAPPER(ssize_t, -1, sendmsg, (int fd, const struct msghdr *message, int flags),
	(fd, message, flags), true, end_send(&call, ret, message), EFFECT(PASS, fd))

/* ---- processes in one memory */

FUNCTION(int, clone,
	 (int (*run)(void *), void *stack, int flags, void *data, void *parent, void *tls,
	  void *child))
{
	if (!HAVE(clone)) {
		errno = ENOSYS;
		return -1;
	}
	if (preload.on && !(flags & CLONE_THREAD)) {
		preload_fork();
		/* from now on two processes may be in this memory */
		preload.always |= (flags & CLONE_VM) != 0;
	}
	return REAL(clone)(run, stack, flags, data, parent, tls, child);
}

/* ---- vfork: the child runs in this memory, on this stack, so the wrapper must not return */

/* returns the function that the wrapper jumps to */
__attribute__((visibility("hidden"), used)) void *preload_vfork_begin(void);

void *preload_vfork_begin(void)
{
	if (preload.on) {
		preload_fork();
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
