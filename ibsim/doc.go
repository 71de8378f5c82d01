// Package ibsim speaks the datagram protocol of ibsim, the fabric simulator of
// the OpenFabrics project, versions 0.10 and 0.12: [Dial] attaches to a running
// simulator, and the [Conn] is a transport like a kernel port.
//
// The simulator has one control socket and one data socket per client; see
// wire.go for the messages. C programs reach it through a preloaded library;
// this package needs none.
//
// # What differs from a kernel port
//
// A simulator answers a request that cannot be delivered at once, with the
// request itself: [Conn.Recv] returns it beside a *mad.SendError of ETIMEDOUT.
// Only packets that the simulator itself throws away get no answer: a directed
// route combined with LID routing, a hop pointer other than 0, a base version
// other than 1, and whatever goes to another client that does not answer. There
// is no RMPP: each packet travels alone.
package ibsim
