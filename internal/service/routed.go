package service

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// routed is a fabric that has its forwarding tables, and what it was made of.
type routed struct {
	of     *fabric.Fabric
	routes *watch.Routes
	fabric *fabric.Fabric
}

// toStore is a state as history has it: with forwarding tables in its fabric if that is
// wanted. It is called for one state after the other.
func (f *watched) toStore(s *watch.State) *watch.State {
	if s.Fabric == nil || s.Routes == nil || !f.service.present().Routes {
		f.routed = routed{}
		return s
	}
	if f.routed.of != s.Fabric || f.routed.routes != s.Routes {
		f.routed = routed{s.Fabric, s.Routes, s.Routes.In(s.Fabric)}
	}
	with := *s
	with.Fabric = f.routed.fabric
	return &with
}
