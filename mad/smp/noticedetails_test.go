package smp_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestNoticeDetails(t *testing.T) {
	gid := ib.GIDFrom(0xf8c0000000000001, 0x1111222233334444)
	for _, tt := range []struct {
		name string
		set  func(*smp.Notice)
		want string // with blanks between the fields, without zeros at the end
	}{
		{"129", func(n *smp.Notice) { n.SetLink(0x102, 3) }, "0000 0102 03"},
		{"144", func(n *smp.Notice) { n.SetLocalChanges(0x102, 0x12345678, smp.ChangedLinkSpeedEnabled) }, "0000 0102 00 01 12345678 0004"},
		{"144 mask only", func(n *smp.Notice) { n.SetLocalChanges(0x102, 0x12345678, 0) }, "0000 0102 00 00 12345678"},
		{"145", func(n *smp.Notice) { n.SetSystemImageGUID(0x102, 0x1234567812345678) }, "0000 0102 0000 1234567812345678"},
		{
			"256", func(n *smp.Notice) {
				n.SetBadMKey(&smp.BadMKey{LID: 1, DrSLID: 0xffff, Method: 1, AttrID: 0x15, Modifier: 0x12, MKey: 0x99})
			},
			"0000 0001 ffff 01 00 0015 00000012 0000000000000099",
		},
		{
			"256 directed", func(n *smp.Notice) { n.SetBadMKey(&smp.BadMKey{LID: 1, Directed: true, Return: []byte{5, 6}}) },
			"0000 0001 0000 00 00 0000 00000000 0000000000000000 00 82 05 06",
		},
		{
			"256 far", func(n *smp.Notice) { n.SetBadMKey(&smp.BadMKey{Directed: true, Return: bytes.Repeat([]byte{7}, 40)}) },
			"0000 0000 0000 00 00 0000 00000000 0000000000000000 00 de " + strings.Repeat("07", 30),
		},
		{
			"257", func(n *smp.Notice) {
				n.SetBadKey(&smp.BadKey{LID1: 1, LID2: 2, Key: 0x12345678, SL: 3, QP1: 0x010101, QP2: 0x020202, GID1: gid})
			},
			"0000 0001 0002 12345678 30010101 00020202 f8c00000000000011111222233334444",
		},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(tt.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		n := smp.Notice{Details: [54]byte{53: 0xff}}
		tt.set(&n)
		if got := n.Details[:]; !bytes.Equal(got[:len(want)], want) || len(bytes.Trim(got[len(want):], "\x00")) > 0 {
			t.Errorf("%s: % x, want % x", tt.name, got, want)
		}
	}
	n := smp.Notice{IsGeneric: true, TrapNumber: smp.TrapLocalLinkIntegrity}
	n.SetLink(7, 9)
	if lid, port, ok := n.Link(); lid != 7 || port != 9 || !ok {
		t.Errorf("Link: %d, %d, %v", lid, port, ok)
	}
}
