// Package ownpath tells which ports carry the requests of a client: its own port,
// and the ports on the way to a target and back. Whoever takes one of them down
// saws off the branch that he sits on.
package ownpath
