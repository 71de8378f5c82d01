// Package ib holds the value types of InfiniBand management that all other
// packages share: identifiers (GUID, LID, GID, PKey), directed routes, node
// types, port states, link widths and speeds, MTUs.
//
// Every type is a small comparable value with a text form: String for people,
// MarshalText and UnmarshalText (hence JSON) for machines. A code that the
// specification does not define is kept and printed as "unknown (N)"; it is
// never an error to hold one, for new hardware brings new codes.
//
// Names and codes follow the InfiniBand Architecture Specification, volume 1.
package ib
