package event

// Flap is what an event says of a link that flaps: it begins to, for it has gone down
// FlapCount times within FlapWindow, or is done with it, for it has stayed as it is for a
// whole window. In between the link flaps, whether it is up or down: there is no other
// measure of it. A fall that nobody saw (LinkFlap without New) is none.
func (e *Event) Flap() (begins, ends bool) {
	return e.Kind == LinkFlap && e.New == flapping, e.Old == flapping
}

// Falls is how often a link went down by an event. The first times are told one by one,
// then that the link flaps, and at the end of that how often it did.
func (e *Event) Falls() uint64 {
	switch {
	case e.Kind == LinkFlap:
		return max(1, e.Count)
	case e.Old == flapping:
		return e.Count
	case e.Kind == LinkDown:
		return 1
	}
	return 0
}
