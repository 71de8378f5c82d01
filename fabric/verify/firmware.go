package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
)

// FirmwareRule wants a version of firmware of all nodes, of those in a group, or of
// devices of one kind.
type FirmwareRule struct {
	Of      *Group // nil: not by a group
	Device  string // the board (PSID), or the model, as "connectx-7" or "quantum-2"; "" for any
	Version string // numbers with dots between them; see IsVersion
	AtLeast bool   // a newer one will do
}

// maxUntold bounds the nodes that a problem names.
const maxUntold = 8

// WantsFirmware reports whether a plan has a rule about firmware, for which the nodes of
// the fabric need theirs.
func (p *Plan) WantsFirmware() bool {
	for i := range p.Rules {
		if p.Rules[i].Firmware != nil {
			return true
		}
	}
	return false
}

// checkFirmware tells of each node that runs another firmware. Nodes whose firmware is
// not known are a problem.
func (c *checker) checkFirmware(r *Rule) {
	w := r.Firmware
	var untold []string
	any := false
	for n := range c.f.Nodes() {
		if isAggregation(n) || w.Of != nil && !c.isIn(n, w.Of) || w.Device != "" && !isDevice(n, w.Device) {
			continue
		}
		any = true
		is, known := n.Firmware()
		if !known {
			untold = append(untold, c.name(n))
			continue
		}
		order := compareVersions(is.Version, w.Version)
		if order == 0 || order > 0 && w.AtLeast {
			continue
		}
		what := fmt.Sprintf("%s runs firmware %s, expected is %s.", c.device(n, is.PSID), is.Version, w.Version)
		if w.AtLeast {
			what = fmt.Sprintf("%s runs firmware %s, which is older than %s.", c.device(n, is.PSID), is.Version, w.Version)
		}
		c.brokenBy(r, Finding{Node: n, What: what, Do: []string{"Burn firmware " + w.Version + " into it, and start it again."}})
	}
	switch {
	case !any:
		c.noteRule(r, "no node is one of these: name a group, a role, a model or a board")
	case len(untold) > 0:
		c.noteRule(r, untoldText(untold))
	}
}

func untoldText(names []string) string {
	list := strings.Join(names[:min(len(names), maxUntold)], ", ")
	if len(names) > maxUntold {
		list += ", …"
	}
	if len(names) == 1 {
		return "the firmware of " + list + " is not known"
	}
	return fmt.Sprintf("the firmware of %d nodes is not known: %s", len(names), list)
}

func (c *checker) noteRule(r *Rule, detail string) {
	c.report.Problems = append(c.report.Problems, &Error{Where: r.Where, Op: r.Text, Detail: detail})
}

// device names a node with what it is.
func (c *checker) device(n *fabric.Node, psid string) string {
	info := n.Info()
	var about []string
	if m := model.Name(info.VendorID, info.DeviceID); m != "" {
		about = append(about, m)
	}
	if psid != "" {
		about = append(about, "board "+psid)
	}
	if about == nil {
		return c.name(n)
	}
	return c.name(n) + " (" + strings.Join(about, ", ") + ")"
}

// isDevice reports whether a node is what a rule names: by its board, or by its model,
// with or without the word switch. Capitals and what is no letter or digit do not matter.
func isDevice(n *fabric.Node, name string) bool {
	info := n.Info()
	is, _ := n.Firmware()
	if is.PSID != "" && strings.EqualFold(is.PSID, name) {
		return true
	}
	m, want := model.Name(info.VendorID, info.DeviceID), plain(name)
	return want != "" && (plain(m) == want || plain(strings.TrimSuffix(m, " switch")) == want)
}

// plain is a text in small letters and digits.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// IsVersion reports whether a text is a version of firmware: two to four numbers with
// dots between them.
func IsVersion(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 32); err != nil {
			return false
		}
	}
	return len(parts) >= 2 && len(parts) <= 4
}

// compareVersions is less than 0 where a is older than b. What is no number counts as 0,
// for devices may tell anything; numbers that b does not have do not count.
func compareVersions(a, b string) int {
	is, want := strings.Split(a, "."), strings.Split(b, ".")
	for i := range want {
		have := uint64(0)
		if i < len(is) {
			have, _ = strconv.ParseUint(is[i], 10, 32)
		}
		if w, _ := strconv.ParseUint(want[i], 10, 32); have != w {
			if have < w {
				return -1
			}
			return 1
		}
	}
	return 0
}
