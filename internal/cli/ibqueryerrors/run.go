package ibqueryerrors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/saclient"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*settings
	client *madrpc.Client
	names  format.Namer
	levels map[ib.LID]uint8 // service levels by destination
}

func run(ctx context.Context, e *env.Env) error {
	settings, err := parse(e)
	if err != nil {
		return err
	}
	s := &session{settings: settings, levels: make(map[ib.LID]uint8)}
	if s.client, err = s.Client(ctx); err != nil {
		var fatal *diags.Fatal
		if errors.As(err, &fatal) {
			fatal.Text, fatal.Blank = fmt.Sprintf("Failed to open port; %s:%d", cmp.Or(s.CA, "(null)"), s.Port), true
		}
		return err
	}
	defer s.client.Close()
	if s.path != "" && s.loadCache != "" {
		return s.failed("Cannot specify cache and direct route path")
	}
	m, err := names.Load(e, s.nameMap)
	if err != nil {
		s.Warn("failed to open node name map \"%s\" (%s)", s.nameMap, names.Reason(err))
	} else if m != nil {
		s.names = m
	}
	return s.run(ctx)
}

// failed ends the tool with a message on stderr.
func (s *session) failed(message string) error {
	fmt.Fprintln(s.env.Stderr, message)
	return &diags.Exit{Code: diags.ExitFatal}
}

func (s *session) run(ctx context.Context) error {
	scan := &diags.Scan{Outstanding: s.outstanding}
	s.locate(ctx, scan)
	f, err := s.fabric(ctx, scan)
	if err != nil {
		return err
	}
	s.readThresholds()
	nodes := slices.Collect(f.Nodes())
	slices.Reverse(nodes)
	if s.guid != "" || s.path != "" {
		port, err := s.named(ctx, f, scan)
		if err != nil {
			return err
		}
		nodes = nil
		if port != nil {
			nodes = []*fabric.Node{port.Node()}
		}
	}
	if !s.asked["skip-sl"] && (s.guid == "" || s.path != "") {
		s.learnLevels(ctx)
	}
	return s.reportAll(ctx, nodes)
}

// locate finds where the sweep is to start.
func (s *session) locate(ctx context.Context, scan *diags.Scan) {
	var err error
	switch {
	case s.path != "":
		scan.From, err = diags.PathTarget(s.path)
	case s.guid != "":
		s.Address = diags.ByGUID
		var to mad.Target
		if to, err = s.Resolve(ctx, s.client, s.guid); err == nil && !s.asked["skip-sl"] {
			s.levels[to.LID] = to.SL
		}
		scan.FromGUID = ib.GUID(diags.LeadingUint(s.guid))
	default:
		return
	}
	if err != nil {
		diags.IBWarn(s.env, "main", "Failed to resolve %s; attempting full scan", cmp.Or(s.path, s.guid))
		s.env.Complain("%v", err)
		return
	}
	scan.Partial = true
}

func (s *session) fabric(ctx context.Context, scan *diags.Scan) (*fabric.Fabric, error) {
	if s.loadCache != "" {
		f, err := s.Load(ctx, s.loadCache, "")
		if err != nil {
			return nil, s.failed("loading cached fabric failed")
		}
		return f, nil
	}
	f, err := s.Scan(ctx, scan)
	if err != nil && scan.Partial {
		diags.IBWarn(s.env, "main", "Single node discover failed; attempting full scan")
		f, err = s.Scan(ctx, &diags.Scan{Outstanding: s.outstanding})
	}
	if err != nil {
		return nil, s.failed("discover failed")
	}
	return f, nil
}

// named finds the port that -G or -D names; nil if it is not there.
func (s *session) named(ctx context.Context, f *fabric.Fabric, scan *diags.Scan) (*fabric.Port, error) {
	guid := ib.GUID(diags.LeadingUint(s.guid))
	if s.guid == "" {
		node, err := madrpc.GetSMP[smp.NodeInfo](ctx, s.client, scan.From, 0)
		if err != nil {
			s.Failed(err)
			fmt.Fprintln(s.env.Stderr, "Failed to query local Node Info")
			return nil, &diags.Exit{Code: 0}
		}
		guid = node.PortGUID
	}
	port, ok := f.PortByGUID(guid)
	if !ok {
		fmt.Fprintf(s.env.Stderr, "Failed to find node: %s\n", escape.Text(cmp.Or(s.guid, s.path)))
		return nil, nil
	}
	return port, nil
}

// learnLevels asks for the paths from the own port, which tell the service level
// to each LID. Without them it is 0; C gives up without a word of the counters.
func (s *session) learnLevels(ctx context.Context) {
	self, err := s.Self(ctx, s.client)
	if err != nil {
		s.env.Complain("service levels: %v", err)
		return
	}
	administration, err := s.Administration(s.client, self)
	if err != nil {
		diags.IBWarn(s.env, "sa_get_handle", "No SM/SA found on port %s:%d", s.CA, s.Port)
		s.env.Complain("service levels: %v", err)
		return
	}
	q := saclient.Query{
		Record: &sa.PathRecord{SGID: self.GID(), NumPath: 1, Reversible: true},
		Mask:   sa.CompPathRecordSGID | sa.CompPathRecordNumPath | sa.CompPathRecordReversible,
	}
	for path, err := range saclient.Table[sa.PathRecord](ctx, administration, q) {
		if err != nil {
			s.env.Complain("service levels: %v", err)
			return
		}
		s.levels[path.DLID] = path.SL
	}
}
