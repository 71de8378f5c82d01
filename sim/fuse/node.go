package fuse

import (
	"context"
	"syscall"
)

// Node is a file or directory of a tree. Make one with Dir, Text, Link or File.
type Node struct {
	name     string
	perm     uint32
	children []*Node
	byName   map[string]*Node // of a directory, nil elsewhere
	text     func() (string, syscall.Errno)
	target   string
	device   Device
	inode    uint64
}

// Dir is a directory. Of several children with one name the last is found.
func Dir(name string, children ...*Node) *Node {
	n := &Node{name: name, perm: 0o755, children: children, byName: make(map[string]*Node, len(children))}
	for _, c := range children {
		n.byName[c.name] = c
	}
	return n
}

// Text is a file of which read(2) gives what the function says at that moment,
// or its errno. Like a file of sysfs it claims a size of 4096 bytes. The
// function is called by one goroutine at a time and must not wait.
func Text(name string, read func() (string, syscall.Errno)) *Node {
	return &Node{name: name, perm: 0o444, text: read}
}

// Link is a symbolic link.
func Link(name, target string) *Node {
	return &Node{name: name, perm: 0o777, target: target}
}

// File is a device file with permissions for its owner, as 0o600. It looks like
// a regular file: the kernel would look up a character device elsewhere.
func File(name string, perm uint32, d Device) *Node {
	return &Node{name: name, perm: perm & 0o777, device: d}
}

// Find is the node at a path below a directory, nil when there is none.
func (n *Node) Find(path ...string) *Node {
	for _, name := range path {
		if n = n.byName[name]; n == nil {
			return nil
		}
	}
	return n
}

// Names lists the entries of a directory in their order.
func (n *Node) Names() []string {
	list := make([]string, 0, len(n.children))
	for _, c := range n.children {
		list = append(list, c.name)
	}
	return list
}

// Read is the content of a text file; EINVAL for others.
func (n *Node) Read() (string, syscall.Errno) {
	if n.text == nil {
		return "", syscall.EINVAL
	}
	return n.text()
}

// kind is the type in st_mode.
func (n *Node) kind() uint32 {
	switch {
	case n.byName != nil:
		return typeDir
	case n.text == nil && n.device == nil:
		return typeLink
	}
	return typeRegular
}

// size is what stat(2) says.
func (n *Node) size() uint64 {
	switch {
	case n.text != nil:
		return 4096
	case n.kind() == typeLink:
		return uint64(len(n.target))
	}
	return 0
}

// Device is what a device file stands for.
type Device interface {
	// Open opens the file for one client. When that has to wait and wait is
	// false it is EAGAIN; with wait it goes on until ctx is done, then it is EINTR.
	//
	// The Handle calls wake after its Poll has changed; wake does not wait.
	Open(ctx context.Context, wait bool, wake func()) (Handle, syscall.Errno)
}

// Handle is an open device file. Its methods may be called at once. An errno of
// 0 is success.
type Handle interface {
	// Read gives what there is to read, at most size bytes. When there is
	// nothing and wait is false it is EAGAIN; with wait it goes on until ctx is
	// done, then it is EINTR. Data beside another errno reaches the program's
	// buffer too, where /proc permits it: the protocol of FUSE has no place for it.
	Read(ctx context.Context, size int, wait bool) ([]byte, syscall.Errno)

	// Write takes all of b or nothing. It does not keep b.
	Write(b []byte) syscall.Errno

	// Ioctl carries out a request; in holds as many bytes as its number says,
	// and so many may come back, also beside an errno. It does not keep in.
	Ioctl(request uint32, in []byte) (out []byte, errno syscall.Errno)

	// Poll is the set of events that hold now (POLLIN, POLLOUT …).
	Poll() uint32

	// Close is called once, after all other calls.
	Close()
}
