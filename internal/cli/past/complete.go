package past

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/escape"
)

// maxOffered bounds how many nodes completion offers.
const maxOffered = 1000

// CompleteNodes completes the first argument of a command with the nodes of the last
// state that the history has: their names, or their GUIDs where 0x has been typed.
func (f *Flags) CompleteNodes(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx := c.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	return f.nodes(ctx, typed), cobra.ShellCompDirectiveNoFileComp
}

// nodes are those that begin with what was typed; none where there is no history.
func (f *Flags) nodes(ctx context.Context, typed string) (offered []string) {
	db, err := f.Open(ctx)
	if err != nil {
		return nil
	}
	defer db.Close()
	model, _, err := db.FabricAt(ctx, f.Fabric, time.Time{})
	if err != nil {
		return nil
	}
	book := names.In(model, nil)
	for n := range model.Nodes() {
		word, help := escape.Text(book.Short(n)), n.GUID().String()
		if strings.HasPrefix(typed, "0x") {
			word, help = help, word
		}
		if strings.HasPrefix(word, typed) && len(offered) < maxOffered {
			offered = append(offered, word+"\t"+help)
		}
	}
	return offered
}
