package slurm_test

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// conf is topology.conf as a strict reader of topology.conf(5) understands it.
type conf struct {
	nodes    map[string][]string // of switches or blocks
	switches map[string][]string
	sizes    []int
}

var (
	confName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	element  = regexp.MustCompile(`^([A-Za-z0-9._-]*[A-Za-z._-])?(?:\[([0-9,-]+)\]|([0-9]*))$`)
	oneRange = regexp.MustCompile(`^([0-9]+)(?:-([0-9]+))?$`)
)

// readConf reads what WriteConf wrote: it takes what the manual page says, and no
// more. Each switch has nodes or switches, which are known by then; each node and
// each switch is below one switch.
func readConf(text string) (*conf, error) {
	c := &conf{nodes: map[string][]string{}, switches: map[string][]string{}}
	below, fold := map[string]string{}, map[string]bool{}
	scanner := bufio.NewScanner(strings.NewReader(text))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		fields := strings.Split(strings.TrimSpace(line), " ")
		if fields[0] == "" {
			continue
		}
		values := map[string]string{}
		for _, f := range fields {
			key, value, ok := strings.Cut(f, "=")
			if _, twice := values[key]; !ok || value == "" || twice {
				return nil, fmt.Errorf("%q: field %q", line, f)
			}
			values[key] = value
		}
		if sizes, ok := values["BlockSizes"]; ok && len(fields) == 1 {
			for _, n := range strings.Split(sizes, ",") {
				size, err := strconv.Atoi(n)
				if err != nil || size < 1 {
					return nil, fmt.Errorf("%q", line)
				}
				c.sizes = append(c.sizes, size)
			}
			continue
		}
		name := values["SwitchName"] + values["BlockName"]
		if len(fields) != 2 || !confName.MatchString(name) || fold[strings.ToLower(name)] {
			return nil, fmt.Errorf("%q: name %q", line, name)
		}
		fold[strings.ToLower(name)] = true
		kind, members, known := "node ", c.nodes, false
		list, ok := values["Nodes"]
		if !ok {
			list, kind, members, known = values["Switches"], "switch ", c.switches, true
		}
		names, err := readList(list)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		for _, n := range names {
			if known && c.nodes[n] == nil && c.switches[n] == nil {
				return nil, fmt.Errorf("%q: no switch %s so far", line, n)
			}
			if parent, twice := below[kind+n]; twice {
				return nil, fmt.Errorf("%q: %s%s is below %s, too", line, kind, n, parent)
			}
			below[kind+n] = name
		}
		members[name] = names
	}
	return c, scanner.Err()
}

// readList reads a hostlist expression with at most one bracket, at the end of a
// name, whose ranges ascend.
func readList(list string) (names []string, err error) {
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		if i == len(list) || list[i] == ',' && depth == 0 {
			more, err := readElement(list[start:i])
			if err != nil {
				return nil, err
			}
			names = append(names, more...)
			start = i + 1
			continue
		}
		switch list[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	return names, nil
}

func readElement(text string) (names []string, err error) {
	m := element.FindStringSubmatch(text)
	if text == "" || m == nil {
		return nil, fmt.Errorf("element %q", text)
	}
	if m[2] == "" {
		return []string{text}, nil
	}
	last := -1
	for _, r := range strings.Split(m[2], ",") {
		p := oneRange.FindStringSubmatch(r)
		if p == nil {
			return nil, fmt.Errorf("range %q", r)
		}
		low, _ := strconv.Atoi(p[1])
		high := low
		if p[2] != "" {
			high, _ = strconv.Atoi(p[2])
			if high <= low || len(p[2]) < len(p[1]) {
				return nil, fmt.Errorf("range %q", r)
			}
		}
		if low < last {
			return nil, fmt.Errorf("ranges of %q do not ascend", text)
		}
		for last = low; last <= high; last++ {
			names = append(names, fmt.Sprintf("%s%0*d", m[1], len(p[1]), last))
		}
		last--
	}
	return names, nil
}
