package uverbs

import (
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A command is one ioctl: a method of an object with its attributes.
type command struct {
	object, method uint16
	driver         uint32
	attrs          []attr
}

// An attr is one attribute. Either in is set, or out: the memory that the kernel
// fills.
type attr struct {
	id  uint16
	in  []byte
	out []byte
}

// A kernel carries commands out. The errors are unix.Errno, or os.ErrClosed.
type kernel interface {
	do(c *command) error
	closeFD(fd uint32) error // closes a descriptor that a command gave
	Close() error
}

// in is an attribute with a value for the kernel.
func in[T any](id uint16, v T) attr { return attr{id: id, in: bytesOf(&v)} }

// out is an attribute that the kernel fills.
func out[T any](id uint16, v *T) attr { return attr{id: id, out: bytesOf(v)} }

// call runs a method of the device object.
func call(k kernel, driver uint32, method uint16, attrs ...attr) error {
	return k.do(&command{object: objectDevice, method: method, driver: driver, attrs: attrs})
}

// invoke runs a command of the older write interface. Its request and answer are
// core; what the driver adds is in uhw.
func invoke(k kernel, driver, cmd uint32, core, uhw []attr) error {
	attrs := append([]attr{in(attrWriteCmd, uint64(cmd))}, core...)
	return call(k, driver, methodInvokeWrite, append(attrs, uhw...)...)
}

// isUnsupported reports whether err means that the kernel does not have the
// method.
func isUnsupported(err error) bool {
	return errors.Is(err, unix.EPROTONOSUPPORT) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS)
}

const (
	headerSize = int(unsafe.Sizeof(ioctlHeader{}))
	attrSize   = int(unsafe.Sizeof(ioctlAttr{}))
	inlineSize = 8 // values up to this size lie in the attribute itself
)

// marshal puts the command into the form of the ioctl. What the attributes point
// to is pinned with p.
func (c *command) marshal(p *runtime.Pinner) []byte {
	buf := make([]byte, headerSize+len(c.attrs)*attrSize)
	*(*ioctlHeader)(unsafe.Pointer(&buf[0])) = ioctlHeader{
		Length: uint16(len(buf)), Object: c.object, Method: c.method,
		NumAttrs: uint16(len(c.attrs)), Driver: c.driver,
	}
	for i, a := range c.attrs {
		*(*ioctlAttr)(unsafe.Pointer(&buf[headerSize+i*attrSize])) = a.marshal(p)
	}
	return buf
}

func (a *attr) marshal(p *runtime.Pinner) ioctlAttr {
	w := ioctlAttr{ID: a.id, Flags: flagMandatory}
	switch {
	case a.out != nil:
		w.Len, w.Data = uint16(len(a.out)), pointer(p, a.out)
	case len(a.in) > inlineSize:
		w.Len, w.Data = uint16(len(a.in)), pointer(p, a.in)
	default:
		w.Len = uint16(len(a.in))
		copy(bytesOf(&w.Data), a.in)
	}
	return w
}

// pointer is the address of b, which does not move until p is unpinned.
func pointer(p *runtime.Pinner, b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	p.Pin(&b[0])
	return uint64(uintptr(unsafe.Pointer(&b[0])))
}
