package hostcheck

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// checkDevice makes the checks of a device as a whole.
func (c *checker) checkDevice(d *rdma.Device) []Finding {
	var all []Finding
	if !d.NodeType.IsIB() {
		all = append(all, Finding{
			Check: NodeType, Severity: Note, Device: d.Name,
			Text:     "The device is no InfiniBand or RoCE adapter: it has no management ports.",
			Evidence: []string{"node type " + d.NodeType.String()},
		})
	}
	if f, ok := c.checkVerbsFile(d); ok {
		all = append(all, f)
	}
	return all
}

// checkVerbsFile opens the device file for verbs and closes it again.
func (c *checker) checkVerbsFile(d *rdma.Device) (Finding, bool) {
	name := d.UverbsPath()
	if name == "" || c.Passive {
		return Finding{}, false
	}
	f := Finding{Check: VerbsFile, Device: d.Name, Text: "The device file for verbs opens.", Evidence: []string{"open " + name + ": success"}}
	file, err := os.OpenFile(name, os.O_RDWR|unix.O_NONBLOCK, 0)
	if err == nil {
		file.Close()
		return f, true
	}
	f.Severity = Warning
	why := deviceFile{name: name, class: "infiniband_verbs", host: c.host}.explain(err)
	f.Text, f.Evidence, f.Remedy = why.text+" Programs that use verbs do not work on it.", why.evidence, why.remedy
	return f, true
}
