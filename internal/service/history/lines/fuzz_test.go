package lines

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/sim/gen"
)

// FuzzScript applies any script, and the script from any lines to any others.
func FuzzScript(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", []byte{0, 1, 1, 1, 'x'})
	f.Add("{\"guid\":\"1\na\n{\"guid\":\"2\nb\n", "{\"guid\":\"2\nb\n{\"guid\":\"1\na\nc\n", []byte{1, 1, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, base, want string, script []byte) {
		from, to := bytes.Split([]byte(base), []byte{'\n'}), bytes.Split([]byte(want), []byte{'\n'})
		if lines, err := Apply(from, script); err == nil && len(lines) > len(script)*(len(from)+1) {
			t.Errorf("%d lines of %d bytes", len(lines), len(script))
		}
		o := &Outline{}
		for _, line := range from {
			o.Add(line)
		}
		s := NewScripter(o)
		for _, line := range to {
			s.Add(line)
		}
		got, err := Apply(from, s.Finish())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(bytes.Join(to, []byte{'\n'})), string(bytes.Join(got, []byte{'\n'}))); d != "" {
			t.Error(d)
		}
	})
}

// FuzzFabric reads any lines as a fabric.
func FuzzFabric(f *testing.F) {
	model, err := gen.Parse("star?hosts=2")
	if err != nil {
		f.Fatal(err)
	}
	var lines []string
	if err := Each(model, func(line []byte) { lines = append(lines, string(line)) }); err != nil {
		f.Fatal(err)
	}
	f.Add(strings.Join(lines, "\n"))
	f.Add("{\"guid\":\"0x1\"\n\"peer\":[\"0x2\",1]\n")
	f.Fuzz(func(t *testing.T, text string) {
		model, err := Fabric(bytes.Split([]byte(text), []byte{'\n'}))
		if err == nil && model == nil {
			t.Error("no fabric and no error")
		}
	})
}
