package cache

import (
	"bufio"
	"io"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Write writes a cache file. Beside the errors of w there are ErrNoNodes and
// ErrTooManyPorts, both before anything is written, in an *Error.
func Write(w io.Writer, f *fabric.Fabric) error {
	if err := writable(f); err != nil {
		return err
	}
	ports := portsInFileOrder(f)
	out := bufio.NewWriterSize(w, 64<<10)
	out.Write(header(f, len(ports)))
	nodes := slices.Collect(f.Nodes())
	var buf []byte
	for _, n := range slices.Backward(nodes) {
		buf = appendNode(buf[:0], n)
		out.Write(buf)
	}
	for _, p := range ports {
		buf = appendPort(buf[:0], p)
		out.Write(buf)
	}
	return out.Flush() // gives the first error of all writes
}

func writable(f *fabric.Fabric) error {
	if f.NumNodes() == 0 {
		return &Error{Op: "write", Offset: -1, Err: ErrNoNodes}
	}
	for n := range f.Nodes() {
		count := 0
		for range n.Ports() {
			count++
		}
		if count > 255 {
			return &Error{Op: "write", Offset: -1, What: "node " + n.GUID().String(), Err: ErrTooManyPorts}
		}
	}
	return nil
}

func header(f *fabric.Fabric, ports int) []byte {
	b := make([]byte, headerLen)
	le.PutUint32(b[offMagic:], magic)
	le.PutUint32(b[offVersion:], version)
	le.PutUint32(b[offNodes:], uint32(f.NumNodes()))
	le.PutUint32(b[offPorts:], uint32(ports))
	le.PutUint64(b[offFromGUID:], uint64(startGUID(f)))
	le.PutUint32(b[offMaxHops:], uint32(f.Sweep().MaxHops))
	return b
}

// startGUID is the node that the sweep started from, or the first one: a reader
// insists on a node.
func startGUID(f *fabric.Fabric) ib.GUID {
	if s := f.Start(); s != nil {
		return s.Node().GUID()
	}
	for n := range f.Nodes() {
		return n.GUID()
	}
	return 0
}

func appendNode(b []byte, n *fabric.Node) []byte {
	var h [nodeHeaderLen]byte
	if zero := n.Port(0); zero != nil {
		le.PutUint16(h[offNodeLID:], uint16(zero.LID()))
		h[offNodeLMC] = zero.LMC()
	}
	if sw, _ := n.SwitchInfo(); sw.EnhancedPort0 {
		h[offNodeEnhanced] = 1
	}
	sw, _ := n.RawSwitchInfo()
	info, desc := n.RawInfo(), n.RawDescription()
	copy(h[offSwitchInfo:], sw[:])
	le.PutUint64(h[offNodeGUID:], uint64(n.GUID()))
	h[offNodeType] = byte(n.Type())
	h[offNodeNumPorts] = byte(n.NumPorts())
	copy(h[offNodeInfo:], info[:])
	copy(h[offDescription:], desc[:])
	for range n.Ports() {
		h[offKeyCount]++
	}
	b = append(b, h[:]...)
	for p := range n.Ports() {
		b = append(b, make([]byte, keyLen)...)
		putKey(b[len(b)-keyLen:], keyOf(p))
	}
	return b
}

func appendPort(b []byte, p *fabric.Port) []byte {
	var r [portLen]byte
	putKey(r[offPortKey:], keyOf(p))
	r[offPortExt] = byte(p.ExternalNum())
	le.PutUint16(r[offPortLID:], uint16(p.LID()))
	r[offPortLMC] = p.LMC()
	info, _ := p.RawInfo()
	copy(r[offPortInfo:], info[:])
	le.PutUint64(r[offPortOwner:], uint64(p.Node().GUID()))
	if peer := p.Remote(); peer != nil {
		r[offPortLinked] = 1
		putKey(r[offPeerKey:], keyOf(peer))
	}
	return append(b, r[:]...)
}

func keyOf(p *fabric.Port) portKey { return portKey{p.GUID(), uint8(p.Num())} }
