package ibnodes

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/ibscope/ibscope/discover"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// maxTopology bounds what is read of a topology file.
const maxTopology = 4 << 30

// run prints the lists that the filters make. The exit code is that of the last.
func run(ctx context.Context, e *env.Env, filters ...filter) int {
	a, ok := parse(e.Args[1:])
	if !ok {
		for _, f := range filters {
			fmt.Fprintf(e.Stdout, "Usage: %s [-h] [<topology-file> | -y mkey -C ca_name -P ca_port -t timeout_ms]\n", f.tool)
		}
		return diags.ExitFatal
	}
	if a.file != "" {
		return fromFile(e, a.file, filters)
	}
	return fromSweep(ctx, e, &a, filters)
}

func fromFile(e *env.Env, name string, filters []filter) int {
	for _, f := range filters {
		file, err := os.Open(name)
		if err != nil {
			e.Complain("%v", err)
			return env.Failed
		}
		err = f.copy(e.Stdout, io.LimitReader(file, maxTopology))
		file.Close()
		if err != nil {
			e.Complain("%v", err)
			return env.Failed
		}
	}
	return env.OK
}

func fromSweep(ctx context.Context, e *env.Env, a *arguments, filters []filter) int {
	topology, err := a.topology(ctx, e)
	if err != nil {
		return diags.Code(e.WithArgs("ibnetdiscover"), err)
	}
	for _, f := range filters {
		if err := f.copy(e.Stdout, bytes.NewReader(topology)); err != nil {
			e.Complain("%v", err)
			return env.Failed
		}
	}
	return env.OK
}

// topology is what ibnetdiscover would print.
func (a *arguments) topology(ctx context.Context, e *env.Env) ([]byte, error) {
	c, err := a.common(e)
	if err != nil {
		return nil, err
	}
	f, err := c.Discover(ctx, &discover.Options{})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = format.Write(&b, f, nil)
	return b.Bytes(), err
}
