package cache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func newNode(b *fabric.Builder, t ib.NodeType, ports int, guid ib.GUID, desc string) *fabric.Node {
	var raw, text [64]byte
	info := smp.NodeInfo{NodeType: t, NumPorts: uint8(ports), NodeGUID: guid, PortGUID: guid + 1, LocalPort: 1, VendorID: 0x2c9}
	info.Encode(&raw)
	copy(text[:], desc)
	n := b.AddNode(&raw)
	b.SetDescription(n, &text)
	return n
}

func setInfo(b *fabric.Builder, p *fabric.Port, info smp.PortInfo) {
	var raw [64]byte
	info.Encode(&raw)
	b.SetPortInfo(p, &raw)
}

// small is a host on a switch with a second, silent host.
func small() *fabric.Fabric {
	b := fabric.NewBuilder()
	h := newNode(b, ib.NodeCA, 2, 0x100, "host")
	sw := newNode(b, ib.NodeSwitch, 3, 0x200, "switch")
	silent := newNode(b, ib.NodeCA, 1, 0x300, "silent")
	up := smp.PortInfo{PhysState: ib.PhysLinkUp, State: ib.PortActive, LinkWidthActive: 2, LinkSpeedActive: 4}
	hostUp := up
	hostUp.LID, hostUp.LMC = 5, 1
	setInfo(b, b.Port(h, 1), hostUp)
	setInfo(b, b.Port(sw, 0), smp.PortInfo{LID: 3, LMC: 2, State: ib.PortActive})
	setInfo(b, b.Port(sw, 1), up)
	setInfo(b, b.Port(sw, 2), up)
	setInfo(b, b.Port(sw, 3), smp.PortInfo{PhysState: ib.PhysPolling})
	b.Link(b.Port(h, 1), b.Port(sw, 1))
	b.Link(b.Port(sw, 2), b.Port(silent, 1))
	var raw [64]byte
	info := smp.SwitchInfo{EnhancedPort0: true, LinearFDBCap: 100}
	info.Encode(&raw)
	b.SetSwitchInfo(sw, &raw)
	b.SetStart(b.Port(h, 1))
	b.SetSweep(fabric.Sweep{MaxHops: 2, SMPs: 9})
	return b.Build()
}

