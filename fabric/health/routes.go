package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
)

// routes sums up what the forwarding tables do.
func (x *examiner) routes() (looked int, skipped string) {
	r := x.Routes
	if r == nil {
		return 0, "the forwarding tables were not read"
	}
	for i := range r.Troubles {
		t := &r.Troubles[i]
		if lids := x.ownLIDs(t); t.End != route.Unread && len(lids) > 0 {
			x.notDelivered(t, lids)
		}
	}
	if n := len(r.Unread); n > 0 {
		f := Finding{Kind: NotRead, Severity: Warning, At: End{r.Unread[0], -1}, Count: n}
		f.Text = fmt.Sprintf("the forwarding tables of %s are not known", are(n, "switch", "switches"))
		for i, sw := range r.Unread {
			f.Evidence = listed(f.Evidence, i+1, x.Name(sw))
		}
		x.add(f)
	}
	for _, loop := range r.Loops {
		x.creditLoop(loop)
	}
	return r.Ways, ""
}

// ownLIDs are the LIDs of ways that are in the subnet of the switch where they end:
// nobody has a route to another subnet but by a router.
func (x *examiner) ownLIDs(t *route.Trouble) (own []ib.LID) {
	for _, lid := range t.LIDs {
		if x.owner(x.subnets.of[t.At], lid) != nil {
			own = append(own, lid)
		}
	}
	return own
}

func (x *examiner) notDelivered(t *route.Trouble, lids []ib.LID) {
	f := Finding{Kind: NotDelivered, Severity: Critical, At: End{t.At, t.Out}, Count: t.Ways}
	if p := f.At.PortOf(); p != nil {
		f.To = At(p.Remote())
	}
	what := map[route.End]string{
		route.NoRoute: "has no port for", route.DeadEnd: "sends to a port without an active link", route.WrongEnd: "sends to a wrong node",
		route.Circle: "sends in a circle",
	}[t.End]
	if what == "" {
		what = string(t.End) + ":"
	}
	f.Text = fmt.Sprintf("%s %s %s, on %s", x.place(f.At), what, are(len(lids), "LID", "LIDs"), are(t.Ways, "way", "ways"))
	for i, lid := range lids {
		owner := ""
		if p, ok := x.f.PortByLID(lid); ok {
			owner = " " + x.place(At(p))
		}
		f.Evidence = listed(f.Evidence, i+1, fmt.Sprintf("LID %d%s", lid, owner))
	}
	f.Remedy = []string{"ibscope routes check shows the ways; let the subnet manager sweep again."}
	x.add(f)
}

func (x *examiner) creditLoop(loop []route.Wait) {
	f := Finding{Kind: CreditLoop, Severity: Warning, At: At(loop[0].Port), Count: len(loop)}
	f.Text = fmt.Sprintf("%d links may wait for each other for ever, if their lanes do not part them", len(loop))
	for i, w := range loop {
		f.Evidence = listed(f.Evidence, i+1, x.place(At(w.Port)))
	}
	f.Remedy = []string{"Use an engine without credit loops for this shape, or one that parts them by virtual lanes."}
	x.add(f)
}
