package saquery

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/nodenames"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/saclient"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*settings
	sa    *saclient.Client
	names ibnetdiscover.Namer // nil for no map
	info  sa.ClassPortInfo

	document *diags.Stream // nil for text
}

func run(ctx context.Context, e *env.Env) error {
	settings, err := parse(e)
	if err != nil {
		return err
	}
	client, err := settings.Client(ctx)
	if err != nil { // which Client has told of
		return unbound(e, settings, err)
	}
	defer client.Close()
	s := &session{settings: settings}
	self, err := s.Self(ctx, client)
	if err == nil {
		s.sa, err = s.Administration(client, self)
	}
	if err != nil {
		e.Complain("%v", err)
		return unbound(e, settings, err)
	}
	if s.names, err = names.Load(e, s.nameMap); err != nil {
		s.Warn("failed to open node name map \"%s\" (%s)", s.nameMap, names.Reason(err))
	}
	if !s.JSON {
		return s.run(ctx)
	}
	s.document = s.NewStream("records")
	err = s.run(ctx)
	return s.document.End(err)
}

// unbound tells that there is nobody to ask.
func unbound(e *env.Env, s *settings, err error) error {
	diags.IBWarn(e, "sa_get_handle", "No SM/SA found on port %s:%d", cmp.Or(s.CA, "(null)"), s.Port)
	return &diags.Panic{Text: "Failed to bind to the SA", Cause: err}
}

func (s *session) run(ctx context.Context) error {
	if err := s.resolveEnds(ctx); err != nil {
		return err
	}
	if s.command == 'c' || s.query != nil && (s.query.alias == "CPI" || s.query.alias == "SWIR") {
		var err error
		if s.info, err = s.sa.ClassPortInfo(ctx); err != nil {
			exit := s.failed(err)
			fmt.Fprintln(s.env.Stderr, "Failed to query SA:ClassPortInfo")
			return exit
		}
	}
	switch s.command {
	case 'N':
		return s.showNodes(ctx)
	case 'c':
		return s.showClassPortInfo()
	case 's':
		return s.showManagers(ctx)
	case 'g':
		return s.table(ctx, saclient.Query{Record: &sa.MCMemberRecord{}}, s.printGroup)
	case 'm':
		return s.showMembers(ctx)
	}
	if s.query.build == nil {
		return s.showClassPortInfo()
	}
	q, err := s.query.build(ctx, s)
	if err != nil {
		return err
	}
	return s.table(ctx, q, func(row []byte) error { return s.printRecord(q.Record.AttrID(), row) })
}

// resolveEnds looks up the ends of --src-to-dst.
func (s *session) resolveEnds(ctx context.Context) error {
	for _, end := range []struct{ option, text string }{{"slid", s.src}, {"dlid", s.dst}} {
		if end.text == "" {
			continue
		}
		lid, err := s.lid(ctx, end.text)
		if err != nil {
			return err
		}
		s.params.numbers[end.option] = uint64(lid)
	}
	return nil
}

// table prints each row of a table. Rows come as they arrive: where a table
// breaks off, what came before is printed.
func (s *session) table(ctx context.Context, q saclient.Query, show func(row []byte) error) error {
	for row, err := range s.sa.Rows(ctx, q) {
		if err != nil {
			return s.failed(err)
		}
		if err := show(row); err != nil {
			return err
		}
	}
	return nil
}

// printRecord prints a record as sa.Text has it.
func (s *session) printRecord(id mad.AttrID, row []byte) error {
	if s.document != nil {
		return s.item(id, row)
	}
	text := sa.Text{ShowKeys: s.ShowKeys, CapMask2: s.info.CapMask2, NodeName: s.nodeName}
	out, _, err := text.Append(nil, id, row)
	if err != nil {
		s.env.Complain("%v", err)
		return nil
	}
	return s.write(out)
}

func (s *session) showClassPortInfo() error {
	row, err := s.info.AppendBinary(nil)
	if err != nil {
		return err
	}
	return s.printRecord(sa.AttrClassPortInfo, row)
}

func (s *session) printf(format string, args ...any) error {
	return s.write(fmt.Appendf(nil, format, args...))
}

func (s *session) write(out []byte) error {
	if _, err := s.env.Stdout.Write(out); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}

// nodeName is the name of a node, from the map or else its description.
func (s *session) nodeName(guid ib.GUID, desc []byte) string {
	if s.names != nil {
		return s.names.Name(guid, string(desc))
	}
	return nodenames.Clean(string(desc))
}

func untilNUL(b []byte) []byte {
	before, _, _ := bytes.Cut(b, []byte{0})
	return before
}
