package model

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

func TestPortLabel(t *testing.T) {
	for _, test := range []struct {
		device     uint16
		ports, num int
		whole      bool
		want       string
	}{
		{0xd2f2, 65, 1, false, "1/1/1"},
		{0xd2f2, 65, 64, false, "1/32/2"},
		{0xd2f2, 65, 65, false, "65"}, // the aggregation node
		{0xd2f2, 129, 1, false, "1/1/1/1"},
		{0xd2f2, 129, 2, false, "1/1/1/2"},
		{0xd2f2, 129, 3, false, "1/1/2/1"},
		{0xd2f2, 129, 128, false, "1/32/2/2"},
		{0xd2f2, 129, 127, true, "1/32/2"},
		{0xd2f0, 41, 17, false, "17"},
		{0xd2f0, 81, 33, false, "17/1"},
		{0xd2f0, 81, 34, false, "17/2"},
		{0xd2f0, 81, 33, true, "17"},
		{0xd2f0, 81, 81, false, "81"},
		{0xcb20, 36, 36, false, "36"},
		{0xd2f2, 65, 0, false, "0"},
		{0xd2f2, 65, 300, false, "300"},
	} {
		if got := PortLabel(mellanox, test.device, test.ports, test.num, test.whole); got != test.want {
			t.Errorf("PortLabel(%#x, %d ports, %d, %v) = %q, want %q", test.device, test.ports, test.num, test.whole, got, test.want)
		}
	}
	if got := PortLabel(0x8f1, 0xd2f2, 65, 9, false); got != "9" {
		t.Errorf("a box of another vendor: %q", got)
	}
}

// TestPortLabelLikeIbdiagnet compares the labels of a real fabric with those that
// ibdiagnet wrote.
func TestPortLabelLikeIbdiagnet(t *testing.T) {
	file, err := os.Open(filepath.Join(testenv.Corpus(t), "topo", "gm-infiniband-default-ibdiagnet2.ibnetdiscover.txt"))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	port := regexp.MustCompile(`^\[(\d+)\]\((\d+/[\d/]+)\)`)
	head := regexp.MustCompile(`^Switch\s+(\d+)`)
	ports, compared := 0, 0
	for s := bufio.NewScanner(file); s.Scan(); {
		if m := head.FindStringSubmatch(s.Text()); m != nil {
			ports, _ = strconv.Atoi(m[1])
		}
		if m := port.FindStringSubmatch(s.Text()); m != nil && strings.Contains(m[2], "/") {
			num, _ := strconv.Atoi(m[1])
			compared++
			if got := PortLabel(mellanox, quantum2, ports, num, false); got != m[2] {
				t.Errorf("port %d of %d: %q, ibdiagnet has %q", num, ports, got, m[2])
			}
		}
	}
	if compared < 250 {
		t.Errorf("only %d labels compared", compared)
	}
}
