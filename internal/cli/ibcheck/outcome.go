package ibcheck

import (
	"fmt"
	"io"

	"github.com/ibscope/ibscope/internal/escape"
)

// Colours of the scripts.
const (
	green = "\x1b[1;032m"
	red   = "\x1b[1;031m"
	blue  = "\x1b[1;034m"
	plain = "\x1b[0;39m"
)

// outcome is what a check has found. As JSON it is an element of "checks".
type outcome struct {
	Check    string    `json:"check"` // node, port, state, width, errors, data, address
	NodeGUID string    `json:"node_guid,omitempty"`
	LID      string    `json:"lid"` // as it was given
	Port     *int      `json:"port,omitempty"`
	Passed   bool      `json:"passed"`
	Note     string    `json:"note,omitempty"`
	Findings []finding `json:"findings,omitempty"`
	Counters *counts   `json:"counters,omitempty"`
	head     string    // what the line says before the result: "Port check lid 3 port 2"
	lines    []string  // printed as they are: of counters
	err      error     // why it could not be looked at
}

// finding is something that is not well.
type finding struct {
	What      string  `json:"what"` // phys_state, state, width, counter
	Is        string  `json:"is,omitempty"`
	Counter   string  `json:"counter,omitempty"`
	Value     *uint64 `json:"value,omitempty"`
	Threshold *uint64 `json:"threshold,omitempty"`
	line      string
}

// counts are the counters of data and packets.
type counts struct {
	XmitData uint32 `json:"xmit_data"` // words of 4 bytes
	RcvData  uint32 `json:"rcv_data"`
	XmitPkts uint32 `json:"xmit_pkts"`
	RcvPkts  uint32 `json:"rcv_pkts"`
}

// style is how outcomes are printed.
type style struct {
	mono, verbose, brief bool
}

// print prints an outcome as the scripts do.
func (s style) print(w io.Writer, o *outcome) {
	for _, line := range o.lines {
		fmt.Fprintln(w, line)
	}
	if len(o.Findings) > 0 && !s.brief {
		text := ""
		for i := range o.Findings {
			text += o.Findings[i].line + "\n"
		}
		if !s.mono {
			text = blue + text + plain
		}
		fmt.Fprint(w, text)
	}
	switch {
	case !o.Passed:
		fmt.Fprintf(w, "%s: %s\n", escape.Text(o.head), s.paint(red, "FAILED"))
	case s.verbose && o.Note != "":
		fmt.Fprintf(w, "%s: %s\n", escape.Text(o.head), s.paint(green, o.Note))
	case s.verbose:
		fmt.Fprintf(w, "%s: %s\n", escape.Text(o.head), s.paint(green, "OK"))
	}
}

func (s style) paint(colour, text string) string {
	if s.mono {
		return text
	}
	return colour + " " + text + " " + plain
}
