package field

import (
	"encoding/json"
	"errors"
	"io"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var sample = Table{
	{C: "Lid", Go: "LID", JSON: "lid", Width: 16, Kind: LID},
	{C: "Hidden", Go: "Hidden", JSON: "hidden", Offset: 16, Width: 8, Format: Hex, Flags: Extra},
	{C: "View", Go: "View", Width: 24, Flags: Alias},
	{C: "Key", Go: "Keys", JSON: "keys", Offset: 24, Width: 16, Count: 3, Stride: 16, Format: Hex, Kind: PKey},
	{C: "On", Go: "On", JSON: "on", Offset: 72, Width: 1, Kind: Bool},
	{C: "Name", Go: "Name", JSON: "name", Offset: 80, Width: 32, Format: Text, Kind: Bytes},
	{C: "Raw", Go: "Raw", JSON: "raw", Offset: 112, Width: 16, Format: Array, Kind: Bytes},
	{C: "Speed", Go: "Speed", JSON: "speed", Offset: 128, Width: 8, Format: ExtSpeedEnabled},
}

var sampleData = []byte{
	0, 5, 0xab, 0xff, 0xff, 0x80, 0x01, 0, 7, 0x80,
	'a', '"', 0x1b, 0, 0xde, 0xad, 30,
}

func TestAppendDump(t *testing.T) {
	const common = "Lid:.............................5\n"
	const rest = "Key0:............................0xffff\n" +
		"Key1:............................0x8001\n" +
		"Key2:............................0x0007\n" +
		"On:..............................1\n" +
		"Name:............................'a\" '\n" +
		"Raw:.............................dead\n" +
		"Speed:...........................Extended link speeds disabled\n"
	if diff := cmp.Diff(common+rest, string(sample.AppendDump(nil, sampleData))); diff != "" {
		t.Errorf("AppendDump (-want +got)\n%s", diff)
	}
	const hidden = "Hidden:..........................0xab\n"
	if diff := cmp.Diff(common+hidden+rest, string(sample.AppendDumpAll(nil, sampleData))); diff != "" {
		t.Errorf("AppendDumpAll (-want +got)\n%s", diff)
	}
}

func TestAppendJSON(t *testing.T) {
	const want = `{"lid":5,"hidden":"0xab","keys":["0xffff","0x8001","0x0007"],"on":true,` +
		`"name":"a\"\u001b","raw":"0xdead","speed":"none"}`
	if diff := cmp.Diff(want, string(sample.AppendJSON(nil, sampleData))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestShortData checks that fields beyond the data are left out, at every
// length, and that nothing reads past the end.
func TestShortData(t *testing.T) {
	for n := range len(sampleData) {
		short := sampleData[:n:n]
		if text := sample.AppendJSON(nil, short); !json.Valid(text) {
			t.Errorf("%d bytes: invalid JSON %s", n, text)
		}
		sample.AppendDumpAll(nil, short)
		for i := range sample {
			f := &sample[i]
			f.AppendJSON(nil, short)
			f.AppendValue(nil, short)
			f.SetUint(short, f.Uint(short))
		}
	}
	if got, want := string(sample.AppendDump(nil, sampleData[:3])), "Lid:.............................5\n"; got != want {
		t.Errorf("dump of 3 bytes = %q, want %q", got, want)
	}
}

func TestByC(t *testing.T) {
	tests := []struct {
		name string
		want uint64
		ok   bool
	}{
		{"Lid", 5, true},
		{"View", 0x5ab, true},
		{"Hidden", 0xab, true},
		{"Key", 0xffff, true},
		{"Key1", 0x8001, true},
		{"Key2", 7, true},
		{"Key3", 0, false},
		{"Key-1", 0, false},
		{"Key+1", 0, false},
		{"Key01", 0, false},
		{"Lid0", 0, false},
		{"lid", 0, false},
		{"", 0, false},
	}
	for _, tt := range tests {
		f, ok := sample.ByC(tt.name)
		if ok != tt.ok || f.Uint(sampleData) != tt.want && ok {
			t.Errorf("ByC(%q) = %#x, %v; want %#x, %v", tt.name, f.Uint(sampleData), ok, tt.want, tt.ok)
		}
	}
}

func TestElementOutOfRange(t *testing.T) {
	f := sample[3]
	for _, i := range []int{-1, 3} {
		if e := f.Element(i); e != (Field{}) || f.UintAt(sampleData, i) != 0 {
			t.Errorf("element %d = %+v", i, e)
		}
	}
	if e := f.Element(2); e.C != "Key2" || e.JSON != "keys2" || e.Offset != 56 {
		t.Errorf("element 2 = %+v", e)
	}
}

// FuzzQuotedJSON checks that any text becomes one valid JSON string that a
// terminal can show, and that valid text survives.
func FuzzQuotedJSON(f *testing.F) {
	for _, s := range []string{"", "a\"b\\c", "\x1b[2J\xff", "é\u202e\U000e0001", "\u2028\x7f\u0085"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out := AppendQuotedJSON(nil, in)
		var got string
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if want := string([]rune(string(in))); got != want {
			t.Errorf("%q became %q", want, got)
		}
		for _, r := range string(AppendPrintable(out, in)) {
			if !unicode.IsPrint(r) {
				t.Errorf("%q is left in the output", r)
			}
		}
	})
}

func TestTooShort(t *testing.T) {
	err := TooShort("NodeInfo", 64, 10)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("not io.ErrUnexpectedEOF")
	}
	if got, want := err.Error(), "decode NodeInfo: 10 bytes of data, but the attribute has 64"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
