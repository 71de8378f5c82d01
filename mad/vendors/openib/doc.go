// Package openib holds the vendor classes of the open source stack: ping and
// system statistics, with OUI 0x001405. The data begins at byte 40 of the MAD.
package openib

//go:generate go run ../../../internal/madgen -dir .
