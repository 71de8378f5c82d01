// Package congestion reads and changes the congestion control of switches and
// adapters (IBA vol. 1, annex A10): what spreads over several blocks is one table
// here, and of a block one entry can be changed.
//
// The errors are those of madrpc.Client.Do, and *Error for a port or an entry
// that is not there.
package congestion
