package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/manpage"
)

// manCommand writes the manual pages of all commands and tools.
func manCommand(e *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the manual pages",
		Long: `Man writes the manual pages of ibscope and its commands into man1, those of the
drop-in tools into man8, below a directory, the current one by default. Directories
that are not there are made.`,
		Example: `  ibscope man /usr/local/share/man && man ibscope-discover && man ibportstate
  ibscope man pages && man -l pages/man1/ibscope.1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			for _, page := range manPages(c.Root()) {
				section := filepath.Join(dir, fmt.Sprintf("man%d", page.Section))
				if err := os.MkdirAll(section, 0o755); err != nil {
					return &env.ExitError{Code: env.Failed, Err: err}
				}
				name := filepath.Join(section, fmt.Sprintf("%s.%d", page.Name, page.Section))
				if err := output.Write(name, nil, func(w io.Writer) error { return page.Write(w) }); err != nil {
					return &env.ExitError{Code: env.Failed, Err: err}
				}
			}
			return nil
		},
	}
}

// manPages makes all pages: one for ibscope, one for each subcommand, at
// every depth, that is not a drop-in tool, one for each tool.
func manPages(root *cobra.Command) []*manpage.Page {
	pages := []*manpage.Page{commandPage(root)}
	for _, c := range root.Commands() {
		if _, isApplet := applets.Find(c.Name()); !isApplet && c.IsAvailableCommand() && c.Name() != "completion" {
			pages = append(pages, commandPages(c)...)
		}
	}
	for _, a := range applets.All() {
		pages = append(pages, a.Tool.ManPage())
	}
	return pages
}

// commandPages are those of a command and of all below it.
func commandPages(c *cobra.Command) []*manpage.Page {
	pages := []*manpage.Page{commandPage(c)}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, commandPages(sub)...)
		}
	}
	return pages
}

// exitStatus is that of all subcommands without an annotation of their own.
const exitStatus = `0: complete.
1: failed.
2: a mistake in the command line.
3: the result was printed, but something of it is missing.`

func commandPage(c *cobra.Command) *manpage.Page {
	page := &manpage.Page{
		Name:        strings.ReplaceAll(c.CommandPath(), " ", "-"),
		Section:     1,
		Summary:     c.Short,
		Synopsis:    []string{c.UseLine()},
		Description: c.Long,
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		page.Options = append(page.Options, manpage.Option{Names: flagNames(f), Help: flagHelp(f)})
	})
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			page.Options = append(page.Options, manpage.Option{Names: sub.Name(), Help: sub.Short})
		}
	}
	if c.Example != "" {
		page.Sections = append(page.Sections, manpage.Section{Title: "Examples", Text: c.Example})
	}
	status := cmp.Or(c.Annotations[env.ExitStatus], exitStatus)
	page.Sections = append(page.Sections, manpage.Section{Title: "Exit status", Text: strings.ReplaceAll(status, "\n", "\n\n")})
	if c.HasParent() {
		page.SeeAlso = []string{program + "(1)"}
	}
	return page
}

func flagNames(f *pflag.Flag) string {
	names := "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	if argument, _ := pflag.UnquoteUsage(f); argument != "" {
		names += " " + argument
	}
	return names
}

func flagHelp(f *pflag.Flag) string {
	_, help := pflag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "false" {
		help += " (default " + f.DefValue + ")"
	}
	return help
}
