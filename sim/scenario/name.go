package scenario

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// name is what a command calls a node, or a port of one.
type name struct {
	word
	how  choice
	node string      // a pattern, or a GUID; "" for nodes of any name
	guid ib.GUID     // 0 if node is no GUID
	typ  ib.NodeType // 0 for all
	port int         // a number, or one of those below
	free bool        // its patterns mean ports without a cable too
}

// choice is how many of the nodes that fit are meant.
type choice uint8

const (
	eachThatFits choice = iota
	oneAtRandom
)

// Values of name.port that are no number.
const (
	noPort     = -1 // the node as a whole
	allPorts   = -2 // those with a cable
	randomPort = -3 // one of these
	everyPort  = -4 // with and without a cable
)

// What names are, in words.
const (
	aNode  = "a node: a description or a pattern, a GUID, random, random:switch or all:ca"
	aPort  = "NODE/PORT, the port a number, * or random"
	aPlace = "NODE or NODE/PORT"
)

// node reads the name of a node.
func (w *words) node() *name {
	at := w.next(aNode)
	return w.name(at, at.text, noPort, aNode)
}

// port reads the name of a port. A node that is chosen at random may do without
// the number.
func (w *words) port() *name {
	at := w.next(aPort)
	node, port, ok := cutPort(at.text)
	if !ok && isRandom(at.text) {
		node, port, ok = at.text, randomPort, true
	}
	if !ok && at.text != "" {
		w.fail(at, expected(at.text, aPort))
	}
	return w.name(at, node, port, aPort)
}

// place reads the name of a node or a port.
func (w *words) place() *name {
	at := w.next(aPlace)
	if node, port, ok := cutPort(at.text); ok {
		return w.name(at, node, port, aPlace)
	}
	return w.name(at, at.text, noPort, aPlace)
}

func isRandom(s string) bool { return s == "random" || strings.HasPrefix(s, "random:") }

// cutPort splits NODE/PORT. Descriptions may have slashes of their own.
func cutPort(s string) (node string, port int, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i <= 0 {
		return s, noPort, false
	}
	switch text := s[i+1:]; text {
	case "*":
		return s[:i], allPorts, true
	case "random":
		return s[:i], randomPort, true
	default:
		n, err := strconv.ParseUint(text, 10, 8)
		return s[:i], int(n), err == nil
	}
}

func (w *words) name(at word, node string, port int, what string) *name {
	n := &name{word: at, port: port}
	rest, random := strings.CutPrefix(node, "random")
	all, isAll := strings.CutPrefix(node, "all:")
	switch {
	case random && rest == "":
		n.how = oneAtRandom
	case random && rest[0] == ':':
		n.how = oneAtRandom
		n.group(rest[1:])
	case isAll:
		n.group(all)
	default:
		n.pattern(node)
	}
	if n.node == "" && n.how == eachThatFits && n.typ == 0 && w.err == nil {
		w.fail(at, expected(at.text, what))
	}
	w.names = append(w.names, n)
	return n
}

// group is a type of nodes, or a pattern.
func (n *name) group(s string) {
	switch s {
	case "switch":
		n.typ = ib.NodeSwitch
	case "ca":
		n.typ = ib.NodeCA
	case "router":
		n.typ = ib.NodeRouter
	default:
		n.pattern(s)
	}
}

func (n *name) pattern(s string) {
	n.node = s
	if strings.HasPrefix(s, "0x") {
		n.guid, _ = parseGUID(s)
	}
}

// isExact reports whether the name means one node or port, whatever state that
// is in.
func (n *name) isExact() bool {
	return n.how == eachThatFits && n.typ == 0 && !strings.ContainsAny(n.node, "*?") && n.port >= noPort
}

// fits reports whether the name means a node.
func (n *name) fits(s *sim.Fabric, node *fabric.Node) bool {
	if n.typ != 0 && node.Type() != n.typ {
		return false
	}
	if n.guid != 0 {
		return s.GUID(node) == n.guid
	}
	return n.node == "" || matches(n.node, s.Description(node))
}

// matches compares a pattern with a description: the whole of it, its first
// word, or the NAME in "MF0;NAME:MODEL/U1", as switches with an operating system
// of their own have it.
func matches(pattern, description string) bool {
	if glob(pattern, description) {
		return true
	}
	if _, rest, ok := strings.Cut(description, ";"); ok {
		host, _, _ := strings.Cut(rest, ":")
		return glob(pattern, host)
	}
	host, _, several := strings.Cut(description, " ")
	return several && glob(pattern, host)
}

// glob matches text with a pattern in which * stands for any text and ? for one
// byte.
func glob(pattern, text string) bool {
	p, t, star, from := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
