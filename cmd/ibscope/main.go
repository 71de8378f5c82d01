// Command ibscope discovers, inspects and simulates InfiniBand fabrics. Under
// the name of a tool of infiniband-diags it is that tool.
package main

import (
	"os"

	"github.com/ibscope/ibscope/internal/cli"
)

func main() { os.Exit(cli.Main()) }
