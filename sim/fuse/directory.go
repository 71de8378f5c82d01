package fuse

import (
	"syscall"
)

// Sizes of structures of the protocol.
const (
	attrSize     = 88
	attrOutHead  = 16
	entryOutHead = 40
	direntHead   = 24
	statfsSize   = 80
)

// directoryRequest answers what concerns names and attributes; false for other
// requests.
func (s *Server) directoryRequest(r *request, n *Node) bool {
	switch r.opcode {
	case opLookup:
		s.lookup(r, n)
	case opGetattr, opSetattr: // ftruncate and chmod do nothing
		s.reply(r.unique, s.appendAttr(seconds(make([]byte, attrOutHead, attrOutHead+attrSize), 0), n), 0)
	case opReadlink:
		if n.kind() != typeLink {
			s.reply(r.unique, nil, syscall.EINVAL)
			break
		}
		s.reply(r.unique, []byte(n.target), 0)
	case opOpendir:
		s.reply(r.unique, make([]byte, 16), 0)
	case opReaddir:
		s.reply(r.unique, entries(n, r.u64(8), r.u32(16)), 0)
	case opReleasedir:
		s.reply(r.unique, nil, 0)
	case opStatfs:
		b := make([]byte, statfsSize)
		host.PutUint32(b[40:], 4096) // block size
		host.PutUint32(b[44:], 255)  // longest name
		s.reply(r.unique, b, 0)
	default:
		return false
	}
	return true
}

func (s *Server) lookup(r *request, dir *Node) {
	name := r.body
	if len(name) > 0 && name[len(name)-1] == 0 {
		name = name[:len(name)-1]
	}
	n, ok := dir.byName[string(name)]
	if !ok {
		s.reply(r.unique, nil, syscall.ENOENT)
		return
	}
	b := make([]byte, entryOutHead, entryOutHead+attrSize)
	host.PutUint64(b, n.inode)
	s.reply(r.unique, s.appendAttr(seconds(seconds(b, 16), 24), n), 0)
}

// seconds writes how long an answer stays valid.
func seconds(b []byte, at int) []byte {
	host.PutUint64(b[at:], validSeconds)
	return b
}

// appendAttr appends what stat(2) says of a node.
func (s *Server) appendAttr(b []byte, n *Node) []byte {
	var a [attrSize]byte
	host.PutUint64(a[0:], n.inode)
	host.PutUint64(a[8:], n.size())
	for at := 24; at < 48; at += 8 { // access, modification, change
		host.PutUint64(a[at:], uint64(s.born))
	}
	host.PutUint32(a[60:], n.kind()<<typeShift|n.perm)
	host.PutUint32(a[64:], 1) // links
	host.PutUint32(a[68:], s.owner.UID)
	host.PutUint32(a[72:], s.owner.GID)
	host.PutUint32(a[80:], 4096) // block size
	return append(b, a[:]...)
}

// entries is the part of a directory from offset on that fits into size bytes.
func entries(n *Node, offset uint64, size uint32) []byte {
	var b []byte
	all := uint64(len(n.children)) + 2
	for i := min(offset, all); i < all; i++ {
		e := dirent(n, int(i))
		if len(b)+len(e) > int(size) {
			break
		}
		b = append(b, e...)
	}
	return b
}

// dirent is the i-th entry of a directory, padded to 8 bytes.
func dirent(dir *Node, i int) []byte {
	name, n := ".", dir
	switch {
	case i == 1:
		name = ".."
	case i > 1:
		n = dir.children[i-2]
		name = n.name
	}
	e := make([]byte, (direntHead+len(name)+7)&^7)
	host.PutUint64(e, n.inode)
	host.PutUint64(e[8:], uint64(i)+1) // offset of the next
	host.PutUint32(e[16:], uint32(len(name)))
	host.PutUint32(e[20:], n.kind())
	copy(e[direntHead:], name)
	return e
}
