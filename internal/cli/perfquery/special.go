package perfquery

import (
	"context"
	"math"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// runSpecial shows and resets a special group of counters, of all ports that
// are listed; C takes the first of them only.
func (q *query) runSpecial(ctx context.Context, k *kind) error {
	ports := q.ports
	if len(ports) <= 1 {
		ports = []uint8{q.port}
	}
	for _, port := range ports {
		if k.option == "smplctl" {
			if err := q.showSamplesControl(ctx, k, port); err != nil {
				return err
			}
			continue
		}
		if !q.asked["Reset_only"] {
			if err := q.showSpecial(ctx, k, port); err != nil {
				return err
			}
		}
		if q.asked["Reset_only"] || q.asked["reset_after_read"] {
			if err := q.resetSpecial(ctx, k, port); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q *query) showSamplesControl(ctx context.Context, k *kind, port uint8) error {
	v := k.make()
	if err := q.getSpecial(ctx, v, port, "sampctlquery"); err != nil {
		return err
	}
	q.noteCounters(v, port)
	return q.print(k.name, port, "", v.AppendDump(nil))
}

func (q *query) showSpecial(ctx context.Context, k *kind, port uint8) error {
	v, name := k.make(), k.name
	if name == speedsName {
		rs, err := q.countsByReedSolomon(ctx, port)
		if err != nil {
			return err
		}
		if rs {
			v, name = new(pma.RSFECSpeedsCounters), speedsName+" with RS-FEC Active"
		}
	}
	if err := q.getSpecial(ctx, v, port, "cannot query "+name); err != nil {
		return err
	}
	q.noteCounters(v, port)
	return q.print(name+" counters", port, "", v.AppendDump(nil))
}

func (q *query) getSpecial(ctx context.Context, v counters, port uint8, failed string) error {
	if err := pma.SelectPort(v, port); err != nil {
		return err
	}
	if err := madrpc.Get(ctx, q.client, q.to, 0, v); err != nil {
		return q.fail(failed, err)
	}
	return nil
}

func (q *query) resetSpecial(ctx context.Context, k *kind, port uint8) error {
	mask := uint64(0xffff)
	if q.maskGiven {
		mask = q.mask
	}
	if k.name == speedsName {
		mask = q.mask
	}
	if mask == 0 {
		mask = math.MaxUint64
	}
	return q.set(ctx, k.make, port, mask, "cannot reset "+k.name)
}

// countsByReedSolomon reports whether the counters of extended speeds have the
// layout for Reed-Solomon: if the agent has it and the port corrects in that way.
func (q *query) countsByReedSolomon(ctx context.Context, port uint8) (bool, error) {
	if !q.has(pma.CapRSFECCounters) {
		return false, nil
	}
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, q.client, q.to, 0)
	if err != nil {
		return false, q.fail("node info query failed", err)
	}
	holder := uint32(port)
	if node.NodeType == ib.NodeSwitch {
		holder = 0 // has the capabilities
	}
	info, err := madrpc.GetSMP[smp.PortInfo](ctx, q.client, q.to, holder)
	if err != nil {
		return false, q.fail("port info query failed", err)
	}
	if !q.hasPortInfoExtended(&info) {
		diags.IBWarn(q.env, "is_rsfec_mode_active", "Port Info Extended not supported")
		return false, nil
	}
	extended, err := madrpc.GetSMP[smp.PortInfoExtended](ctx, q.client, q.to, uint32(port))
	if err != nil {
		return false, q.fail("smp query portinfo extended failed", err)
	}
	return extended.CapMask&smp.CapExtFECMode != 0 && extended.FECModeActive.IsRS(), nil
}

func (q *query) hasPortInfoExtended(info *smp.PortInfo) bool {
	const function = "is_port_info_extended_supported"
	switch {
	case info.CapMask&smp.CapCapMask2 == 0:
		diags.IBWarn(q.env, function, "port info capability mask2 not supported")
	case info.CapMask2&smp.Cap2PortInfoExtended == 0:
		diags.IBWarn(q.env, function, "port info capability mask2 = 0x%x doesn't indicate PortInfoExtended support", info.CapMask2)
	default:
		return true
	}
	return false
}
