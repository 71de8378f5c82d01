//go:build !linux

package testenv

func canMountFUSE() bool { return false }
