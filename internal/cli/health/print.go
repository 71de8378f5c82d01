package health

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/escape"
)

// printer prints findings for people.
type printer struct {
	b      strings.Builder
	name   func(*fabric.Node) string
	width  int // of a line; 0: the default
	colour bool
	all    bool
}

const (
	defaultWidth = 80
	minWidth     = 40
	maxOfKind    = 5 // findings of a kind that are printed without --all
	indent       = "          "
)

// ANSI attributes.
var (
	severityColour = map[judge.Severity]string{judge.Critical: "1;31", judge.Error: "31", judge.Warning: "33", judge.Note: "36"}
	verdictColour  = map[judge.Verdict]string{judge.Healthy: "1;32", judge.Degraded: "1;33", judge.Failing: "1;31", judge.Unknown: "1;33"}
)

func (p *printer) print(f *fabric.Fabric, r *judge.Report, told *report.Report) {
	if p.width == 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	p.findings(r)
	p.checks(r)
	verdict := strings.ToUpper(told.Verdict)
	p.line(p.paint(verdictColour[judge.Verdict(told.Verdict)], verdict), verdict+"  ", summary(f, r))
	if !told.IsComplete() {
		p.line("", "", "The report is not complete: something could not be read.")
	}
}

// findings prints them, and of a kind no more than maxOfKind unless all are wanted.
func (p *printer) findings(r *judge.Report) {
	type kind struct {
		judge.Kind
		judge.Severity
	}
	total, printed := map[kind]int{}, map[kind]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		total[kind{f.Kind, f.Severity}]++
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		k := kind{f.Kind, f.Severity}
		if printed[k]++; !p.all && printed[k] > maxOfKind {
			if printed[k] == maxOfKind+1 {
				p.line(p.paint(severityColour[f.Severity], f.Severity.String()), pad(f.Severity.String()),
					fmt.Sprintf("… and %d more of the kind %s; --all prints them", total[k]-maxOfKind, f.Kind))
				p.b.WriteByte('\n')
			}
			continue
		}
		p.finding(f)
	}
}

// pad is a text in the width of the indent.
func pad(s string) string { return fmt.Sprintf("%-*s", len(indent), s) }

func (p *printer) finding(f *judge.Finding) {
	word := f.Severity.String()
	p.line(p.paint(severityColour[f.Severity], word), pad(word), f.Text+" ["+string(f.Kind)+"]")
	for i, line := range f.Evidence {
		p.under("seen", i, line)
	}
	for i, line := range f.Remedy {
		p.under("do", i, line)
	}
	p.b.WriteByte('\n')
}

// under prints a line below a finding; a word stands before the first of its kind.
func (p *printer) under(word string, i int, text string) {
	if i > 0 {
		word = ""
	}
	p.line("", indent+fmt.Sprintf("%-6s", word), text)
}

// checks tells what was looked at, and what was not.
func (p *printer) checks(r *judge.Report) {
	var done, not []string
	for i := range r.Checks {
		c := &r.Checks[i]
		if c.Skipped != "" {
			not = append(not, c.Name+" ("+c.Skipped+")")
		} else {
			done = append(done, c.Name)
		}
	}
	p.line("", pad("checked"), strings.Join(done, ", "))
	if len(not) > 0 {
		p.line("", pad("not"), strings.Join(not, ", "))
	}
}

// summary is the findings in a line.
func summary(f *fabric.Fabric, r *judge.Report) string {
	text := counted(f.NumNodes(), "node") + ", " + counted(numLinks(f), "link") + ": "
	if len(r.Findings) == 0 {
		return text + "nothing found"
	}
	var list []string
	for _, s := range []judge.Severity{judge.Critical, judge.Error, judge.Warning, judge.Note} {
		if n := r.Count(s); n > 0 {
			list = append(list, counted(n, s.String()))
		}
	}
	return text + strings.Join(list, ", ")
}

// counted is a number of things. "critical" has no plural.
func counted(n int, word string) string {
	if n != 1 && word != judge.Critical.String() {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// line prints a text behind a head, in the width of the page. The head is painted,
// or as plain as it is.
func (p *printer) line(painted, plain, text string) {
	head := plain
	if painted != "" {
		head = painted + plain[len(strings.TrimRight(plain, " ")):]
	}
	room := p.width - utf8.RuneCountInString(plain)
	p.b.WriteString(head)
	used := 0
	for i, word := range strings.Fields(escape.Text(text)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > room:
			p.b.WriteString("\n" + strings.Repeat(" ", utf8.RuneCountInString(plain)))
			used = 0
		default:
			p.b.WriteByte(' ')
			used++
		}
		p.b.WriteString(word)
		used += n
	}
	p.b.WriteByte('\n')
}

func (p *printer) paint(attribute, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}
