package output

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/ibscope/ibscope/internal/escape"
)

// JSON writes a value as an indented document that is safe to show on a terminal.
func JSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escape.JSON(b.Bytes()))
	return err
}
