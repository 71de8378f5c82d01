//go:build !linux

package serve

import "errors"

// become is for Linux, where the ports are.
func (u *account) become() error { return errors.ErrUnsupported }
