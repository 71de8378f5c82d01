// Package dm holds the attributes of device management (IBA vol. 1, 16.3): the
// I/O controllers behind a port and the services that they offer.
//
//mad:class ClassDevMgt
package dm

//go:generate go run ../../internal/madgen -dir .
