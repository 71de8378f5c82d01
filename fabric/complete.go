package fabric

// IsLoss reports whether a problem of kind k means that something of the fabric
// is missing from the graph. The other kinds are findings about what is there.
func (k ProblemKind) IsLoss() bool {
	switch k {
	case NoReply, BadStatus, BadReply, TooFar, NotFinished, BadInput:
		return true
	}
	return false
}

// IsComplete reports whether nothing was lost while f was gathered: no problem
// is of a kind that IsLoss.
func (f *Fabric) IsComplete() bool {
	for i := range f.problems {
		if f.problems[i].Kind.IsLoss() {
			return false
		}
	}
	return true
}
