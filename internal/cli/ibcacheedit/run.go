package ibcacheedit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Run runs the command and gives its exit code.
func Run(_ context.Context, e *env.Env) int { return diags.Code(e, run(e)) }

// kinds are the options in the order in which their changes are made.
var kinds = []string{"switchguid", "caguid", "sysimgguid", "portguid"}

func kindOf(option string) cache.GUIDKind {
	switch option {
	case "switchguid":
		return cache.SwitchGUID
	case "caguid":
		return cache.CAGUID
	case "sysimgguid":
		return cache.SystemImageGUID
	}
	return cache.PortGUID
}

func run(e *env.Env) error {
	asked := map[string]cache.Change{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		change, ok := parse(kindOf(o.Long), value)
		if !ok {
			fmt.Fprintf(e.Stderr, "invalid input '%s'\n", escape.Text(value))
			return Tool.Usage(e)
		}
		asked[o.Long] = change
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(operands) == 0:
		return &diags.Fatal{Text: "original cache file not specified"}
	case len(operands) == 1:
		return &diags.Fatal{Text: "new cache file not specified"}
	}
	found := document{From: operands[0], To: operands[1]}
	err = edit(e, common, &found, asked)
	return common.Finish(err, &found)
}

// parse reads "before:after", or "node:before:after". Like C, it takes the number
// that each part begins with, and wants something behind each colon.
func parse(kind cache.GUIDKind, text string) (cache.Change, bool) {
	c := cache.Change{Kind: kind}
	parts := []*ib.GUID{&c.Before, &c.After}
	if kind == cache.PortGUID {
		parts = []*ib.GUID{&c.Node, &c.Before, &c.After}
	}
	for i, guid := range parts {
		before, after, isThere := strings.Cut(text, ":")
		if i < len(parts)-1 && (!isThere || after == "") {
			return c, false
		}
		*guid = ib.GUID(diags.LeadingUint(before))
		text = after
	}
	return c, true
}

// edit reads, changes and writes.
func edit(e *env.Env, common *diags.Common, found *document, asked map[string]cache.Change) error {
	records, err := cache.ReadRecords(found.From)
	if err != nil {
		return failed(e, common, "loading original cached fabric failed", err)
	}
	for _, kind := range kinds {
		change, isAsked := asked[kind]
		if !isAsked {
			continue
		}
		if err := records.Replace(change); err != nil {
			var missing *cache.Error
			if errors.As(err, &missing) {
				return &diags.Fatal{Text: missing.What + " not found", Cause: err}
			}
			return err
		}
		found.Changes = append(found.Changes, newChange(kind, &change))
	}
	if err := records.WriteFile(found.To); err != nil {
		return failed(e, common, "caching new cache data failed", err)
	}
	found.Written = true
	return nil
}

// failed tells the cause on stderr, unless a document does.
func failed(e *env.Env, common *diags.Common, text string, err error) error {
	if !common.JSON {
		e.Complain("%v", err)
	}
	return &diags.Fatal{Text: text, Cause: err}
}
