//go:build !linux

package ibsim

import (
	"context"
	"errors"
)

// openSockets: ibsim's sockets are Linux's abstract ones.
func openSockets(context.Context, *Options) (*sockets, error) {
	return nil, errors.ErrUnsupported
}

func trySend(uintptr, *datagram) error { return errors.ErrUnsupported }

func listenControl(*Options) (controlSocket, error) { return nil, errors.ErrUnsupported }
