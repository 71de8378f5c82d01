// Package cache reads and writes the binary cache files of libibnetdisc, which
// ibnetdiscover and iblinkinfo take with --cache, --load-cache and --diff.
//
// Files go both ways between this package and the C tools, and what Write makes
// of a swept fabric is what C writes of it, byte for byte, down to the order of
// the port records. What Read got comes out of Write as it was. Exceptions, all
// where C loses something or cannot read its own file:
//
//   - A port that is known by a link only, because its PortInfo could not be
//     read, is written with a zero PortInfo. C names it in its node's list of
//     ports but writes no record, and older versions then refuse the file. A
//     zero PortInfo is read as "not known".
//   - C blanks the unprintable bytes of a CA's description when it has printed
//     the CA before it writes the file; here descriptions are left alone.
//   - C's list of ports wraps to empty for a switch with 255 ports; Write gives
//     ErrTooManyPorts.
//
// A cache file holds no directed routes, no ExtendedPortInfo (links at FDR10
// come back as QDR), no count of requests and no problems. Chassis are worked
// out again from the nodes. Where the sweep started is known by node only; the
// port is taken from that node's NodeInfo.
package cache
