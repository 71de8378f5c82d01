package diags

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
)

// DeadlineOption ends a tool that looks at many nodes: what is known by then is
// printed. C does not have it.
var DeadlineOption = getopt.Option{Long: "deadline", Arg: "time", Help: "stop after that time, as 30s, and print what is known", Extension: true}

// Around is what the tools have in common that look at all ports of a fabric, or
// at those around one node.
type Around struct {
	GUID, Path  string // the node: -S or -G, -D
	ByGUID      bool   // there is one of these, which may be an empty text
	ByPath      bool
	Hops        int // -n; 0: no limit, and 1 around a node
	Outstanding int // -o
	NameMap     string
	LoadCache   string
	Deadline    time.Duration // 0: none

	// Again is what C says before it scans everything because the scan around a
	// node has failed; Blank where an empty line follows its messages.
	Again string
	Blank bool

	from     mad.Target
	fromGUID ib.GUID
	partial  bool
	noPath   error // of a Path that is none
}

// Take handles one of the options, and reports whether it was one.
func (a *Around) Take(e *env.Env, o *getopt.Option, value string) (taken bool, err error) {
	switch o.Short {
	case 'S', 'G':
		a.GUID, a.ByGUID = value, true
		return true, nil
	case 'D':
		a.Path, a.ByPath = value, true
		return true, nil
	case 'n':
		a.Hops = count(value)
		return true, nil
	case 'o':
		a.Outstanding = count(value)
		return true, nil
	}
	switch o.Long {
	case "node-name-map":
		a.NameMap = value
	case "load-cache":
		a.LoadCache = value
	case DeadlineOption.Long:
		return true, a.setDeadline(e, value)
	default:
		return false, nil
	}
	return true, nil
}

// Named reports whether the command line names a node. An empty text does so too,
// of a variable that is not set for example: of none, not of all.
func (a *Around) Named() bool { return a.ByGUID || a.ByPath }

// count reads a count; more than there can be counts as that.
func count(value string) int { return int(min(LeadingUint(value), 1<<16)) }

func (a *Around) setDeadline(e *env.Env, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		e.Complain("--deadline %s: expected a time above 0, as 30s", value)
		return &Exit{ExitUsage}
	}
	a.Deadline = d
	return nil
}

// Context ends at the deadline. Interrupts end it too, and not the process.
func (a *Around) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.Deadline > 0 {
		return context.WithTimeout(ctx, a.Deadline)
	}
	return context.WithCancel(ctx)
}

// Client is Common.Client with the window that -o asks for.
func (a *Around) Client(ctx context.Context, c *Common) (*madrpc.Client, error) {
	t, err := c.Transport(ctx)
	if err != nil {
		return nil, err
	}
	return madrpc.New(t, &madrpc.Options{Timeout: c.Timeout, MKey: c.MKey, MaxOutstanding: max(a.Outstanding, 0)}), nil
}

// Locate finds the node that -S, -G or -D names, so that Scan begins there. One
// that cannot be found is told of, and Scan takes in everything. Of a GUID it
// gives the address too, which is the zero Target if there is none.
func (a *Around) Locate(ctx context.Context, c *Common, client *madrpc.Client) mad.Target {
	switch {
	case a.ByPath:
		path, err := ib.ParseDRPath(a.Path)
		if a.Path == "" {
			err = errors.New("-D: the directed route is empty; that to the local node is 0")
		}
		if err != nil {
			a.noPath = err
			IBWarn(c.env, "main", "Failed to resolve %s; attempting full scan", a.Path)
			return mad.Target{}
		}
		a.from, a.partial = mad.ByPath(path), true
	case a.ByGUID:
		return a.locateGUID(ctx, c, client)
	}
	return mad.Target{}
}

// locateGUID asks the subnet administration for the LID, as C does, and the
// switches for the directed route to it: from a LID, C's scan finds no way on.
// Where the tables lead nowhere, the scan looks for the GUID.
func (a *Around) locateGUID(ctx context.Context, c *Common, client *madrpc.Client) mad.Target {
	c.Address = ByGUID
	to, err := c.Resolve(ctx, client, a.GUID)
	if err != nil {
		a.warn(c, "Failed to resolve "+a.GUID+"; attempting full scan")
		c.env.Complain("%v", err)
		return mad.Target{}
	}
	a.partial = true
	tracer := trace.Tracer{Client: client}
	if path, err := tracer.Unicast(ctx, ib.DRPath{}, to, trace.Way{}); err == nil {
		a.from = mad.ByPath(path)
	} else {
		a.fromGUID = ib.GUID(LeadingUint(a.GUID))
	}
	return to
}

// warn prints a warning of C.
func (a *Around) warn(c *Common, text string) {
	IBWarn(c.env, "main", "%s", text)
	if a.Blank {
		fmt.Fprintln(c.env.Stderr) // the message of C ends in a newline of its own
	}
}

// PortGUID is the GUID of the port that -S, -G or -D names, 0 for none. The node
// at the end of a directed route is asked for it.
func (a *Around) PortGUID(ctx context.Context, client *madrpc.Client) (ib.GUID, error) {
	if !a.ByPath {
		return ib.GUID(LeadingUint(a.GUID)), nil
	}
	if a.noPath != nil {
		return 0, a.noPath
	}
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, a.from, 0)
	return node.PortGUID, err
}

// options are those of the scan.
func (a *Around) options(c *Common) *discover.Options {
	o := &discover.Options{MaxHops: a.Hops, MaxOutstanding: max(a.Outstanding, 0), NoExtendedPortInfo: !c.MLXExtendedPortInfo}
	if a.partial {
		o.From, o.FromGUID, o.MaxHops = a.from, a.fromGUID, max(a.Hops, 1)
	}
	return o
}
