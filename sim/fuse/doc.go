// Package fuse serves a small tree of files to the Linux kernel by its FUSE
// protocol: directories, texts that are made when they are read, symbolic
// links, and device files with ioctl and poll(2), which a client uses like
// character devices.
//
// It speaks protocol 7.31 (include/uapi/linux/fuse.h) on a descriptor of
// /dev/fuse that somebody has mounted. The tree does not change while it is
// served; what is in the files may.
//
// Client and server must be different processes: the Go runtime waits for its
// own device files with epoll_ctl(2), and would wait for itself.
package fuse
