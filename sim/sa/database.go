package sa

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// Bounds of what clients may leave behind.
const (
	maxServices      = 1 << 14
	maxSubscriptions = 1 << 14
	maxMemberships   = 1 << 18
)

// database is what clients have told the manager of one subnet.
type database struct {
	manager *sm.Manager
	at      sim.Place // of the manager

	mu          sync.Mutex
	offers      []service
	groups      map[ib.GID]*group
	byMLID      map[ib.LID]*group
	memberships int
	subscribed  []subscription
}

// service is a ServiceRecord and the time at which it ends, zero for never.
type service struct {
	record adm.ServiceRecord
	ends   time.Time
}

func newDatabase(m *sm.Manager, s *sm.Subnet) *database {
	d := &database{manager: m, at: s.SM, groups: map[ib.GID]*group{}, byMLID: map[ib.LID]*group{}}
	d.addBroadcast(s)
	return d
}

// classPortInfo: what the agent can do. It may need that long for an answer.
func (q *query) classPortInfo() {
	v := adm.ClassPortInfo{ClassPortInfo: gs.ClassPortInfo{
		BaseVersion: 1, ClassVersion: mad.ClassSubnAdm.Version(),
		CapMask:       adm.CapSubnetOptRecords | adm.CapUDMulticast | adm.CapMultiPath | adm.CapPortInfoCapMaskMatch,
		CapMask2:      adm.Cap2MulticastFDBTop | adm.Cap2FullPortInfoRecord | adm.Cap2ExtendedSpeeds,
		RespTimeValue: 16,
	}}
	q.filter = nil
	q.encode(&v)
}

// encode adds a record from its struct.
func (q *query) encode(v interface {
	AppendBinary([]byte) ([]byte, error)
},
) bool {
	b, err := v.AppendBinary(nil)
	if err != nil {
		q.status = adm.StatusNoResources // structs of package sa never fail
		return false
	}
	return q.add(b)
}
