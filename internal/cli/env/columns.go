package env

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// Columns is how many characters fit on a line of a stream: what the variable
// COLUMNS says, else the width of the terminal. It is 0, for no limit, when the
// stream is something else.
func (e *Env) Columns(stream any) int {
	if n, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := stream.(*os.File); ok && e.IsTerminal(stream) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}
