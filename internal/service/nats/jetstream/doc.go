// Package jetstream stores messages, keys and objects on a server of NATS: streams, and
// buckets in them as ADR-8 and ADR-20 of nats-io/nats-architecture-and-design lay them
// out, so that all clients of NATS read what this one writes, and the other way round.
//
// Nothing here has a time limit of its own: a context without an end waits for a server
// that does not answer until the connection is lost.
package jetstream
