// Command ibscope discovers, inspects and simulates InfiniBand fabrics. Under
// the name of a tool of infiniband-diags it is that tool.
package main

import (
	"os"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/cli/early"
	_ "github.com/ibscope/ibscope/internal/cli/early/version" // ends the process where the version is asked for
	"github.com/ibscope/ibscope/internal/source"
)

func main() {
	early.Continue(source.Others)
	os.Exit(cli.Main())
}
