package vendstat

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/vendordata"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// query is one run of the tool.
type query struct {
	*settings
	env    *env.Env
	client *madrpc.Client
	to     mad.Target
	found  document
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	q := &query{settings: s, env: e, client: client}
	if err := q.resolve(ctx); err != nil {
		return err
	}
	q.found.Destination = diags.DestinationOf(q.to)
	return q.Finish(q.ask(ctx), &q.found)
}

// resolve finds whom to ask.
func (q *query) resolve(ctx context.Context) error {
	if q.settings.to != "" {
		to, err := q.Resolve(ctx, q.client, q.settings.to)
		if err != nil {
			q.Failed(err)
			return &diags.Fatal{Text: "can't resolve destination port " + q.settings.to, Cause: err}
		}
		q.to = to
		return nil
	}
	self, err := q.Self(ctx, q.client)
	if err != nil {
		q.Failed(err)
		return &diags.Fatal{Text: "can't resolve self port (null)", Cause: err}
	}
	q.to, q.port = self.Target(), uint32(self.Num())
	return nil
}

// ask does what the options say, of which the first one counts.
func (q *query) ask(ctx context.Context) error {
	switch {
	case q.groups:
		return q.counterGroups(ctx)
	case q.setGroups:
		return q.configureGroups(ctx)
	case len(q.reads) > 0 || len(q.writes) > 0:
		return q.configSpace(ctx)
	case !q.general && !q.xmitWait:
		return &diags.Fatal{Text: "at least one of -N and -w must be specified"}
	}
	if err := vendordata.Supported(ctx, q.client, q.to); err != nil {
		return q.fatal(mlnx.AttrClassPortInfo, "classportinfo query", err)
	}
	device, err := vendordata.Device(ctx, q.client, q.to)
	if err != nil {
		return q.fatal(mlnx.AttrGeneralInfo, "generalinfo query", err)
	}
	if q.general {
		q.found.Device = newDevice(&device)
		if err := q.printf("%s", deviceText(&device)); err != nil {
			return err
		}
	}
	if !q.xmitWait {
		return nil
	}
	return q.readXmitWait(ctx, device.DeviceID)
}

// printf prints, unless a document is to be printed in the end.
func (q *query) printf(format string, args ...any) error {
	if q.JSON {
		return nil
	}
	if _, err := fmt.Fprintf(q.env.Stdout, format, args...); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}

// refused tells of a request that failed, in C's words too.
func (q *query) refused(method mad.Method, attr mad.AttrID, text string, err error) {
	q.Failed(err)
	fmt.Fprintf(q.env.Stderr, "vendstat: method %d, attribute %d failure\n", method, attr)
	if text != "" {
		fmt.Fprintln(q.env.Stderr, text)
	}
}

func (q *query) fatal(attr mad.AttrID, text string, err error) error {
	q.refused(mad.MethodGet, attr, "", err)
	return &diags.Fatal{Text: text, Cause: err}
}
