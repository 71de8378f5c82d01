package oracle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sidedLine is a line of C ('-'), of ours ('+') or of both (' ').
type sidedLine struct {
	side byte
	text string
}

// lineDifference compares two texts line by line: the longest common subsequence.
func lineDifference(theirs, ours string) []sidedLine {
	if theirs == ours {
		return nil
	}
	a, b := strings.Split(theirs, "\n"), strings.Split(ours, "\n")
	common := make([][]int32, len(a)+1) // of what begins at line i and j
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []sidedLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, sidedLine{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, sidedLine{'-', a[i]})
			i++
		default:
			lines = append(lines, sidedLine{'+', b[j]})
			j++
		}
	}
	return lines
}

func TestLineDifference(t *testing.T) {
	got := lineDifference("a\nb\nc\n", "b\nx\nc")
	want := []sidedLine{{'-', "a"}, {' ', "b"}, {'+', "x"}, {' ', "c"}, {'-', ""}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sidedLine{})); diff != "" {
		t.Error(diff)
	}
	if got := lineDifference("a\n", "a\n"); got != nil {
		t.Errorf("the same text: %v", got)
	}
}
