package lines

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
)

// MaxProblems is how many problems of one file are listed. A file that is not
// what it seems would otherwise cost more memory than it is long.
const MaxProblems = 1000

// Problems gathers what a reader could not understand.
type Problems struct {
	File string
	list []fabric.Problem
	more int
}

// At is the place of a line, for Problem.File.
func (p *Problems) At(line int) string { return p.File + ":" + strconv.Itoa(line) }

// Bad records that a line could not be understood.
func (p *Problems) Bad(line int, format string, args ...any) {
	if len(p.list) >= MaxProblems {
		p.more++
		return
	}
	p.Add(fabric.Problem{Kind: fabric.BadInput, Port: -1, File: p.At(line), Detail: fmt.Sprintf(format, args...)})
}

// Add records a problem.
func (p *Problems) Add(problem fabric.Problem) {
	if len(p.list) >= MaxProblems {
		p.more++
		return
	}
	p.list = append(p.list, problem)
}

// List is what was recorded, and one problem that counts those beyond MaxProblems.
func (p *Problems) List() []fabric.Problem {
	if p.more == 0 {
		return p.list
	}
	return append(p.list[:len(p.list):len(p.list)], fabric.Problem{
		Kind: fabric.BadInput, Port: -1, File: p.File,
		Detail: fmt.Sprintf("%d more problems are not listed", p.more),
	})
}

// Excerpt is the start of a line, for a message.
func Excerpt(line []byte) string {
	const length = 60
	if len(line) > length {
		return strconv.Quote(string(line[:length])) + "…"
	}
	return strconv.Quote(string(line))
}
