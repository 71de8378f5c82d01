// Package ping asks hosts for a sign of life, and answers for one: the vendor
// classes of the open source stack by which ibping and ibsysstat talk to their
// servers on other machines.
//
// A client pings with Run, or asks for system statistics with Sysstat. A Server
// answers on any transport until its context ends.
package ping
