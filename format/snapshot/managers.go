package snapshot

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// maxManagers is the most subnet managers in a file.
const maxManagers = 1 << 16

// managers writes what the subnet managers told of themselves.
func (w *writer) managers() {
	if w.s.SMInfo == nil {
		return
	}
	w.array("managers", func() {
		for p := range w.s.Fabric.Ports() {
			if info, ok := w.s.SMInfo[p]; ok {
				w.item(func() { w.manager(p, &info) })
			}
		}
	})
}

func (w *writer) manager(p *fabric.Port, info *smp.SMInfo) {
	var raw [mad.DataSize]byte
	info.Encode(&raw)
	w.number("node", int64(p.Node().Index()))
	w.number("port", int64(p.Num()))
	w.attribute("sm_info", &raw)
	w.extra(w.s.extra[managerOf{p}])
}

// manager is an SMInfo that has been read, and where.
type manager struct {
	at     [2]int
	info   smp.SMInfo
	extra  []member
	line   int
	offset int64
}

// smInfo reads what one subnet manager told.
func (d *decoder) smInfo(_ int, value []byte) error {
	m := manager{at: [2]int{-1, -1}, line: d.startLine, offset: d.startOffset}
	err := eachMember(value, func(key, value []byte) (err error) {
		switch name(key) {
		case "node":
			err = put(&m.at[0], value, maxNodes)
		case "port":
			err = put(&m.at[1], value, 255)
		case "sm_info":
			var raw *[mad.DataSize]byte
			if raw, err = attribute(value); err == nil {
				m.info.Decode(raw)
			}
		default:
			err = d.keepIn(&m.extra, key, value)
		}
		return inMember("managers", key, err)
	})
	d.asked = append(d.asked, m)
	if d.s.SMInfo == nil {
		d.s.SMInfo = map[*fabric.Port]smp.SMInfo{}
	}
	return err
}

// assignManagers finds the ports of the managers.
func (d *decoder) assignManagers() error {
	for _, m := range d.asked {
		d.startLine, d.startOffset = m.line, m.offset
		if m.at[0] < 0 {
			return bad("a manager without a node")
		}
		p, err := d.swept.port(m.at)
		if err != nil {
			return err
		}
		d.s.SMInfo[p] = m.info
		d.keepAll(managerOf{p}, m.extra)
	}
	return nil
}
