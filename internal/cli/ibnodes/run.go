package ibnodes

import (
	"bytes"
	"context"
	"errors"
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
	if a.file != "" && !a.output {
		return fromFile(e, a.file, filters) // whatever the options say, as in C
	}
	c, inner, err := a.common(e, e.Program())
	if err != nil {
		return diags.Code(inner, err)
	}
	if c.JSON {
		return diags.Code(inner, document(ctx, c, &a, filters))
	}
	if a.file != "" {
		return fromFile(e, a.file, filters)
	}
	topology, err := sweep(ctx, c)
	if err != nil {
		return diags.Code(inner, err)
	}
	for _, f := range filters {
		if err := f.copy(e.Stdout, bytes.NewReader(topology)); err != nil {
			e.Complain("%v", err)
			return env.Failed
		}
	}
	return env.OK
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

// sweep gives what ibnetdiscover would print.
func sweep(ctx context.Context, c *diags.Common) ([]byte, error) {
	f, err := c.Discover(ctx, &discover.Options{})
	var fatal *diags.Fatal
	if errors.As(err, &fatal) { // C's filters let no empty line pass
		return nil, &diags.Fatal{Text: fatal.Text, Cause: fatal.Cause}
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = format.Write(&b, f, nil)
	return b.Bytes(), err
}