func encode(t testing.TB, f *fabric.Fabric) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(t testing.TB, data []byte) *fabric.Fabric {
	t.Helper()
	f, err := Read(bytes.NewReader(data), "x.cache")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// dump is what a cache file holds of a fabric.
func dump(f *fabric.Fabric) (out []any) {
	for n := range f.Nodes() {
		sw, hasSwitchInfo := n.RawSwitchInfo()
		out = append(out, n.GUID(), n.RawInfo(), n.RawDescription(), sw, hasSwitchInfo)
		for p := range n.Ports() {
			info, known := p.RawInfo()
			out = append(out, p.Num(), p.GUID(), info, known, p.LID(), p.LMC())
			if r := p.Remote(); r != nil {
				out = append(out, r.Node().Index(), r.Num())
			}
		}
	}
	return append(out, f.Start().Node().GUID(), f.Start().Num(), f.Sweep().MaxHops)
}

func TestRoundTrip(t *testing.T) {
	f := small()
	data := encode(t, f)
	if want := headerLen + 3*nodeHeaderLen + 6*(keyLen+portLen); len(data) != want {
		t.Errorf("%d bytes, want %d", len(data), want)
	}
	g := decode(t, data)
	if len(g.Problems()) != 0 {
		t.Errorf("problems: %v", g.Problems())
	}
	if d := cmp.Diff(dump(f), dump(g)); d != "" {
		t.Errorf("-written +read:\n%s", d)
	}
	if !bytes.Equal(encode(t, g), data) {
		t.Error("reading and writing changes the file")
	}
	if !Recognise(data) || Recognise(data[:3]) || Recognise([]byte("#\n# Topology file")) {
		t.Error("the format is not recognised by its content")
	}
}

// TestDuplicateGUIDs: two nodes with one GUID, which C cannot have.
func TestDuplicateGUIDs(t *testing.T) {
	b := fabric.NewBuilder()
	h := newNode(b, ib.NodeCA, 1, 0x100, "a")
	sw := newNode(b, ib.NodeSwitch, 3, 0x200, "switch")
	twin := newNode(b, ib.NodeCA, 1, 0x100, "b")
	for i, n := range []*fabric.Node{h, twin} {
		setInfo(b, b.Port(n, 1), smp.PortInfo{LID: ib.LID(i + 1)})
		setInfo(b, b.Port(sw, i+1), smp.PortInfo{State: ib.PortActive})
		b.Link(b.Port(n, 1), b.Port(sw, i+1))
	}
	b.SetStart(b.Port(h, 1))
	f := b.Build()
	if d := cmp.Diff(dump(f), dump(decode(t, encode(t, f)))); d != "" {
		t.Errorf("-written +read:\n%s", d)
	}
}

// edit gives the file of small with some bytes replaced.
func edit(t testing.TB, at int, with ...byte) []byte {
	data := encode(t, small())
	copy(data[at:], with)
	return data
}

func TestReadErrors(t *testing.T) {
	whole := encode(t, small())
	for _, c := range []struct {
		name   string
		data   []byte
		is     error
		offset int64
		says   string
	}{
		{"empty", nil, io.ErrUnexpectedEOF, 0, "magic number"},
		{"text", []byte("#\n# Topology file"), ErrNotCache, 0, "begin"},
		{"header cut", whole[:27], io.ErrUnexpectedEOF, 27, "header"},
		{"version", edit(t, offVersion, 2), ErrVersion, offVersion, "version 2, expected 1"},
		{"node count", edit(t, offNodes, 0, 0, 0, 1), ErrTooLarge, offNodes, "16777216 nodes"},
		{"port count", edit(t, offPorts, 0, 0, 0, 1), ErrTooLarge, offPorts, "16777216 ports"},
		{"start", edit(t, offFromGUID, 0xff), ErrStart, offFromGUID, "0x00000000000001ff"},
		{"node cut", whole[:headerLen+100], io.ErrUnexpectedEOF, headerLen + 100, "node record 1 of 3"},
		{"keys cut", whole[:headerLen+nodeHeaderLen+5], io.ErrUnexpectedEOF, headerLen + nodeHeaderLen + 5, "port list of node record 1"},
		{"port cut", whole[:len(whole)-1], io.ErrUnexpectedEOF, int64(len(whole) - 1), "port record 6 of 6"},
	} {
		_, err := Read(bytes.NewReader(c.data), "x.cache")
		var e *Error
		if !errors.Is(err, c.is) || !errors.As(err, &e) || e.Offset != c.offset || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestReadProblems has files that are whole but contradict themselves.
func TestReadProblems(t *testing.T) {
	const firstPort = headerLen + 3*nodeHeaderLen + 6*keyLen
	whole := encode(t, small())
	key := func(node ib.GUID, num byte) int { // of the port record
		for at := firstPort; at < len(whole); at += portLen {
			if ib.GUID(le.Uint64(whole[at+offPortOwner:])) == node && whole[at+8] == num {
				return at
			}
		}
		t.Fatal("no such record")
		return 0
	}
	host := headerLen + 2*nodeHeaderLen + 5*keyLen // the oldest node stands last
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"trailing data", append(bytes.Clone(whole), 0), "data follows"},
		{"owner of a port", edit(t, key(0x100, 1)+offPortOwner, 0xee), "has no record of its own"},
		{"unclaimed port", edit(t, key(0x100, 1)+offPortOwner, 0xee), "in no node's list"},
		{"port without a record", edit(t, host+nodeHeaderLen, 0xee), "has no record"},
		{"peer without a record", edit(t, key(0x100, 1)+offPeerKey, 0xee), "which has no record"},
		{"one-sided link", edit(t, key(0x100, 1)+offPortLinked, 0), "does not tell so"},
		{"node GUID", edit(t, host+offNodeInfo+offInfoGUID, 0xee), "has another GUID"},
	} {
		f, err := Read(bytes.NewReader(c.data), "x.cache")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		found := false
		for _, p := range f.Problems() {
			found = found || p.Kind == fabric.BadInput && strings.Contains(p.Error(), c.says) && strings.HasPrefix(p.File, "x.cache:")
		}
		if !found {
			t.Errorf("%s: %v", c.name, f.Problems())
		}
	}
}

func TestWriteErrors(t *testing.T) {
	if err := Write(io.Discard, fabric.NewBuilder().Build()); !errors.Is(err, ErrNoNodes) {
		t.Errorf("no nodes: %v", err)
	}
	b := fabric.NewBuilder()
	sw := newNode(b, ib.NodeSwitch, 255, 0x200, "big")
	for num := range 256 {
		b.Port(sw, num)
	}
	err := Write(io.Discard, b.Build())
	if !errors.Is(err, ErrTooManyPorts) || !strings.Contains(err.Error(), "0x0000000000000200") {
		t.Errorf("256 ports: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.cache")
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	for range 2 { // over a link, then over a file
		if err := WriteFile(path, small()); err != nil {
			t.Fatal(err)
		}
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Mode()&^0o644 != 0 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
	if data, _ := os.ReadFile(target); string(data) != "precious" {
		t.Error("the target of a link was changed")
	}
	if _, err := ReadFile(path); err != nil {
		t.Error(err)
	}
	if err := WriteFile(dir, small()); !errors.Is(err, ErrNotAPlainFile) || !strings.Contains(err.Error(), dir) {
		t.Errorf("over a directory: %v", err)
	}
	missing := filepath.Join(dir, "no", "x.cache")
	if err := WriteFile(missing, small()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing+":") {
		t.Errorf("into no directory: %v", err)
	}
	if err := WriteFile(path, fabric.NewBuilder().Build()); !errors.Is(err, ErrNoNodes) || !strings.Contains(err.Error(), path) {
		t.Errorf("no nodes: %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("%d files, want 2: a temporary file was left", len(entries))
	}
	if _, err := ReadFile(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read: %v", err)
	}
}
