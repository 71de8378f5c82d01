package ibqueryerrors

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/saclient"
)

// learnLevels asks for the paths from the own port, which tell the service level
// to each LID. Without them it is 0; C gives up without a word of the counters.
func (s *session) learnLevels(ctx context.Context) {
	self, err := s.Self(ctx, s.client)
	if err != nil {
		s.env.Complain("service levels: %v", err)
		return
	}
	administration, err := s.Administration(s.client, self)
	if err != nil {
		diags.IBWarn(s.env, "sa_get_handle", "No SM/SA found on port %s:%d", s.CA, s.Port)
		s.env.Complain("service levels: %v", err)
		return
	}
	q := saclient.Query{
		Record: &sa.PathRecord{SGID: self.GID(), NumPath: 1, Reversible: true},
		Mask:   sa.CompPathRecordSGID | sa.CompPathRecordNumPath | sa.CompPathRecordReversible,
	}
	for path, err := range saclient.Table[sa.PathRecord](ctx, administration, q) {
		if err != nil {
			s.env.Complain("service levels: %v", err)
			return
		}
		s.levels[path.DLID] = path.SL
	}
}
