package testenv

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
)

// The sizes of ibsim's tables without options, the same in 0.10 and 0.12.
const (
	ibsimNodes    = 2048
	ibsimSwitches = 256
	ibsimPorts    = 13312
)

// nodeHeader is the first line of a node in a topology file.
var nodeHeader = regexp.MustCompile(`^(Switch|Hca|Ca|Rt)[^0-9"]*([0-9]+)`)

// ibsimLimits are the options for tables that hold the nodes of a topology
// file; none when the tables that ibsim has anyway are large enough. Included
// files are not counted: they need IbsimArgs if they are large.
func ibsimLimits(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var nodes, switches, ports int
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := nodeHeader.FindSubmatch(lines.Bytes())
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(string(m[2]))
		if err != nil || n > 255 {
			return nil, fmt.Errorf("%s: node with %s ports", file, m[2])
		}
		nodes++
		ports += n + 1
		if string(m[1]) == "Switch" {
			switches++
		}
	}
	return limitArgs(nodes, switches, ports), lines.Err()
}

// limitArgs leaves some room above the counts.
func limitArgs(nodes, switches, ports int) []string {
	var args []string
	add := func(option string, need, have int) {
		if need += 16; need > have {
			args = append(args, option, strconv.Itoa(need))
		}
	}
	add("-N", nodes, ibsimNodes)
	add("-S", switches, ibsimSwitches)
	add("-P", ports, ibsimPorts)
	return args
}
