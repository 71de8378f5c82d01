package nldev

import "context"

// System is how the RDMA subsystem is set up.
type System struct {
	// SharedNetNS reports whether all network namespaces see all devices
	// ("rdma system set netns shared", the default). Otherwise each device belongs
	// to one namespace.
	SharedNetNS    bool
	CopyOnFork     bool // fork does not break memory registrations
	PrivilegedQKey bool // unprivileged users may use controlled Q_Keys
	Monitor        bool // the kernel reports changes of devices
}

// System asks for the settings of the subsystem. The error wraps unix.EINVAL
// before Linux 5.1.
func (c *Client) System(ctx context.Context) (System, error) {
	var s System
	bodies, err := c.ask(ctx, cmdSysGet, 0, func(*encoder) {})
	if err == nil && len(bodies) == 0 {
		err = errNoAnswer
	}
	if err == nil {
		err = s.parse(bodies[0])
	}
	return s, failed("get system settings", err)
}

func (s *System) parse(b []byte) error {
	return decode(b, func(a attribute) {
		switch a.typ {
		case attrNetNSMode:
			s.SharedNetNS = a.number(8) == 1
		case attrCopyOnFork:
			s.CopyOnFork = a.number(8) != 0
		case attrPrivilegedQKey:
			s.PrivilegedQKey = a.number(8) != 0
		case attrMonitorMode:
			s.Monitor = a.number(8) != 0
		}
	})
}
