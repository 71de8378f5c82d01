package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// toolsCommand lists the drop-in tools, so that a script can make the links.
func toolsCommand(e *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "tools",
		Short: "List the names of the drop-in tools",
		Long:  "Tools prints the names under which ibscope is a drop-in tool, one a line.",
		Example: `  for t in $(ibscope tools); do ln -s ibscope $t; done
  source <(ibscope completion bash); complete -o default -F __start_ibscope $(ibscope tools)
  source <(ibscope completion zsh); compdef _ibscope $(ibscope tools)`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, a := range applets.All() {
				if _, err := fmt.Fprintln(e.Stdout, a.Tool.Name); err != nil {
					return &env.ExitError{Code: env.Failed, Err: err}
				}
			}
			return nil
		},
	}
}
