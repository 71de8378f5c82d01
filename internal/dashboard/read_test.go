package dashboard

import (
	"errors"
	"strings"
	"testing"
)

const (
	at00   = `"gridPos":{"x":0,"y":0,"w":12,"h":8}`
	target = `"targets":[{"refId":"A","expr":"up"}]`
)

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ panels, want string }{
		"kind":           {`{"type":"graph",` + at00 + `,` + target + `}`, `panels of type "graph" are not known`},
		"no query":       {`{"type":"stat",` + at00 + `}`, "has no query"},
		"unit":           {`{"type":"stat",` + at00 + `,` + target + `,"fieldConfig":{"defaults":{"unit":"parsecs"}}}`, `unit "parsecs" is not known`},
		"unit of one":    {`{"type":"table",` + at00 + `,` + target + `,"fieldConfig":{"overrides":[{"properties":[{"id":"unit","value":"ells"}]}]}}`, `unit "ells" is not known`},
		"transformation": {`{"type":"table",` + at00 + `,` + target + `,"transformations":[{"id":"pivot"}]}`, `transformation "pivot" is not known`},
		"not merged":     {`{"type":"table",` + at00 + `,"targets":[{"refId":"A"},{"refId":"B"}]}`, "does not merge them"},
		"beside":         {`{"type":"stat","gridPos":{"x":20,"y":0,"w":5,"h":1},` + target + `}`, "the edge of the grid"},
		"on another":     {`{"id":1,"title":"below","type":"stat",` + at00 + `,` + target + `},{"id":2,"type":"stat","gridPos":{"x":11,"y":7,"w":2,"h":2},` + target + `}`, "lies on below"},
		"identity":       {`{"title":"first","type":"stat",` + at00 + `,` + target + `},{"type":"stat","gridPos":{"x":12,"y":0,"w":2,"h":2},` + target + `}`, `has the ID of "first"`},
	} {
		_, err := Read(strings.NewReader(board(c.panels)))
		if of := new(Error); !errors.As(err, &of) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(strings.NewReader("{")); err == nil {
		t.Error("half of a file is read")
	}
}
