//go:build !unix

package fullscreen

import "os"

const nonBlocking = 0

func notifyResize(chan<- os.Signal) {}
