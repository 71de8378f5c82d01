package diags

import (
	"strings"

	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/internal/manpage"
)

// ManPage is the tool's manual page, from its declaration.
func (t *Tool) ManPage() *manpage.Page {
	page := &manpage.Page{
		Name: t.Name, Section: 8, Summary: t.Summary,
		Synopsis:    []string{t.Name + " [options] " + t.OperandText()},
		Description: t.Description,
		SeeAlso:     []string{"ibscope(1)"},
	}
	for _, o := range t.AllOptions() {
		page.Options = append(page.Options, manpage.Option{Names: optionNames(&o), Help: o.Help})
	}
	if t.usesFabric() {
		page.Sections = []manpage.Section{
			{Title: "Environment", Text: "IBSCOPE_FABRIC names the fabric to use instead of a kernel port, as " +
				"--fabric does; -C and -P then have no effect."},
			{Title: "Files", Text: "/etc/infiniband-diags/ibdiag.conf is read before the options."},
		}
	}
	if t.ExitStatus != "" {
		page.Sections = append(page.Sections, manpage.Section{Title: "Exit status", Text: t.ExitStatus})
	}
	return page
}

// usesFabric reports whether the tool can be told which port to use: the others
// look at the devices of this machine only.
func (t *Tool) usesFabric() bool { return !strings.ContainsRune(t.Excluded, 'C') }

func optionNames(o *getopt.Option) string {
	names := "--" + o.Long
	if o.Short != 0 {
		names = "-" + string(rune(o.Short)) + ", " + names
	}
	if o.TakesArgument() {
		names += " <" + o.Arg + ">"
	}
	return names
}
