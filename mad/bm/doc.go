// Package bm holds attributes of baseboard management (IBA vol. 1, 16.2). What
// chassis and modules answer is theirs; here are the key and the frame of the
// calls.
//
//mad:class ClassBM
package bm

//go:generate go run ../../internal/madgen -dir .
