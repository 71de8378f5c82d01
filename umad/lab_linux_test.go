package umad

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// The tests named TestKernel… need a real umad device that they may break: they
// run in the guest of internal/lab, which has soft-RoCE devices and says so by
// this variable.
const labEnv = "IBSCOPE_LAB"

const umad0 = "/dev/infiniband/umad0" // of rxe0

func needKernel(t *testing.T) {
	t.Helper()
	if os.Getenv(labEnv) == "" {
		t.Skip("needs the kernel of the lab: make lab")
	}
}

// openKernel opens the umad device of rxe0.
func openKernel(t *testing.T) *Port {
	t.Helper()
	p, err := OpenFile(umad0, abiVersion)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
	// No test may hang: the guest is stopped after minutes only.
	if err := p.SetRecvDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return p
}

// ownAddr is the address of rxe0 itself, by its link-local GID.
func ownAddr(t *testing.T) mad.Addr { return gidAddr(t, 0) }

// gidAddr is the address of rxe0 by one of its GIDs. Packets to it come back.
func gidAddr(t *testing.T, index uint8) mad.Addr {
	t.Helper()
	text, err := os.ReadFile("/sys/class/infiniband/rxe0/ports/1/gids/" + string('0'+rune(index)))
	if err != nil {
		t.Fatal(err)
	}
	gid, err := ib.ParseGID(strings.TrimSpace(string(text)))
	if err != nil || gid.IsZero() {
		t.Fatalf("GID %d of rxe0 is %q: %v", index, text, err)
	}
	return mad.Addr{HasGRH: true, GRH: mad.GRH{GID: gid, GIDIndex: index, HopLimit: 64}}
}

// packet is a request; attribute 0x12 is none that the kernel knows everywhere.
func packet(class mad.Class, method mad.Method, tid uint64) *mad.Packet {
	var m mad.Packet
	m.Init(class, method, 0x12, 0)
	m.SetTID(tid)
	return &m
}

// recv receives one packet or fails.
func recv(t *testing.T, p *Port) (*mad.Packet, mad.Addr) {
	t.Helper()
	var m mad.Packet
	from, err := p.Recv(&m)
	if err != nil {
		t.Fatal(err)
	}
	return &m, from
}

// command runs a program of the guest.
func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
