//go:build !linux

package nldev

import (
	"os"

	"golang.org/x/sys/unix"
)

func dial(*os.File, int) (Conn, error) { return nil, unix.EPROTONOSUPPORT }
