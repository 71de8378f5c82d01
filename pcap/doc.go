// Package pcap writes management datagrams into captures that Wireshark decodes,
// and reads such captures.
//
// A capture is a pcapng file: unlike the older format, it says of each packet
// whether it was sent or received, and has room for a comment, which tells of a
// request that was not answered in time or could not be sent. Each MAD stands behind
// the headers that it had, or would have had, on the wire, in a record of the link
// type ERF: that of InfiniBand itself (247) is one that Wireshark 4.0 does not know.
//
// A [Tap] is a transport that writes what passes through it. [Reader] reads
// captures back, those of other programs too, and leaves out what is no MAD.
// [Matcher] finds the request that a reply belongs to, and counts.
package pcap
