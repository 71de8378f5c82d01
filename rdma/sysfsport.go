package rdma

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
)

// readAttributes reads the files of a port. The kernel has all of them for every
// kind of device but for link_layer, which is younger than the rest.
func (p *Port) readAttributes(a *attributes) {
	p.State = ib.PortState(a.number("state", 8))
	p.PhysState = ib.PhysState(a.number("phys_state", 8))
	p.Rate, p.Width, p.Speed = parseRate(strings.TrimSpace(a.text("rate")))
	p.LinkLayer = LinkLayer(a.optional("link_layer"))
	p.LID = uint32(a.number("lid", 32))
	p.LMC = uint8(a.number("lid_mask_count", 8))
	p.SMLID = uint32(a.number("sm_lid", 32))
	p.SMSL = uint8(a.number("sm_sl", 8))
	p.CapMask = CapMask(a.number("cap_mask", 32))
	p.DefaultGID = value(a, "gids/0", ib.ParseGID)
	p.SubnetPrefix = p.DefaultGID.Prefix()
	p.NetDev = gidNetDev(a, 0)
}

// gidNetDev is the network device of a GID, "" when it has none: the kernel then
// gives EINVAL, and there is no such file before 4.5.
func gidNetDev(a *attributes, index int) string {
	name := "gid_attrs/ndevs/" + strconv.Itoa(index)
	s, err := a.dir.text(name)
	if err != nil && !isAbsent(err) && !errors.Is(err, unix.EINVAL) {
		a.fault("read", name, err)
	}
	return strings.TrimSpace(s)
}

// parseGUID reads the kernel's form, 0002:c903:0000:1234.
func parseGUID(s string) (ib.GUID, error) { return ib.ParseGUID(s) }

// entryNumber is the number that is the name of an entry.
func entryNumber(e fs.DirEntry) (int, bool) {
	n, err := strconv.ParseUint(e.Name(), 10, 16)
	return int(n), err == nil && strconv.FormatUint(n, 10) == e.Name()
}
