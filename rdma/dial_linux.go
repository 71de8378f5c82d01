package rdma

import (
	"os"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// dialNetlink connects to the kernel in the host's network namespace.
func dialNetlink(h Host) (*nldev.Client, error) {
	if h.NetNS == "" {
		return nldev.Dial(nil)
	}
	ns, err := os.Open(h.NetNS)
	if err != nil {
		return nil, err
	}
	defer ns.Close()
	return nldev.Dial(&nldev.Config{NetNS: ns})
}
