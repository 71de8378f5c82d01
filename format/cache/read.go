package cache

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Read reads a cache file; name stands for it in messages. The error is an
// *Error with ErrNotCache, ErrVersion, ErrTooLarge, ErrStart, or
// io.ErrUnexpectedEOF where the file ends too soon.
//
// What contradicts itself in a file that is otherwise whole is not an error: it
// is left out and becomes a problem of kind fabric.BadInput. So a port without a
// record, or a link to one, is not fatal, as it is to older versions of the C
// tools.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	d := &decoder{r: bufio.NewReaderSize(r, 64<<10), name: name, b: fabric.NewBuilder()}
	if err := d.readHeader(); err != nil {
		return nil, err
	}
	if err := d.readNodes(); err != nil {
		return nil, err
	}
	if err := d.readPorts(); err != nil {
		return nil, err
	}
	if _, err := d.r.ReadByte(); err == nil {
		d.problem(d.offset, 0, -1, "data follows the last record")
	}
	return d.build()
}

// decoder holds the records of a file until all are there.
type decoder struct {
	r      *bufio.Reader
	name   string
	offset int64 // of the next byte
	b      *fabric.Builder

	nodeCount, portCount int
	from                 ib.GUID
	maxHops              int
	nodes                []nodeRecord
	ports                []portRecord
}

type nodeRecord struct {
	offset int64
	raw    [nodeHeaderLen]byte
	keys   []portKey
	node   *fabric.Node
}

func (n *nodeRecord) nodeType() ib.NodeType { return ib.NodeType(n.raw[offNodeType]) }

func (n *nodeRecord) guid() ib.GUID { return ib.GUID(le.Uint64(n.raw[offNodeGUID:])) }

type portRecord struct {
	offset int64
	raw    [portLen]byte
	port   *fabric.Port // nil until a node claims it
	order  int          // from 1 for the last in the file, which told its PortInfo first
	linked bool         // its link is made
}

func (p *portRecord) key() portKey      { return getKey(p.raw[offPortKey:]) }
func (p *portRecord) peer() portKey     { return getKey(p.raw[offPeerKey:]) }
func (p *portRecord) hasPeer() bool     { return p.raw[offPortLinked] != 0 }
func (p *portRecord) owner() ib.GUID    { return ib.GUID(le.Uint64(p.raw[offPortOwner:])) }
func (p *portRecord) info() *[64]byte   { return (*[64]byte)(p.raw[offPortInfo:]) }
func (d *decoder) where(o int64) string { return fmt.Sprintf("%s:%d", d.name, o) }

func (d *decoder) fail(offset int64, what string, err error) error {
	return &Error{Op: "read", File: d.name, Offset: offset, What: what, Err: err}
}

func (d *decoder) problem(offset int64, guid ib.GUID, port int, format string, args ...any) {
	d.b.AddProblem(fabric.Problem{
		Kind: fabric.BadInput, GUID: guid, Port: port,
		File: d.where(offset), Detail: fmt.Sprintf(format, args...),
	})
}

// fill reads all of b; what says what the file should have there.
func (d *decoder) fill(b []byte, what string) error {
	n, err := io.ReadFull(d.r, b)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return d.fail(d.offset+int64(n), what, err)
	}
	d.offset += int64(n)
	return nil
}

func (d *decoder) readHeader() error {
	var h [headerLen]byte
	if err := d.fill(h[:4], "the magic number"); err != nil {
		return err
	}
	if le.Uint32(h[offMagic:]) != magic {
		return d.fail(offMagic, "", ErrNotCache)
	}
	if err := d.fill(h[4:], "the header of 28 bytes"); err != nil {
		return err
	}
	if v := le.Uint32(h[offVersion:]); v != version {
		return d.fail(offVersion, fmt.Sprintf("version %d, expected %d", v, version), ErrVersion)
	}
	nodes, ports := le.Uint32(h[offNodes:]), le.Uint32(h[offPorts:])
	if nodes > nodesPerFile {
		return d.fail(offNodes, fmt.Sprintf("%d nodes, at most %d", nodes, nodesPerFile), ErrTooLarge)
	}
	if ports > portsPerFile {
		return d.fail(offPorts, fmt.Sprintf("%d ports, at most %d", ports, portsPerFile), ErrTooLarge)
	}
	d.nodeCount, d.portCount = int(nodes), int(ports)
	d.from = ib.GUID(le.Uint64(h[offFromGUID:]))
	d.maxHops = int(le.Uint32(h[offMaxHops:]))
	return nil
}

func (d *decoder) readNodes() error {
	slots := 0 // ports to allocate, which the bytes of the file do not bound
	for i := range d.nodeCount {
		n := nodeRecord{offset: d.offset}
		if err := d.fill(n.raw[:], fmt.Sprintf("node record %d of %d", i+1, d.nodeCount)); err != nil {
			return err
		}
		keys := make([]byte, keyLen*int(n.raw[offKeyCount]))
		if err := d.fill(keys, fmt.Sprintf("the port list of node record %d of %d", i+1, d.nodeCount)); err != nil {
			return err
		}
		for ; len(keys) > 0; keys = keys[keyLen:] {
			n.keys = append(n.keys, getKey(keys))
		}
		if slots += int(n.raw[offNodeNumPorts]) + 1; slots > portsPerFile {
			return d.fail(n.offset, fmt.Sprintf("more than %d ports in the first %d nodes", portsPerFile, i+1), ErrTooLarge)
		}
		d.nodes = append(d.nodes, n)
	}
	return nil
}

func (d *decoder) readPorts() error {
	for i := range d.portCount {
		p := portRecord{offset: d.offset, order: d.portCount - i}
		if err := d.fill(p.raw[:], fmt.Sprintf("port record %d of %d", i+1, d.portCount)); err != nil {
			return err
		}
		d.ports = append(d.ports, p)
	}
	return nil
}
