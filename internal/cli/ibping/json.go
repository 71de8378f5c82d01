package ibping

import (
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc/ping"
)

// document is what the pings have shown.
type document struct {
	Destination    diags.Destination `json:"destination"`
	OUI            string            `json:"oui"`
	Host           string            `json:"host,omitempty"`
	Sent           uint64            `json:"sent"`
	Received       uint64            `json:"received"`
	Lost           uint64            `json:"lost"`
	ElapsedSeconds float64           `json:"elapsed_seconds"`
	RTT            *rtt              `json:"rtt,omitempty"`
}

// rtt are round trip times.
type rtt struct {
	MinSeconds  float64 `json:"min_seconds"`
	MeanSeconds float64 `json:"mean_seconds"`
	MaxSeconds  float64 `json:"max_seconds"`
}

func newDocument(s *settings, to mad.Target, r *ping.Statistics) *document {
	d := &document{
		Destination: diags.DestinationOf(to), OUI: ouiText(s.oui), Host: r.Host,
		Sent: r.Sent, Received: r.Received, Lost: r.Lost, ElapsedSeconds: r.Elapsed.Seconds(),
	}
	if r.Received > 0 {
		d.RTT = &rtt{r.Min.Seconds(), r.Mean().Seconds(), r.Max.Seconds()}
	}
	return d
}

// serverDocument is what a server has done.
type serverDocument struct {
	OUI      string `json:"oui"`
	Host     string `json:"host"`
	Answered uint64 `json:"answered"`
}

func newServerDocument(s *settings, host string, answered uint64) *serverDocument {
	return &serverDocument{OUI: ouiText(s.oui), Host: host, Answered: answered}
}

func ouiText(oui uint32) string { return fmt.Sprintf("0x%06x", oui) }
