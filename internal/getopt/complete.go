package getopt

import "strings"

// Complete lists the options that begin with what was typed so far, each with
// its help after a tab. Nothing is listed for an operand.
func Complete(options []Option, typed string) []string {
	var list []string
	add := func(name, help string) {
		if strings.HasPrefix(typed, "-") && strings.HasPrefix(name, typed) {
			list = append(list, name+"\t"+help)
		}
	}
	for i := range options {
		o := &options[i]
		add("--"+o.Long, o.Help)
		if o.Short != 0 {
			add("-"+string(rune(o.Short)), o.Help)
		}
	}
	return list
}
