// Package ibsimnet reads and writes the topology files of ibsim, the InfiniBand simulator
// of the C tools: what its own hand-written examples look like, and what
// ibnetdiscover prints, as ibsim understands it.
//
// The fabric is the one that ibsim 0.10 shows to a subnet management client
// right after its start, before a subnet manager has set anything: GUIDs follow
// ibsim's rules whatever the ids say, links are in the state Initialize at the
// best rate that both ends allow, all other ports are down. Two things go
// beyond it: NDR, which ibsim knows since 0.12, and XDR, which it does not know.
//
// Ibsim gives up at the first error. Here an error is a problem of the fabric
// (fabric.BadInput, with file and line), and the most sensible reading is used:
// a header right behind port lines counts although ibsim would not see it, and
// a link that only one end names is a link.
package ibsimnet
