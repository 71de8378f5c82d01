// Package simserve is the command "ibscope sim serve": it serves a simulated
// fabric to programs that speak the protocol of ibsim.
package simserve
