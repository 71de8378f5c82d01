package checklftbalance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/format/lftdump"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	env              *env.Env
	lfts, topology   string // files
	lenient, verbose bool
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e}
	common, _, err := Tool.ParseScript(e, usage, func(letter byte, value string) {
		switch letter {
		case 'l':
			s.lfts = value
		case 'i':
			s.topology = value
		case 'e':
			s.lenient = true
		case 'v':
			s.verbose = true
		}
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	switch {
	case s.lfts == "":
		fmt.Fprintln(e.Stderr, "Must specify dump lfts file")
		return nil, Tool.ScriptUsage(e, usage)
	case s.topology == "":
		fmt.Fprintln(e.Stderr, "Must specify ibnetdiscover cache")
		return nil, Tool.ScriptUsage(e, usage)
	}
	return s, nil
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	tables, err := s.tables()
	if err != nil {
		return err
	}
	f, err := s.Load(ctx, s.topology, "")
	if err != nil {
		return err
	}
	s.FabricProblems(f.Problems())
	list := make([]balance, 0, len(tables))
	for i := range tables {
		list = append(list, s.balance(f, &tables[i]))
	}
	if s.JSON {
		return s.PrintDocument(document{Switches: list})
	}
	for i := range list {
		s.print(&list[i])
	}
	return nil
}

// tables reads the forwarding tables.
func (s *settings) tables() ([]lftdump.Table, error) {
	file, err := os.Open(s.lfts)
	if err != nil {
		reason := err.Error()
		var errno syscall.Errno
		if errors.As(err, &errno) {
			reason = diags.Strerror(errno)
		}
		fmt.Fprintf(s.env.Stderr, "Couldn't open dump lfts file: %s: %s\n", escape.Text(s.lfts), escape.Text(reason))
		return nil, &diags.Fatal{Text: "reading forwarding tables failed", Cause: err}
	}
	defer file.Close()
	tables, err := lftdump.Read(file, s.lfts)
	if err != nil {
		s.env.Complain("%v", err)
		return nil, &diags.Fatal{Text: "reading forwarding tables failed", Cause: err}
	}
	return tables, nil
}

// balance judges a switch.
func (s *settings) balance(f *fabric.Fabric, t *lftdump.Table) balance {
	lids := map[int]int{}
	for _, entry := range t.Entries {
		if typ := ownerType(f, entry); typ == ib.NodeCA || typ == ib.NodeRouter {
			lids[int(entry.Port)]++
		}
	}
	sw, known := f.NodeByGUID(t.GUID)
	if !known {
		s.env.Complain("%s has no switch %s (%s): its ports to adapters are not known", s.topology, t.GUID, t.Name)
		s.Problem(fmt.Errorf("%s has no switch %s", s.topology, t.GUID))
	}
	usage := route.UsageOf(sw, lids)
	b := balance{GUID: t.GUID, Name: t.Name, Balanced: usage.IsBalanced(), Ports: []use{}}
	if s.lenient {
		b.Balanced = usage.SeemsBalanced()
	}
	for _, u := range usage.Uses {
		b.Ports = append(b.Ports, use{u.Port, u.LIDs})
	}
	return b
}

// ownerType is the type of the node that has a LID: as the dump tells, or else the
// topology; 0 where neither does.
func ownerType(f *fabric.Fabric, entry lftdump.Entry) ib.NodeType {
	if entry.Owner != 0 {
		return entry.Owner
	}
	if p, ok := f.PortByLID(entry.LID); ok {
		return p.Node().Type()
	}
	return 0
}

func (s *settings) print(b *balance) {
	switch {
	case b.Balanced && !s.verbose:
		return
	case b.Balanced:
		fmt.Fprint(s.env.Stdout, "Switch Port Usage: ")
	default:
		fmt.Fprint(s.env.Stdout, "Unbalanced Switch Port Usage: ")
	}
	fmt.Fprintf(s.env.Stdout, "%s, 0x%016x\n", escape.Text(b.Name), uint64(b.GUID))
	for _, u := range b.Ports {
		fmt.Fprintf(s.env.Stdout, "Port %03d: %d\n", u.Port, u.LIDs)
	}
}
