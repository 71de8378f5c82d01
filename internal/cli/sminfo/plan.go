package sminfo

import (
	"context"
	"io"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// plan shows the message that is not sent to a subnet manager, beside what that
// tells of itself.
func (s *settings) plan(ctx context.Context, client *madrpc.Client, to mad.Target, out io.Writer) error {
	have, err := madrpc.GetSMP[smp.SMInfo](ctx, client, to, 0)
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "query", Cause: err}
	}
	p, err := s.Plan(mad.MethodSet, mad.ClassSubnLID, to, s.modifier, &have, &s.info)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintDocument(map[string]any{"planned": []*diags.Plan{p}})
	}
	return p.Write(out)
}
