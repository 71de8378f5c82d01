package umad

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// ISSM is a port's IsSM bit: it is set as long as this is open.
type ISSM struct {
	file *os.File
}

// OpenISSM sets the IsSM bit in the capability mask of the port that Host.Port
// chooses, until Close: it tells the subnet that a subnet manager runs there.
//
// The errors have the classes of Open. One process at a time can hold the bit:
// for another the error wraps unix.EAGAIN.
func (h Host) OpenISSM(ctx context.Context, ca string, num int) (*ISSM, error) {
	if _, err := h.ABIVersion(); err != nil {
		return nil, err
	}
	p, err := h.smiPort(ctx, ca, num)
	if err != nil {
		return nil, err
	}
	name := p.IssmPath()
	if name == "" {
		return nil, noFile(p, "issm")
	}
	// Without O_NONBLOCK open(2) would wait for the other holder.
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, &Error{Op: "open", Device: name, Err: withClass(unix.EIO, errors.Unwrap(err)), Hint: issmHint(err)}
	}
	return &ISSM{f}, nil
}

// issmHint says what to do about an issm file that does not open.
func issmHint(err error) string {
	if errors.Is(err, unix.EAGAIN) {
		return "another process holds it: is a subnet manager running on this port?"
	}
	return openHint(err)
}

// Close clears the bit.
func (i *ISSM) Close() error {
	if err := i.file.Close(); err != nil {
		return &Error{Op: "close", Device: i.file.Name(), Err: errors.Unwrap(err)}
	}
	return nil
}
