package core

import "context"

// Opener opens the URIs of one scheme.
type Opener func(ctx context.Context, u *URI, w *World) (*Source, error)

// Openers gives the opener of a scheme, nil if there is none.
type Openers func(scheme string) Opener

// opener finds the opener of a scheme.
func (w *World) opener(scheme string) Opener {
	switch {
	case scheme == "umad":
		return openUmad
	case scheme == "ibsim":
		return openIbsim
	case w.Others == nil:
		return nil
	}
	return w.Others(scheme)
}
