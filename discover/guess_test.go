package discover

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// switches makes switches without anything known but their number of ports.
func switches(t *testing.T, count, ports int) []*node {
	t.Helper()
	b := fabric.NewBuilder()
	var all []*node
	for range count {
		var raw [mad.DataSize]byte
		info := smp.NodeInfo{BaseVersion: 1, NodeType: 2, NumPorts: uint8(ports)}
		info.Encode(&raw)
		all = append(all, &node{
			Node: b.AddNode(&raw), cables: make([]cable, ports+1), rows: make([]*node, ports+1), ports: make([]portFlags, ports+1),
		})
	}
	return all
}

func link(a *node, port int, b *node, far int) {
	a.noteCable(port, b)
	b.noteCable(far, a)
}

// TestGuess: in a tree where port n of the upper switches leads to the nth lower one, a
// cable to one lower switch tells who is behind the next port.
func TestGuess(t *testing.T) {
	all := switches(t, 4, 36)
	up1, up2, low1, low2 := all[0], all[1], all[2], all[3]
	link(up1, 1, low1, 19)
	link(up1, 2, low2, 19)
	if far := up2.guess(2); far != nil {
		t.Errorf("guessed %v of a switch without a cable", far)
	}
	link(up2, 1, low1, 20)
	if far := up2.guess(2); far != low2 {
		t.Errorf("guessed %v", far)
	}
	if far := up2.guess(3); far != nil {
		t.Errorf("guessed %v, whom nobody knows", far)
	}
	if far := up2.guess(1 + nearby + 1); far != nil {
		t.Errorf("guessed %v far away from all cables", far)
	}
	up1.noteCable(2, nil)
	if far := up2.guess(2); far != nil {
		t.Errorf("guessed %v by a link that was taken back", far)
	}
}

// TestQuestionsInOrder: ports that may lead to somebody new come first, then those that
// a guess speaks against, then those that are known; and each is asked once.
func TestQuestionsInOrder(t *testing.T) {
	all := switches(t, 4, 36)
	up1, up2, low1, low2 := all[0], all[1], all[2], all[3]
	link(up1, 1, low1, 19)
	link(up1, 2, low2, 19)
	link(up2, 1, low1, 20)
	up2.questions.reserve(5)
	for _, port := range []uint8{1, 2, 3} {
		up2.questions.add(step{askPortInfo, port})
	}
	up2.questions.add(step{kind: askDescription})
	want := []step{{askPortInfo, 3}, {kind: askDescription}, {askPortInfo, 2}, {askPortInfo, 1}}
	for i, w := range want {
		if got := up2.questions.next(up2); got != w {
			t.Errorf("question %d is %v", i, got)
		}
	}
	if n := up2.questions.count(); n != 0 {
		t.Errorf("%d are left", n)
	}
}

// TestProbesWait: who has less left to tell leaves the probe to the other end.
func TestProbesWait(t *testing.T) {
	all := switches(t, 4, 36)
	up1, up2, low1, low2 := all[0], all[1], all[2], all[3]
	link(up1, 1, low1, 19)
	link(up1, 2, low2, 19)
	link(up2, 1, low1, 20)
	s := &sweep{}
	up2.questions.add(step{askPortInfo, 5})
	low2.questions.add(step{askPortInfo, 5})
	if s.isBehindAnother(up2, 2) {
		t.Error("waits for one that has as much left")
	}
	low2.questions.add(step{askPortInfo, 6})
	if !s.isBehindAnother(up2, 2) {
		t.Error("does not wait for one that has more left")
	}
	up2.late = []uint8{2}
	s.probes.holdLate(up2)
	if len(up2.late) != 1 {
		t.Error("is held though questions are left")
	}
	up2.questions.take()
	s.probes.holdLate(up2)
	if len(up2.late) != 0 || len(up2.probes) != 1 || len(s.probes.ready) != 1 {
		t.Errorf("late %v, held %v", up2.late, up2.probes)
	}
}
