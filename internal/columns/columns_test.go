package columns

import "testing"

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"leaf01", 6, "leaf01"},
		{"node0001 mlx5_0", 9, "node0…5_0"},
		{"node0001 mlx5_0", 2, "n…"},
		{"日本語のスイッチ", 8, "日本…チ"},
	} {
		got := Cut(tt.text, tt.width)
		if got != tt.want || Width(got) > tt.width {
			t.Errorf("Cut(%q, %d) = %q, %d wide; want %q", tt.text, tt.width, got, Width(got), tt.want)
		}
	}
}

func TestPad(t *testing.T) {
	if got := Pad("日本", 6, true) + "|" + Pad("ab", 3, false) + "|" + Pad("abc", 2, false); got != "  日本|ab |abc" {
		t.Errorf("padded: %q", got)
	}
}
