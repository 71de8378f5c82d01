// Command ibscope discovers, inspects and simulates InfiniBand fabrics. Under
// the name of a tool of infiniband-diags it is that tool.
package main

import (
	"os"

	"github.com/ibscope/ibscope/internal/cli"
	_ "github.com/ibscope/ibscope/internal/cli/early"         // ends the process in a drop-in tool
	_ "github.com/ibscope/ibscope/internal/cli/early/version" // and where the version is asked for
)

func main() { os.Exit(cli.Main()) }
