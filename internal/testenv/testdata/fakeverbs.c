/*
 * Preloaded into the C tools, this is a kernel with one RDMA device: it answers
 * the ioctls of /dev/infiniband/uverbs0 out of files.
 *
 *   FAKE_ANSWERS/context  driver data of GET_CONTEXT
 *   FAKE_ANSWERS/device   answer to EX_QUERY_DEVICE, with driver data behind it
 *   FAKE_ANSWERS/port     answer to QUERY_PORT
 *   FAKE_ANSWERS/gids     one struct ib_uverbs_gid_entry for each index in use
 *   FAKE_ANSWERS/log      written: "DRIVER OUTLEN REQUEST" for each GET_CONTEXT
 *
 * A missing file makes its ioctl fail with EIO. There is no netlink, so that the
 * tools read a sysfs tree that SYSFS_PATH names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>

static const char device_file[] = "/dev/infiniband/uverbs0";
static int device_fd = -1;

static int is_device(const char *path) { return strcmp(path, device_file) == 0; }

static int open_any(const char *name, const char *path, int flags, mode_t mode)
{
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);

	if (!is_device(path))
		return real(path, flags, mode);
	return device_fd = real("/dev/null", flags, 0);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = va_arg(ap, int);
	va_end(ap);
	return open_any("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = va_arg(ap, int);
	va_end(ap);
	return open_any("open64", path, flags, mode);
}

int stat(const char *path, struct stat *st)
{
	int (*real)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
	return real(is_device(path) ? "/dev/null" : path, st);
}

int stat64(const char *path, struct stat64 *st)
{
	int (*real)(const char *, struct stat64 *) = dlsym(RTLD_NEXT, "stat64");
	return real(is_device(path) ? "/dev/null" : path, st);
}

int socket(int domain, int type, int protocol)
{
	int (*real)(int, int, int) = dlsym(RTLD_NEXT, "socket");
	if (domain == AF_NETLINK && protocol == 20) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	return real(domain, type, protocol);
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
	if (fd >= 0 && fd == device_fd)
		return real(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return real(addr, len, prot, flags, fd, off);
}

void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t off)
{
	return mmap(addr, len, prot, flags, fd, off);
}

static FILE *answers(const char *name, const char *mode)
{
	char path[4096];
	const char *dir = getenv("FAKE_ANSWERS");
	snprintf(path, sizeof(path), "%s/%s", dir ? dir : ".", name);
	return fopen(path, mode);
}

/* answer fills an attribute from a file, from an offset on. */
static int answer(struct ib_uverbs_attr *a, const char *name, long offset)
{
	FILE *f = answers(name, "r");
	if (!f) {
		errno = EIO;
		return -1;
	}
	fseek(f, offset, SEEK_SET);
	fread((void *)(uintptr_t)a->data, 1, a->len, f);
	fclose(f);
	return 0;
}

static struct ib_uverbs_attr *find(struct ib_uverbs_ioctl_hdr *h, unsigned id)
{
	for (unsigned i = 0; i < h->num_attrs; i++)
		if (h->attrs[i].attr_id == id)
			return &h->attrs[i];
	return NULL;
}

static int get_context(struct ib_uverbs_ioctl_hdr *h)
{
	struct ib_uverbs_attr *in = find(h, UVERBS_ATTR_UHW_IN), *out = find(h, UVERBS_ATTR_UHW_OUT);
	FILE *log = answers("log", "a");

	if (log) {
		const unsigned char *p = NULL;
		if (in)
			p = in->len <= 8 ? (void *)&in->data : (void *)(uintptr_t)in->data;
		fprintf(log, "%u %u ", h->driver_id, out ? out->len : 0);
		for (unsigned i = 0; in && i < in->len; i++)
			fprintf(log, "%02x", p[i]);
		fprintf(log, "\n");
		fclose(log);
	}
	*(uint32_t *)(uintptr_t)find(h, 0)->data = 7;
	return out ? answer(out, "context", 0) : 0;
}

static int invoke_write(struct ib_uverbs_ioctl_hdr *h)
{
	struct ib_uverbs_attr *cmd = find(h, UVERBS_ATTR_WRITE_CMD), *out = find(h, UVERBS_ATTR_CORE_OUT),
			      *uhw = find(h, UVERBS_ATTR_UHW_OUT);

	errno = ENOSPC; /* the probe at the start */
	if (!cmd || !out)
		return -1;
	errno = EOPNOTSUPP;
	if (cmd->data != (0x80000000u | 1))
		return -1;
	if (uhw && answer(uhw, "device", sizeof(struct ib_uverbs_ex_query_device_resp)))
		return -1;
	return answer(out, "device", 0);
}

static int query_gid(struct ib_uverbs_ioctl_hdr *h)
{
	struct ib_uverbs_gid_entry e;
	int found = 0;
	FILE *f = answers("gids", "r");

	while (f && !found && fread(&e, sizeof(e), 1, f) == 1)
		found = e.gid_index == find(h, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX)->data;
	if (f)
		fclose(f);
	errno = f ? ENODATA : EIO;
	if (!found)
		return -1;
	memcpy((void *)(uintptr_t)find(h, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY)->data, &e, sizeof(e));
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	va_start(ap, request);
	void *arg = va_arg(ap, void *);
	va_end(ap);
	if (fd != device_fd || request != RDMA_VERBS_IOCTL) {
		int (*real)(int, unsigned long, void *) = dlsym(RTLD_NEXT, "ioctl");
		return real(fd, request, arg);
	}
	struct ib_uverbs_ioctl_hdr *h = arg;
	if (h->object_id == UVERBS_OBJECT_ASYNC_EVENT) {
		find(h, 0)->data_s64 = dup(2);
		return 0;
	}
	errno = EOPNOTSUPP;
	if (h->object_id != UVERBS_OBJECT_DEVICE)
		return -1;
	switch (h->method_id) {
	case UVERBS_METHOD_INVOKE_WRITE:
		return invoke_write(h);
	case UVERBS_METHOD_GET_CONTEXT:
		return get_context(h);
	case UVERBS_METHOD_QUERY_PORT:
		return answer(find(h, UVERBS_ATTR_QUERY_PORT_RESP), "port", 0);
	case UVERBS_METHOD_QUERY_GID_ENTRY:
		return query_gid(h);
	}
	return -1;
}
