//go:build !linux

package uverbs

import "errors"

func openKernel(string) (kernel, error) { return nil, errors.ErrUnsupported }
