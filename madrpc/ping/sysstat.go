package ping

import (
	"context"
	"errors"
	"io"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc"
)

// maxText bounds the text that a server of system statistics may send.
const maxText = 64 << 10

// Sysstat asks a server of system statistics for one of the attributes
// openib.AttrSysstatPing (no text), openib.AttrSysstatHost (its host.domain) and
// openib.AttrSysstatCPU (a line for each processor). The text is from outside,
// and of 64 KiB at most.
//
// The errors are those of madrpc.Client.Do and of madrpc.Stream.
func Sysstat(ctx context.Context, c *madrpc.Client, to mad.Target, attr mad.AttrID, oui uint32) (string, error) {
	r := madrpc.Request{Target: to}
	r.Packet.Init(openib.ClassSysstat, mad.MethodGet, attr, 0)
	r.Packet.SetOUI(oui)
	s := c.Stream(&r)
	defer s.Close()
	var all []byte
	for len(all) < maxText {
		data, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		all = append(all, data...)
	}
	if attr == openib.AttrSysstatPing {
		return "", nil
	}
	return text(all[:min(len(all), maxText)]), nil
}
