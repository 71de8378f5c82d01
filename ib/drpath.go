package ib

import (
	"bytes"
	"strconv"
	"strings"
)

// MaxHops is the longest directed route: the path arrays of an SMP have 64
// entries of which entry 0 is not used (IBA vol. 1, 14.2.2).
const MaxHops = 63

// DRPath is a directed route: the output port of each hop, the first one
// being the port of the local node. The zero DRPath has no hops and addresses
// the local node. Paths are comparable with ==.
type DRPath struct {
	n    uint8
	hops [MaxHops]byte
}

// NewDRPath makes the route that leaves through the given ports in turn.
// More than MaxHops ports, or a number outside 0…255, is a ParseError.
func NewDRPath(ports ...int) (DRPath, error) {
	var p DRPath
	if len(ports) > MaxHops {
		return p, &ParseError{Kind: "directed route (63 hops at most)", Text: strconv.Itoa(len(ports)) + " hops"}
	}
	for _, port := range ports {
		if port < 0 || port > 255 {
			return DRPath{}, &ParseError{Kind: "port number of a directed route", Text: strconv.Itoa(port)}
		}
		p.hops[p.n] = byte(port)
		p.n++
	}
	return p, nil
}

// ParseDRPath reads the form "0,1,2": a leading 0 for the local node, then
// the output port of each hop. "0" or "" is the local node.
func ParseDRPath(s string) (DRPath, error) {
	bad := &ParseError{Kind: "directed route (as 0,1,2)", Text: s}
	if s == "" {
		return DRPath{}, nil
	}
	elements := strings.Split(s, ",")
	if elements[0] != "0" {
		return DRPath{}, bad
	}
	ports := make([]int, 0, len(elements)-1)
	for _, e := range elements[1:] {
		v, err := strconv.ParseUint(e, 10, 8)
		if err != nil {
			return DRPath{}, bad
		}
		ports = append(ports, int(v))
	}
	return NewDRPath(ports...)
}

// Len is the number of hops, 0…MaxHops.
func (p DRPath) Len() int { return int(p.n) }

// Hop is the output port of hop i, 0 ≤ i < Len. Hop 0 leaves the local node.
func (p DRPath) Hop(i int) int { return int(p.hops[:p.n][i]) }

// Last is the output port of the last hop, 0 when there is none.
func (p DRPath) Last() int {
	if p.n == 0 {
		return 0
	}
	return int(p.hops[p.n-1])
}

// Append is p prolonged by one hop through port. It reports false, and gives
// p back, when p already has MaxHops hops.
func (p DRPath) Append(port uint8) (DRPath, bool) {
	if p.n >= MaxHops {
		return p, false
	}
	p.hops[p.n] = port
	p.n++
	return p, true
}

// Parent is p without its last hop; the empty path is its own parent.
func (p DRPath) Parent() DRPath {
	if p.n > 0 {
		p.n--
		p.hops[p.n] = 0 // so that equal paths stay equal with ==
	}
	return p
}

// Compare orders paths by length, then hop by hop.
func (p DRPath) Compare(q DRPath) int {
	if p.n != q.n {
		return int(p.n) - int(q.n)
	}
	return bytes.Compare(p.hops[:p.n], q.hops[:q.n])
}

// String gives the form "0,1,2".
func (p DRPath) String() string {
	b, _ := p.AppendText(make([]byte, 0, 32))
	return string(b)
}

// AppendText implements encoding.TextAppender with the form of String.
func (p DRPath) AppendText(b []byte) ([]byte, error) {
	b = append(b, '0')
	for _, port := range p.hops[:p.n] {
		b = append(b, ',')
		b = strconv.AppendUint(b, uint64(port), 10)
	}
	return b, nil
}

// MarshalText implements encoding.TextMarshaler.
func (p DRPath) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText implements encoding.TextUnmarshaler; see ParseDRPath.
func (p *DRPath) UnmarshalText(b []byte) error {
	v, err := ParseDRPath(string(b))
	if err != nil {
		return err
	}
	*p = v
	return nil
}

// CopyTo writes the hops into dst[1:], the layout of an SMP's InitialPath
// (entry 0 is not used), and clears the rest.
func (p *DRPath) CopyTo(dst *[64]byte) {
	dst[0] = 0
	copy(dst[1:], p.hops[:])
}
