// Package nats is a client of NATS for requests and their replies: all that the service
// asks of a server. It stays connected for as long as it is open, to one of several
// servers.
//
// It is our own because the official client brings encoding/gob, which Go initialises
// before our drop-in tools begin, at each start of each of them, and more than a
// megabyte of program for what this is not. That client is the oracle of the tests.
//
// What a server sends is bounded in every length, and is never trusted to be well formed.
// The protocol is that of https://docs.nats.io/reference/reference-protocols/nats-protocol,
// the headers are those of ADR-4 of nats-io/nats-architecture-and-design.
package nats
