package hosttree

import (
	"regexp"
	"strconv"
	"strings"
)

// Rule changes names of hosts.
type Rule struct {
	pattern *regexp.Regexp
	text    string // with $1 for groups
	global  bool
}

// maxRule bounds the text of a rule.
const maxRule = 4096

// RuleError is a rule that cannot be used.
type RuleError struct {
	Text string
	Err  error // of the regular expression, nil for a rule that is not complete
}

func (e *RuleError) Error() string {
	if e.Err == nil {
		return strconv.Quote(e.Text) + ": expected s/REGEXP/TEXT/ or s/REGEXP/TEXT/g, with any sign for /"
	}
	return strconv.Quote(e.Text) + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *RuleError) Unwrap() error { return e.Err }

// ParseRule reads a rule as sed has it: s/REGEXP/TEXT/, with "g" for all matches and
// "i" for any case behind it. \1 to \9 in the text are groups and & is the match. The
// regular expression is one of Go's package regexp. Errors are *RuleError.
func ParseRule(rule string) (Rule, error) {
	if len(rule) < 4 || len(rule) > maxRule || rule[0] != 's' || rule[1] == '\\' || rule[1] >= 0x80 || isAlphanumeric(rule[1]) {
		return Rule{}, &RuleError{Text: rule[:min(len(rule), 80)]}
	}
	pattern, rest, ok := cutRule(rule[2:], rule[1])
	text, flags, okText := cutRule(rest, rule[1])
	if !ok || !okText || strings.Trim(flags, "gi") != "" || pattern == "" {
		return Rule{}, &RuleError{Text: rule}
	}
	if strings.Contains(flags, "i") {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Rule{}, &RuleError{Text: rule, Err: err}
	}
	return Rule{pattern: re, text: template(text), global: strings.Contains(flags, "g")}, nil
}

// Suffix is the rule that takes a suffix off.
func Suffix(suffix string) Rule {
	return Rule{pattern: regexp.MustCompile(regexp.QuoteMeta(suffix) + "$")}
}

// DomainRule is the rule that takes off all from the first dot.
func DomainRule() Rule { return Rule{pattern: regexp.MustCompile(`\..*$`)} }

// LowerCase is the rule that makes all letters small.
func LowerCase() Rule { return Rule{} }

// Apply changes a name.
func (r *Rule) Apply(name string) string {
	if r.pattern == nil {
		return strings.ToLower(name)
	}
	if r.global {
		return r.pattern.ReplaceAllString(name, r.text)
	}
	at := r.pattern.FindStringSubmatchIndex(name)
	if at == nil {
		return name
	}
	out := append([]byte(nil), name[:at[0]]...)
	out = r.pattern.ExpandString(out, r.text, name, at)
	return string(out) + name[at[1]:]
}

// cutRule splits at the first separator that has no backslash before it, and takes
// the backslash from those that have.
func cutRule(s string, separator byte) (before, after string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == separator:
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == separator:
			i++
			b.WriteByte(separator)
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// template turns sed's replacement into that of package regexp.
func template(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '$':
			b.WriteString("$$")
		case c == '&':
			b.WriteString("${0}")
		case c == '\\' && i+1 < len(text):
			i++
			if '0' <= text[i] && text[i] <= '9' {
				b.WriteString("${" + text[i:i+1] + "}")
			} else if text[i] == '$' {
				b.WriteString("$$")
			} else {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
