//go:build !linux

package testenv

import "syscall"

// ownMounts gives nil: only Linux has mount namespaces.
func ownMounts() *syscall.SysProcAttr { return nil }
