package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/internal/source/core"
)

// completeFabrics offers fabrics for the flag of that name of a command and of
// those below it.
func completeFabrics(e *Env, c *cobra.Command) {
	if c.Flags().Lookup("fabric") != nil {
		complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return live.URIs(e, typed), cobra.ShellCompDirectiveNoSpace
		}
		if err := c.RegisterFlagCompletionFunc("fabric", complete); err != nil {
			panic(err) // the flag is there, and no command offers values for it itself
		}
	}
	for _, sub := range c.Commands() {
		completeFabrics(e, sub)
	}
}

// completion is one word of a drop-in tool's command line to be completed.
type completion struct {
	env      *Env
	tool     *diags.Tool
	fabric   string // URI; "" for the kernel port of ca
	ca       string
	byGUID   bool
	operands int // that stand before the word
}

// completeTool offers options, values of options, and operands.
func completeTool(e *Env, tool *diags.Tool, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	c := &completion{env: e, tool: tool, fabric: e.Getenv("IBSCOPE_FABRIC")}
	pending := c.scan(args)
	name, value, joined := strings.Cut(typed, "=")
	switch {
	case pending != nil:
		return c.value(pending, typed)
	case joined && strings.HasPrefix(name, "--"):
		o := getopt.Find(tool.AllOptions(), name)
		if o == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		list, directive := c.value(o, value)
		for i := range list {
			list[i] = name + "=" + list[i]
		}
		return list, directive
	case strings.HasPrefix(typed, "-"):
		return getopt.Complete(tool.AllOptions(), typed), cobra.ShellCompDirectiveDefault
	}
	return c.operand(typed)
}

// scan learns from the words before, and gives the option that waits for its
// value, nil if there is none.
func (c *completion) scan(args []string) (pending *getopt.Option) {
	options := c.tool.AllOptions()
	for _, arg := range args {
		if pending != nil {
			c.learn(pending, arg)
			pending = nil
			continue
		}
		name, value, joined := strings.Cut(arg, "=")
		o := getopt.Find(options, name)
		switch {
		case o == nil && !strings.HasPrefix(arg, "-"):
			c.operands++
		case o == nil:
		case joined || !o.TakesArgument():
			c.learn(o, value)
		default:
			pending = o
		}
	}
	return pending
}

func (c *completion) learn(o *getopt.Option, value string) {
	switch o.Long {
	case "fabric":
		c.fabric = value
	case "Ca":
		c.ca = value
	case "Guid":
		c.byGUID = true
	}
}

// uri is the fabric that the command line is about.
func (c *completion) uri() string {
	if c.fabric != "" {
		return c.fabric
	}
	return core.UmadURI(c.ca, 0)
}

// value offers what the argument of an option may be, by the name that the usage
// text has for it.
func (c *completion) value(o *getopt.Option, typed string) ([]string, cobra.ShellCompDirective) {
	const only = cobra.ShellCompDirectiveNoFileComp
	switch {
	case strings.Contains(o.Arg, "|"):
		return startingWith(strings.Split(o.Arg, "|"), typed), only
	case o.Arg == "ca":
		return live.Devices(c.env, typed), only
	case o.Arg == "port":
		return live.Ports(c.env, c.ca, typed), only
	case o.Arg == "uri":
		return live.URIs(c.env, typed), cobra.ShellCompDirectiveNoSpace
	case strings.HasSuffix(o.Arg, "guid"):
		return live.GUIDs(c.env, c.uri(), typed), only
	case strings.HasSuffix(o.Arg, "lid"):
		return live.LIDs(c.env, c.uri(), typed), only
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// operand offers words, devices, or the nodes of the last sweep, by the name that
// the usage text has for the operand.
func (c *completion) operand(typed string) ([]string, cobra.ShellCompDirective) {
	const only = cobra.ShellCompDirectiveNoFileComp
	names := operandNames(c.tool.OperandText())
	name := ""
	if c.operands < len(names) {
		name = names[c.operands]
	}
	words := max(0, slices.Index(names, "op"))
	isAddress := containsAny(name, "lid", "addr", "dr_path", "guid")
	switch {
	case c.operands == words && c.tool.Words != nil:
		return startingWith(c.tool.Words(), typed), only
	case containsAny(name, "ca_name", "devname"):
		return live.Devices(c.env, typed), only
	case isAddress && (c.byGUID || !containsAny(name, "lid", "addr", "dr_path")):
		return live.GUIDs(c.env, c.uri(), typed), only
	case isAddress:
		return live.LIDs(c.env, c.uri(), typed), only
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// operandNames are the operands of a usage text, one after the other:
// "<dest lid|guid> [<op>]" has "dest_lid|guid" and "op".
func operandNames(usage string) []string {
	usage, _, _ = strings.Cut(usage, "\n")
	option := regexp.MustCompile(`\[-[^]]*\]`) // among the operands, as in "[-c key] <op>"
	usage = strings.ReplaceAll(option.ReplaceAllString(usage, ""), " | ", "|")
	inside := false
	return strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '<' || r == '>':
			inside = r == '<'
			return -1
		case r == '[' || r == ']':
			return -1
		case r == ' ' && inside:
			return '_'
		}
		return r
	}, usage))
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func startingWith(words []string, typed string) []string {
	var list []string
	for _, w := range words {
		if strings.HasPrefix(strings.ToLower(w), strings.ToLower(typed)) {
			list = append(list, w)
		}
	}
	return list
}
