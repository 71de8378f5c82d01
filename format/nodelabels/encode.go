package nodelabels

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/ibscope/ibscope/internal/escape"
)

// encode writes JSON without characters that a terminal could act on.
func encode(out io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(escape.JSON(b.Bytes()))
	return err
}
