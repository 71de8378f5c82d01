package smpdump

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	text     bool
	to       mad.Target
	attr     mad.AttrID
	modifier uint32
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(*getopt.Option, string) error {
		s.text = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) < 2 {
		return nil, Tool.Usage(e)
	}
	if s.to, err = s.target(operands[0]); err != nil {
		return nil, err
	}
	s.attr = mad.AttrID(diags.LeadingInt(operands[1]))
	if len(operands) > 2 {
		s.modifier = uint32(diags.LeadingInt(operands[2]))
	}
	return s, nil
}

// target reads the destination. C takes any number for a LID; one that is none
// does not reach anybody.
func (s *settings) target(operand string) (mad.Target, error) {
	to, err := s.Target(operand)
	switch {
	case err == nil && operand != "":
		return to, nil
	case s.Address == diags.ByDirectRoute:
		return to, &diags.Panic{Text: fmt.Sprintf("bad path str '%s'", operand), Cause: err}
	}
	return to, &diags.Panic{Text: fmt.Sprintf("bad LID '%s'", operand), Cause: err}
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx)
	if err != nil {
		return &diags.Panic{Text: fmt.Sprintf("can't open UMAD port (%s:%d)", s.caName(), s.Port), Cause: err}
	}
	defer client.Close()
	r := madrpc.Request{Target: s.to}
	r.Packet.Init(s.to.SMPClass(), mad.MethodGet, s.attr, s.modifier)
	var status mad.Status
	if err := client.Do(ctx, &r); err != nil && !errors.As(err, &status) {
		return &diags.Panic{Text: "no reply", Cause: err}
	}
	if s.JSON {
		return s.PrintDocument(newDocument(s, &r.Packet))
	}
	return s.print(e.Stdout, &r.Packet)
}

func (s *settings) caName() string {
	if s.CA == "" {
		return "(null)"
	}
	return s.CA
}

// print writes the data and the status, which in a reply by directed route has
// the direction bit in it.
func (s *settings) print(w io.Writer, p *mad.Packet) error {
	var out []byte
	if s.text {
		out = append(field.AppendPrintable(out, p.SMPData()[:]), '\n')
	} else {
		out = appendDump(out, p.SMPData()[:])
	}
	if status := binary.BigEndian.Uint16(p[4:]); status != 0 {
		out = fmt.Appendf(out, "SMP status: 0x%x\n", status)
	}
	_, err := w.Write(out)
	return err
}

// appendDump writes 16 bytes a line in groups of two, as libibmad's xdump does.
func appendDump(dst, data []byte) []byte {
	for i := 0; i+1 < len(data); i += 2 {
		end := byte(' ')
		if i%16 == 14 {
			end = '\n'
		}
		dst = append(fmt.Appendf(dst, "%02x%02x", data[i], data[i+1]), end)
	}
	return dst
}
