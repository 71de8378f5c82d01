package verify_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/ib"
)

// TestFirmware: rules about firmware by group, model and board, exact or not, and what is
// not known.
func TestFirmware(t *testing.T) {
	model := make1(t, "fattree?levels=2&radix=8&hosts=12&hcas=1")
	name := verify.Names(model, nil)
	f := model.Copy(func(b *fabric.Builder, n *fabric.Node) {
		switch {
		case n.Type() == ib.NodeSwitch:
			b.SetFirmware(n, fabric.Firmware{Version: "27.2012.1010", PSID: "MT_0000000063"})
		case name(n) == "node0005 mlx5_0" || name(n) == "node0005":
			b.SetFirmware(n, fabric.Firmware{Version: "20.9.1000", PSID: "MT_0000000223"})
		case name(n) != "node0006 mlx5_0" && name(n) != "node0006":
			b.SetFirmware(n, fabric.Firmware{Version: "20.41.1000", PSID: "MT_0000000224"})
		}
	})
	hosts := &verify.Group{Name: "host"}
	some := &verify.Group{Name: "host", Patterns: []string{"node000[1-5]*"}}
	for i, tt := range []struct {
		rule     verify.FirmwareRule
		findings int
		want     string
	}{
		{verify.FirmwareRule{Of: &verify.Group{Name: "switch"}, Version: "27.2012.1010"}, 0, ""},
		{verify.FirmwareRule{Of: &verify.Group{Name: "switch"}, Version: "27.2012"}, 0, ""},
		{verify.FirmwareRule{Device: "quantum", Version: "27.2012.1010", AtLeast: true}, 0, ""},
		{verify.FirmwareRule{Device: "quantum-2", Version: "27.2012.1010"}, 0, "no node is one of these"},
		{verify.FirmwareRule{Device: "mt_0000000063", Version: "27.2010.1"}, 5, "(Quantum switch, board MT_0000000063) runs firmware 27.2012.1010, expected is 27.2010.1."},
		{verify.FirmwareRule{Of: some, Version: "20.41.1000", AtLeast: true}, 1, "runs firmware 20.9.1000, which is older than 20.41.1000."},
		{verify.FirmwareRule{Of: hosts, Version: "20.9", AtLeast: true}, 0, "the firmware of node0006"},
		{verify.FirmwareRule{Device: "MT_0000000223", Version: "20.10", AtLeast: true}, 1, "Burn firmware 20.10 into it"},
	} {
		r := verify.Check(f, &verify.Plan{Rules: []verify.Rule{{Text: "a rule", Firmware: &tt.rule}}}, nil)
		text := whole(r)
		if len(r.Findings) != tt.findings || (r.Kept == 1) != (tt.want == "") || !strings.Contains(text, tt.want) {
			t.Errorf("rule %d: %d findings, kept %d\n%s", i, len(r.Findings), r.Kept, text)
		}
		for _, found := range r.Findings {
			if found.Node == nil || found.Kind != verify.BrokenRule || found.Rule == nil {
				t.Errorf("rule %d: %+v", i, found)
			}
		}
	}
}
