package source

// lookup finds the opener of a scheme; a new kind of source is one more line.
func lookup(scheme string) (opener, bool) {
	switch scheme {
	case "umad":
		return openUmad, true
	case "sim":
		return openSim, true
	case "ibsim":
		return openIbsim, true
	case "file":
		return openFile, true
	}
	return nil, false
}
