package ibsysstat

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc/ping"
)

// document is what the other host has told. Processors are lines of text: what is
// in them depends on the machine.
type document struct {
	Destination diags.Destination `json:"destination"`
	Operation   string            `json:"operation"`
	OUI         string            `json:"oui"`
	Host        string            `json:"host,omitempty"`
	CPUs        []string          `json:"cpus,omitempty"`
}

func newDocument(s *settings, to mad.Target, text string) *document {
	d := &document{Destination: diags.DestinationOf(to), Operation: s.operation, OUI: ouiText(s.oui)}
	switch s.operation {
	case "host":
		d.Host = text
	case "cpu":
		for line := range strings.Lines(text) {
			d.CPUs = append(d.CPUs, strings.TrimSuffix(line, "\n"))
		}
	}
	return d
}

// serverDocument is what a server has done.
type serverDocument struct {
	OUI      string            `json:"oui"`
	Host     string            `json:"host"`
	NumCPUs  int               `json:"num_cpus"`
	Answered map[string]uint64 `json:"answered"`
}

func newServerDocument(s *settings, host *ping.Host, answered map[mad.AttrID]uint64) *serverDocument {
	d := &serverDocument{OUI: ouiText(s.oui), Host: host.Name, NumCPUs: len(host.CPUs), Answered: map[string]uint64{}}
	for _, o := range operations {
		d.Answered[o.name] = answered[o.attr]
	}
	return d
}

func ouiText(oui uint32) string { return fmt.Sprintf("0x%06x", oui) }
