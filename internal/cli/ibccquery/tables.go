package ibccquery

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/congestion"
)

// congestionLog shows the log in the layout that its type tells, without entries
// of zeros.
func congestionLog(q *query) error {
	log, err := q.agent.Log(q.ctx)
	switch {
	case err != nil:
		return &failure{"congestion log query failed", err}
	case log.Switch != nil:
		q.logHead(log, log.Switch)
		for i := range log.Switch.Entries {
			if e := &log.Switch.Entries[i]; *e != (cc.SwitchLogEntry{}) {
				q.printf("%s\n", e.AppendDump(nil))
			}
		}
	case log.Adapter != nil:
		q.logHead(log, log.Adapter)
		for i := range log.Adapter.Entries {
			if e := &log.Adapter.Entries[i]; *e != (cc.CALogEntry{}) {
				q.printf("%s\n", e.AppendDump(nil))
			}
		}
	default:
		return &failure{what: "unrecognized log type"}
	}
	return nil
}

func (q *query) logHead(log *congestion.Log, layout field.Value) {
	q.note(layout, 0)
	q.heading("CongestionLog")
	q.printf("%s%s\n", log.AppendDump(nil), layout.AppendDump(nil))
}

// portSetting shows the settings of one port of a switch, or of all.
func portSetting(q *query) error {
	const what = "switch port congestion setting"
	node, err := madrpc.GetSMP[smp.NodeInfo](q.ctx, q.agent.Client, q.agent.Target, 0)
	if err != nil {
		return &failure{"node info query failed", err}
	}
	if node.NodeType != ib.NodeSwitch {
		return &failure{what: "destination not a switch"}
	}
	q.heading("SwitchPortCongestionSetting")
	if q.portnum < 0 || q.portnum > int32(node.NumPorts) {
		return &failure{what: "invalid port number specified"}
	}
	last, first := int(node.NumPorts), 0
	if q.portnum != 0 {
		first, last = int(q.portnum), int(q.portnum)
	}
	for block := first / cc.PortsPerBlock; block <= last/cc.PortsPerBlock; block++ {
		var v cc.SwitchPortCongestionSetting
		if err := q.get(&v, uint32(block), what); err != nil {
			return err
		}
		for num := max(first, block*cc.PortsPerBlock); num <= min(last, (block+1)*cc.PortsPerBlock-1); num++ {
			q.portEntry(num, &v.Ports[num%cc.PortsPerBlock])
		}
	}
	return nil
}

// portEntry shows a port; of one that was asked for alone, its fields only.
func (q *query) portEntry(num int, setting *cc.PortSetting) {
	if q.portnum != 0 {
		q.printf("%s", setting.AppendDump(nil))
		return
	}
	q.printf("Port:............................%d\n%s\n", num, setting.AppendDump(nil))
}

func adapterSetting(q *query) error {
	var v cc.CACongestionSetting
	if err := q.get(&v, 0, "ca congestion setting"); err != nil {
		return err
	}
	q.heading("CACongestionSetting")
	q.printf("%s\n", v.AppendDump(nil))
	for sl := range v.SLs {
		q.printf("SL:..............................%d\n%s\n", sl, v.SLs[sl].AppendDump(nil))
	}
	return nil
}

// controlTable shows the entries up to the limit. Blocks come as they are asked,
// so that what was read is shown when a later one fails.
func controlTable(q *query) error {
	const what = "congestion control table"
	var v cc.CongestionControlTable
	if err := q.get(&v, 0, what); err != nil {
		return err
	}
	q.heading("CongestionControlTable")
	q.printf("%s\n", v.AppendDump(nil))
	limit := int(v.Limit)
	for i := 0; limit != 0 && i <= limit; i++ {
		if i > 0 && i%cc.EntriesPerBlock == 0 {
			if err := q.get(&v, uint32(i/cc.EntriesPerBlock), what); err != nil {
				return err
			}
		}
		q.printf("Entry:...........................%d\n%s\n", i, v.Entries[i%cc.EntriesPerBlock].AppendDump(nil))
	}
	return nil
}
