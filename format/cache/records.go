package cache

import (
	"bufio"
	"io"
	"os"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Records are those of a cache file as they stand there, to change GUIDs in them.
// Everything else stays as it is, byte for byte.
type Records struct {
	header [headerLen]byte
	nodes  []nodeRecord
	ports  []portRecord

	// What the records name each other by, before any change: places in the lists
	// above, -1 for what is not there.
	start int
	keys  [][]int // of each node, its ports
	owner []int   // of each port, its node
	peer  []int   // of each port, the other end
}

// ReadRecords reads the records of a file. The errors are those of ReadFile.
func ReadRecords(path string) (*Records, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &Error{Op: "read", File: path, Offset: -1, Err: cause(err)}
	}
	defer file.Close()
	r := &Records{}
	d := &decoder{r: bufio.NewReaderSize(file, 64<<10), name: path, b: fabric.NewBuilder()}
	for _, read := range []func() error{d.readHeader, d.readNodes, d.readPorts} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	r.header, r.nodes, r.ports = d.header(), d.nodes, d.ports
	r.resolve(d.from)
	return r, nil
}

// header is the header that has been read.
func (d *decoder) header() (h [headerLen]byte) {
	le.PutUint32(h[offMagic:], magic)
	le.PutUint32(h[offVersion:], version)
	le.PutUint32(h[offNodes:], uint32(d.nodeCount))
	le.PutUint32(h[offPorts:], uint32(d.portCount))
	le.PutUint64(h[offFromGUID:], uint64(d.from))
	le.PutUint32(h[offMaxHops:], uint32(d.maxHops))
	return h
}

// resolve finds what the records name.
func (r *Records) resolve(start ib.GUID) {
	nodes, ports := map[ib.GUID]int{}, map[portKey]int{}
	for i := range r.nodes {
		nodes[r.nodes[i].guid()] = i
	}
	for i := range r.ports {
		ports[r.ports[i].key()] = i
	}
	r.start = find(nodes, start)
	for i := range r.nodes {
		var list []int
		for _, k := range r.nodes[i].keys {
			list = append(list, find(ports, k))
		}
		r.keys = append(r.keys, list)
	}
	for i := range r.ports {
		p, peer := &r.ports[i], -1
		if p.hasPeer() {
			peer = find(ports, p.peer())
		}
		r.owner = append(r.owner, find(nodes, p.owner()))
		r.peer = append(r.peer, peer)
	}
}

func find[K comparable](m map[K]int, k K) int {
	if i, ok := m[k]; ok {
		return i
	}
	return -1
}

// WriteFile writes the records to a file, as the function of that name does a
// fabric. The file may be the one that they come from.
func (r *Records) WriteFile(path string) error { return replaceFile(path, r.write) }

func (r *Records) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.Write(r.header[:])
	for i := range r.nodes {
		out.Write(r.nodes[i].raw[:])
		for _, k := range r.nodes[i].keys {
			var b [keyLen]byte
			putKey(b[:], k)
			out.Write(b[:])
		}
	}
	for i := range r.ports {
		out.Write(r.ports[i].raw[:])
	}
	return out.Flush() // gives the first error of all writes
}
