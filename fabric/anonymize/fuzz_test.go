package anonymize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// FuzzDescription: a name is nowhere in what takes its place, and that has a name.
func FuzzDescription(f *testing.F) {
	for _, text := range []string{
		"node-001 mlx5_0", "MF0;leaf01:MQM8700/U1", "MF0;a:b:c/d", "Voltaire 4036 # 4036-8C5C", "MT4119 ConnectX5   Mellanox Technologies",
		"a\x00b", "\xff\x1b[31m 12", "HCA-1", " mlx5_1 ", "MF0;",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := fabric.NewBuilder()
		n := b.AddNode(&[mad.DataSize]byte{2: byte(ib.NodeCA), 3: 1, 19: 1})
		var desc [mad.DataSize]byte
		copy(desc[:], text)
		b.SetDescription(n, &desc)
		model := b.Build()
		for _, hide := range []bool{false, true} {
			m := New(nil, &Options{HideVendors: hide}, model)
			was := n.Description()
			s := shapeOf(was, hide)
			got := m.Description(was)
			if len(s.name) > len("host-1") && strings.Contains(got, s.name) && !strings.Contains(s.before+s.after, s.name) {
				t.Errorf("%q becomes %q", was, got)
			}
			if s.name != "" && !utf8.ValidString(got) {
				t.Errorf("%q becomes %q", was, got)
			}
			again := shapeOf(got, hide)
			if s.name != "" && again.name == "" && s.before != "MF0;" {
				t.Errorf("%q becomes %q, which has no name", was, got)
			}
		}
	})
}
