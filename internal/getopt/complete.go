package getopt

import "strings"

// Find is the option that a word such as "--Ca", "-C" or "-vC" ends with: its
// long name in whole, or its letter. nil if it is none.
func Find(options []Option, word string) *Option {
	long, isLong := strings.CutPrefix(word, "--")
	for i := range options {
		o := &options[i]
		if isLong && o.Long == long && long != "" {
			return o
		}
		if !isLong && len(word) > 1 && word[0] == '-' && o.Short == word[len(word)-1] {
			return o
		}
	}
	return nil
}

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
