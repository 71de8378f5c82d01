package discover

import "fmt"

// Bounds of what a sweep believes. A device that tells another GUID each time
// makes the honest nodes behind it look like others with the same GUIDs, whose
// links lead to it again: without bounds the fabric would grow with each hop.
const (
	// maxTwins is the most nodes with one GUID that are told apart.
	maxTwins = 64
	// maxSize is the most ports, port 0 of each node included. The 49151 LIDs of
	// a subnet are enough for half of it.
	maxSize = 1 << 21
	// maxRounds is how often twins are told apart anew.
	maxRounds = 4 * maxTwins
)

// beyondBounds says why an arrival is not taken for a new node, "" if it may be.
func (s *sweep) beyondBounds(a *arrival) string {
	if a.near == nil {
		return ""
	}
	count := 0
	for n := s.byGUID[a.info.NodeGUID]; n != nil; n = n.twin {
		count++
	}
	if count >= maxTwins {
		return fmt.Sprintf("there are %d nodes with this GUID already", maxTwins)
	}
	if s.size+int(a.info.NumPorts)+1 > maxSize {
		return fmt.Sprintf("the nodes found have %d ports already", s.size)
	}
	return ""
}

// notFollowed records an arrival that is beyond the bounds.
func (s *sweep) notFollowed(a *arrival, why string) {
	s.badReply(a, "not taken for one more node: "+why)
}
