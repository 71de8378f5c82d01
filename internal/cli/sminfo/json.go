package sminfo

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
)

// document is what the subnet manager has told of itself.
type document struct {
	Destination diags.Destination `json:"destination"`
	Set         bool              `json:"set"` // by a modifier
	Answer      diags.Answer      `json:"answer"`
}

func newDocument(s *settings, to mad.Target) *document {
	return &document{
		Destination: diags.DestinationOf(to), Set: s.modifier != 0,
		Answer: s.Answer(mad.ClassSubnLID, &s.info, s.modifier),
	}
}
