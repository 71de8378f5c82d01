package names

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
)

// Book is how the nodes of a fabric are called. All of it is untrusted text.
type Book struct {
	names ibnetdiscover.Namer
	short func(*fabric.Node) string
}

// In makes the book of a fabric. The map may be nil.
func In(f *fabric.Fabric, m ibnetdiscover.Namer) *Book {
	return &Book{names: m, short: verify.Names(f, Of(m))}
}

// Full is the name for programs: that in the map, else the description, "" for
// neither.
func (b *Book) Full(n *fabric.Node) string { return Label(b.names, n) }

// Short is the name for people: of a managed switch ("MF0;leaf01:MQM8700/U1") only
// its own ("leaf01"), and one that several nodes have comes with the GUID.
func (b *Book) Short(n *fabric.Node) string { return b.short(n) }

// All are the names that a pattern may mean.
func (b *Book) All(n *fabric.Node) []string { return []string{b.Full(n), b.Short(n)} }
