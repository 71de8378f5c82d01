// Package ibnetdiscover reads and writes the text of ibnetdiscover: topology,
// ports report and node lists, and the differences of two fabrics.
//
// What is written is what Debian's ibnetdiscover (infiniband-diags 44.0) prints,
// byte for byte, with these exceptions:
//
//   - XDR links are named; C 44 does not know the speed and looks at too few of
//     its fields. Codes without a name are "???" and "??", as in C.
//   - A header has no date when none is known, and no "Initiated from" line for
//     a fabric that no sweep gathered.
//   - Chassis positions are untrusted text and are cleaned like descriptions.
//     Names from a name map lose what a terminal could act on.
//   - In a grouped listing, routers of a chassis stand among its CAs; C leaves
//     them out. Router modules in a slot get the block of their node type; C
//     prints switch blocks for them. A module whose description tells an
//     impossible slot stands among the switches of its chassis; C leaves it out.
//   - Chassis numbers and node counts do not wrap at 256, and wiring that cannot
//     be is a problem of the fabric (fabric.BadChassis) instead of an error that
//     ends C with no output.
//   - Diff does not print ports that have no peer; C dies of them.
//
// Left as in C by default, because scripts compare it: Diff sees a moved cable
// only when it leads to another switch or CA; DiffOptions.MovedCables changes
// that.
package ibnetdiscover
