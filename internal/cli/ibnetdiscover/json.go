package ibnetdiscover

import (
	"errors"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/fabricjson"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
)

// document prints the fabric as one JSON document, that of ibscope discover. All
// reports are of the same fabric, so that it is the same for all; what differs
// from another fabric has no document.
func (s *settings) document(e *env.Env, out io.Writer, f, old *fabric.Fabric, nameMap format.Namer) error {
	if old != nil && !s.ports && !s.list {
		return errors.New("there is no JSON of a comparison: --diff prints text only")
	}
	if s.ports {
		out = e.Stdout // as the ports report
	}
	return fabricjson.Write(out, f, &fabricjson.Options{Name: names.Of(nameMap)})
}
