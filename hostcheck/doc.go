// Package hostcheck finds what on a host stands in the way of talking to an
// InfiniBand fabric: a missing adapter, driver, module, device file or
// permission, a port that is down, a subnet without a manager, an M_Key.
//
// Host.Check looks at sysfs, the device files and, where a port can be opened,
// at the fabric next to the host: a handful of Gets for each port. It changes
// nothing. Each finding says what is so, how that is known, and the commands
// that mend it; findings come from the bottom up, so that the first failure is
// the one to mend first.
//
// What follows from a failure is not reported again: without the ib_umad module
// nothing is said of device files. So a check that is not in the report could
// not be made, and an earlier finding says why.
package hostcheck
