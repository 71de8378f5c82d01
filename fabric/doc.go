// Package fabric is the model of an InfiniBand fabric: nodes, their ports, the
// links between them, chassis, and the problems met while it was gathered.
//
// A Fabric is immutable and safe for concurrent use. It is made by a Builder,
// from a sweep (package discover), a file (packages below format) or a
// generator (packages below sim), and every report works on it alike.
//
// Damaged and odd fabrics are normal here: duplicate GUIDs, self links, parallel
// links, ports whose two ends disagree, nodes that never told their name are all
// represented, and listed by Problems where they are faults.
package fabric
