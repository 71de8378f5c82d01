// Package simexec is the command "ibscope sim exec": it runs a program on a
// machine of a simulated fabric.
//
// Two processes take part. The parent is the kernel of the machine: it has the
// fabric and serves the files of packages hostfs and fuse. The child is this
// program again, in a mount namespace of its own (and a user namespace, unless
// root runs it): it mounts the parent's files, puts them where a kernel has
// them, and becomes the program. All that is mounted ends with the namespace.
package simexec
