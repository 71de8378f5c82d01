package ibsysstat

import (
	"cmp"
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc/ping"
)

// serve answers until it is interrupted.
func (s *settings) serve(ctx context.Context) error {
	host, err := ping.ThisHost(cmp.Or(s.env.Proc, "/proc"))
	if err != nil {
		s.env.Complain("%v", err)
		host.Name = "?hostname?" // C's word for it
	}
	t, err := s.Transport(ctx)
	if err != nil {
		return err
	}
	answered := map[mad.AttrID]uint64{}
	server := ping.Server{
		Class: openib.ClassSysstat, OUI: s.oui, Host: host,
		Answered: func(_ mad.Addr, attr mad.AttrID) { answered[attr]++ },
	}
	err = server.Serve(ctx, t)
	if ctx.Err() == nil {
		if !s.JSON {
			s.env.Complain("%v", err)
		}
		return &diags.Fatal{Text: "can't serve class 51", Cause: err}
	}
	if s.JSON {
		return s.PrintDocument(newServerDocument(s, &host, answered))
	}
	return nil
}
