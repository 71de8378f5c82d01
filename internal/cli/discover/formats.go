package discover

import (
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/dot"
	"github.com/ibscope/ibscope/format/fabricjson"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/summary"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
)

// job is a fabric to write and how.
type job struct {
	fabric *fabric.Fabric
	names  ibnetdiscover.Namer
	colour bool
}

// format is one way to print a fabric.
type format struct {
	name  string
	write func(w io.Writer, j *job) error
}

// formats are the values of -o.
var formats = []format{
	{"summary", func(w io.Writer, j *job) error {
		return summary.Write(w, j.fabric, &summary.Options{Colour: j.colour, Name: names.Of(j.names)})
	}},
	{"ibnetdiscover", func(w io.Writer, j *job) error {
		return ibnetdiscover.Write(w, j.fabric, &ibnetdiscover.Options{Names: j.names})
	}},
	{"ports", func(w io.Writer, j *job) error {
		return ibnetdiscover.WritePorts(w, j.fabric, &ibnetdiscover.Options{Names: j.names})
	}},
	{"list", func(w io.Writer, j *job) error {
		return ibnetdiscover.WriteList(w, j.fabric, &ibnetdiscover.Options{Names: j.names})
	}},
	{"json", func(w io.Writer, j *job) error {
		return fabricjson.Write(w, j.fabric, &fabricjson.Options{Name: names.Of(j.names)})
	}},
	{"ndjson", func(w io.Writer, j *job) error {
		return fabricjson.WriteLines(w, j.fabric, &fabricjson.Options{Name: names.Of(j.names)})
	}},
	{"dot", func(w io.Writer, j *job) error {
		return dot.Write(w, j.fabric, &dot.Options{Name: names.Of(j.names)})
	}},
}

func formatNames() []string {
	list := make([]string, 0, len(formats))
	for _, f := range formats {
		list = append(list, f.name)
	}
	return list
}

func findFormat(name string) (*format, error) {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i], nil
		}
	}
	return nil, env.Exitf(env.Usage, "--output %s: there are %s", name, strings.Join(formatNames(), ", "))
}
