package health

import (
	"fmt"
	"iter"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// Manager is what a port that says that it has a subnet manager has answered.
type Manager struct {
	Port     *fabric.Port
	State    ib.SMState
	Priority uint8
	Err      error // why it did not answer
}

// MayManage lists the ports that say that they have a subnet manager: their
// capability mask has the bit IsSM. On a switch it is port 0.
func MayManage(f *fabric.Fabric) iter.Seq[*fabric.Port] {
	return func(yield func(*fabric.Port) bool) {
		for p := range f.Ports() {
			info, ok := p.Info()
			isSwitch := p.Node().Type() == ib.NodeSwitch
			if ok && info.CapMask&smp.CapIsSM != 0 && isSwitch == (p.Num() == 0) && !yield(p) {
				return
			}
		}
	}
}

// followers are the ports of a subnet, by the LID of their subnet manager.
type followers struct{ group[ib.LID, *fabric.Port] }

// managers looks at whom the ports take for their subnet manager, and at what the
// managers themselves say, subnet by subnet.
func (x *examiner) managers() (looked int, skipped string) {
	in := map[int]*followers{}
	var order []int
	for p := range x.f.Ports() {
		info, ok := p.Info()
		if !ok || (p.Node().Type() == ib.NodeSwitch) != (p.Num() == 0) || !isInUse(p) {
			continue
		}
		subnet := x.subnets.port(p)
		if in[subnet] == nil {
			in[subnet] = &followers{}
			order = append(order, subnet)
		}
		in[subnet].add(info.SMLID, p)
		looked++
	}
	if looked == 0 {
		return 0, "no PortInfo is known"
	}
	for _, subnet := range order {
		x.subnet(subnet, in[subnet])
	}
	return looked, ""
}

// subnet looks at the managers of one subnet.
func (x *examiner) subnet(number int, all *followers) {
	master := ib.LID(0) // what most ports follow, of those that follow one
	for _, lid := range all.order {
		if lid != 0 && len(all.members[lid]) > len(all.members[master]) || master == 0 {
			master = lid
		}
	}
	before := len(x.findings)
	if master != 0 {
		x.master(number, master)
	} else {
		x.none(all.members[0])
	}
	for _, lid := range all.order {
		if lid != master {
			x.strays(lid, master, all.members[lid])
		}
	}
	if x.ManagersAsked {
		x.answers(number, x.findings[before:])
	}
}

// isInUse reports whether a port has a link; port 0 of a switch whether any has.
func isInUse(p *fabric.Port) bool {
	if p.Num() > 0 || p.Node().Type() != ib.NodeSwitch {
		return p.Remote() != nil
	}
	for q := range p.Node().Ports() {
		if q.Remote() != nil {
			return true
		}
	}
	return false
}

// none is about ports of which none knows a subnet manager. Those of files that do
// not tell it have LIDs, or states that they could not have without one.
func (x *examiner) none(ports []*fabric.Port) {
	waiting := 0
	for _, p := range ports {
		switch {
		case p.LID() != 0 || p.Num() > 0 && p.State() == ib.PortActive:
			return
		case p.Num() > 0 && isWaiting(p.State()):
			waiting++
		}
	}
	if waiting == 0 {
		return
	}
	x.add(Finding{
		Kind: NoManager, Severity: Critical,
		Text:     "no subnet manager has configured this fabric",
		Evidence: []string{are(len(ports), "node has", "nodes have") + " neither a LID nor a subnet manager's"},
		Remedy:   []string{"Start a subnet manager: opensm on a host, or that of a managed switch."},
	})
}

// master looks at the manager that most ports follow.
func (x *examiner) master(subnet int, lid ib.LID) {
	owner := x.owner(subnet, lid)
	if owner != nil || !x.f.IsComplete() {
		if owner != nil && !x.ManagersAsked {
			x.isManager(owner)
		}
		return
	}
	x.add(Finding{
		Kind: ManagerUnknown, Severity: Error,
		Text:   fmt.Sprintf("the subnet manager is at LID %d, which no port that was found has", lid),
		Remedy: []string{"The master may have died with nobody to take over: look for it with sminfo, or start another."},
	})
}

// owner is the port of a subnet that has a LID, nil if none has.
func (x *examiner) owner(subnet int, lid ib.LID) *fabric.Port {
	if p, ok := x.f.PortByLID(lid); !ok || x.subnets.port(p) == subnet {
		return p
	}
	for p := range x.f.Ports() { // another subnet has it too
		if p.LID() != 0 && lid >= p.LID() && int(lid) < int(p.LID())+1<<p.LMC() && x.subnets.port(p) == subnet {
			return p
		}
	}
	return nil
}

// isManager looks whether the port that others take for their manager says so too.
func (x *examiner) isManager(p *fabric.Port) {
	info, ok := p.Info()
	if !ok || info.CapMask&smp.CapIsSM != 0 {
		return
	}
	x.add(Finding{
		Kind: NoManager, Severity: Error, At: At(p),
		Text:   fmt.Sprintf("%s is taken for the subnet manager, and says that it has none", x.place(At(p))),
		Remedy: []string{"Its subnet manager has ended: start it again, or another one."},
	})
}

// strays are ports that follow another manager than most.
func (x *examiner) strays(lid, master ib.LID, ports []*fabric.Port) {
	f := Finding{Kind: OtherManager, Severity: Error, At: At(ports[0]), Count: len(ports)}
	f.Text = fmt.Sprintf("%s LID %d for the subnet manager, and the others LID %d", are(len(ports), "port takes", "ports take"), lid, master)
	if lid == 0 {
		f.Text = fmt.Sprintf("%s no subnet manager, and the others that at LID %d", are(len(ports), "port knows", "ports know"), master)
	}
	for i, p := range ports {
		f.Evidence = listed(f.Evidence, i+1, x.place(At(p)))
	}
	f.Remedy = []string{"Look for a second subnet manager, and at the log of the first: it may not reach these ports."}
	x.add(f)
}

// answers looks at what the managers of a subnet themselves say; told is what was
// found about it before.
func (x *examiner) answers(subnet int, told []Finding) {
	var masters, standbys []*Manager
	asked := 0
	for i := range x.Managers {
		m := &x.Managers[i]
		if x.subnets.port(m.Port) != subnet {
			continue
		}
		asked++
		switch {
		case m.Err != nil:
			x.add(Finding{
				Kind: ManagerSilent, Severity: Warning, At: At(m.Port), Evidence: []string{m.Err.Error()},
				Text:   x.place(At(m.Port)) + " says that it has a subnet manager, which does not answer",
				Remedy: []string{"Look whether it hangs; a restart of it takes the bit back."},
			})
		case m.State == ib.SMMaster:
			masters = append(masters, m)
		case m.State == ib.SMStandby:
			standbys = append(standbys, m)
		}
	}
	switch {
	case len(masters) == 0:
		if !slices.ContainsFunc(told, func(f Finding) bool { return f.Kind == NoManager }) {
			x.add(Finding{
				Kind: NoManager, Severity: Critical, Text: "no subnet manager is master",
				Evidence: []string{fmt.Sprintf("ports that say that they have one: %d", asked)},
				Remedy:   []string{"Start a subnet manager: opensm on a host, or that of a managed switch."},
			})
		}
	case len(masters) > 1:
		x.rivals(masters)
	case len(standbys) == 0:
		x.add(Finding{
			Kind: NoStandby, Severity: Note, At: At(masters[0].Port),
			Text:   fmt.Sprintf("only %s has a subnet manager: nobody would take over", x.place(At(masters[0].Port))),
			Remedy: []string{"Start a second one on another node, with a lower priority."},
		})
	}
}

func (x *examiner) rivals(masters []*Manager) {
	f := Finding{Kind: TwoManagers, Severity: Critical, At: At(masters[0].Port), To: At(masters[1].Port), Count: len(masters)}
	f.Text = fmt.Sprintf("%d subnet managers are master at the same time", len(masters))
	for i, m := range masters {
		f.Evidence = listed(f.Evidence, i+1, fmt.Sprintf("%s, LID %d, priority %d", x.place(At(m.Port)), m.Port.LID(), m.Priority))
	}
	f.Remedy = []string{"Stop all but one. They do not see each other if their SM_Keys differ, or if they hang."}
	x.add(f)
}
