package simexport

import (
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/dot"
	"github.com/ibscope/ibscope/format/fabricjson"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/ibsimnet"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/source"
)

// target is one way to write a fabric.
type target struct {
	name  string
	write func(io.Writer, *fabric.Fabric) error
}

// targets are the values of -o, the default first.
var targets = []target{
	{"ibnetdiscover", func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.Write(w, f, nil) }},
	{"ibsim", ibsimnet.Write},
	{"cache", cache.Write},
	{"snapshot", func(w io.Writer, f *fabric.Fabric) error { return snapshot.Write(w, &snapshot.Snapshot{Fabric: f}) }},
	{"json", func(w io.Writer, f *fabric.Fabric) error { return fabricjson.Write(w, f, nil) }},
	{"ndjson", func(w io.Writer, f *fabric.Fabric) error { return fabricjson.WriteLines(w, f, nil) }},
	{"dot", func(w io.Writer, f *fabric.Fabric) error { return dot.Write(w, f, nil) }},
}

func formatNames() []string {
	list := make([]string, 0, len(targets))
	for _, f := range targets {
		list = append(list, f.name)
	}
	return list
}

func (s *settings) run(e *env.Env, uri, file string) error {
	for _, f := range targets {
		if f.name != s.format {
			continue
		}
		simulator, err := source.OpenSimulator(uri)
		if err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
		err = output.Write(file, e.Stdout, func(w io.Writer) error { return f.write(w, simulator.Fabric.Model()) })
		if err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
		return nil
	}
	return env.Exitf(env.Usage, "--output %s: there are %s", s.format, strings.Join(formatNames(), ", "))
}
