//go:build !linux

package ibsim

import "errors"

func (s *dataSocket) serve() error { return errors.ErrUnsupported }
