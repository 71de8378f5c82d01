// Package discover walks an InfiniBand fabric by directed-route SMPs and
// gathers it into a fabric.Fabric.
//
// The walk is the one of libibnetdisc, with these differences:
//
//   - A lost request costs its own port or node, never the sweep. What could
//     not be read is in the result's Problems.
//   - PortInfo of a switch's ports is asked as soon as NodeInfo has told their
//     number, and does not depend on PortInfo of port 0.
//   - A link that one end has proved is not probed again from its other end,
//     unless the two ends' PortInfo disagree. On fat trees this saves 11 to 15
//     of 100 SMPs.
//   - Distances are not worked through one by one: what is found is followed at once.
//     Switches are asked for their ports in orders that differ, and a node has two
//     probes on their way at most, so that agents' queues stay short. Ports that seem to
//     lead to nobody new are asked last, and of two switches that may be linked the one
//     that has more left to tell asks the other one.
//   - Two nodes with one GUID are told apart and both kept.
//   - The hop limit counts each node's own distance from the start.
//
// The result does not depend on the order of replies: nodes have the order, and
// the paths, that libibnetdisc would have given them with one request in flight.
package discover
