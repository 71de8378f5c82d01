package ibidsverify

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric/identifiers"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// exitFound is the exit code when identifiers are missing or used twice.
const exitFound = 1

func run(ctx context.Context, e *env.Env) error {
	c, _, err := Tool.ParseScript(e, usage, func(byte, string) {})
	if err != nil {
		return err
	}
	f, err := c.Discover(ctx, &discover.Options{})
	if err != nil {
		return err
	}
	findings := identifiers.Verify(format.Nodes(f, true))
	if c.JSON {
		err = c.PrintDocument(documentOf(findings))
	} else {
		for _, found := range findings {
			if _, err = fmt.Fprintln(e.Stdout, found); err != nil {
				break
			}
		}
	}
	if err == nil && len(findings) > 0 {
		return &diags.Exit{Code: exitFound}
	}
	return err
}
