package ibsimnet

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
)

// keyword is the start of a line, and who reads the rest of the line.
type keyword struct {
	word string
	read func(*parser, lines.Cursor)
}

// keywords are the lines that ibsim knows, in the order in which it tries them.
// A keyword must stand at the start of a line.
func keywords() []keyword {
	return []keyword{
		{"Switch", (*parser).readSwitch},
		{"Hca", (*parser).readCA},
		{"Ca", (*parser).readCA},
		{"Rt", (*parser).readRouter},
		{"switchguid", (*parser).readSwitchGUID},
		{"hcaguids", (*parser).readCAGUID},
		{"caguid", (*parser).readCAGUID},
		{"rtguid", (*parser).readRouterGUID},
		{"vendid", (*parser).readVendor},
		{"devid", (*parser).readDevice},
		{"sysimgguid", (*parser).readSystem},
		{"width", (*parser).readWidth},
		{"speed", (*parser).readSpeed},
		{"extspeed", (*parser).readExtSpeed},
		{"module", (*parser).readModule},
		{"include", (*parser).readInclude},
		{"pdebug", func(*parser, lines.Cursor) {}},
		{"do", (*parser).readDo},
	}
}

// readFile reads a file, and those that it includes.
func (p *parser) readFile(r io.Reader, name string) error {
	p.files = append(p.files, name)
	p.file = len(p.files) - 1
	s := lines.NewScanner(r)
	for s.Scan() {
		if p.line = s.Num(); s.Cut() {
			p.bad("the line is longer than %d bytes; its end is not read", lines.MaxLength)
		}
		p.readLine(s.Bytes())
		if p.total > lines.MaxPorts {
			return &Error{Op: "read", File: name, Line: p.line, Err: ErrTooLarge}
		}
	}
	p.open = nil
	if err := s.Err(); err != nil {
		return &Error{Op: "read", File: name, Line: s.Num(), Err: err}
	}
	return nil
}

func (p *parser) readLine(line []byte) {
	text := lines.Cursor(line)
	if len(text) > 0 && (text[0] == '[' || text[0] == '@') {
		p.readPort(text)
		return
	}
	if text.Blanks(); len(text) == 0 {
		p.open = nil
		return
	}
	if text[0] == '#' {
		return
	}
	if len(text) == len(line) {
		p.readKeyword(text)
		return
	}
	p.open = nil
	p.bad("this line begins with blanks and is ignored, as ibsim does")
}

func (p *parser) readKeyword(text lines.Cursor) {
	for _, k := range p.keywords {
		rest := text
		if !rest.Text(k.word) {
			continue
		}
		if p.open != nil && p.open.left > 0 {
			p.bad("an empty line is missing before this one: ibsim would not see it")
		}
		p.open = nil
		k.read(p, rest)
		return
	}
	p.open = nil
	p.bad("expected a node header, a port line or another keyword of ibsim, got %s", lines.Excerpt(text))
}

// readInclude reads the file that an include line names.
func (p *parser) readInclude(text lines.Cursor) {
	text.Blanks()
	inner, ok := text.Between('"', '"')
	switch {
	case !ok || len(inner) == 0 || strings.IndexByte(string(inner), 0) >= 0:
		p.bad(`expected include "file"`)
		return
	case p.opts.NoInclude:
		p.bad("include lines are not allowed here; %s is not read", lines.Excerpt(inner))
		return
	case p.depth >= maxDepth || len(p.files) > maxIncludes:
		p.bad("included files are nested more than %d deep, or more than %d; this one is not read", maxDepth, maxIncludes)
		return
	}
	name := string(inner)
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(p.files[p.file]), name)
	}
	p.include(name)
}

func (p *parser) include(name string) {
	at := p.here()
	f, err := openRegular(name)
	if err == nil {
		defer f.Close()
		p.depth++
		err = p.readFile(f, name)
		p.depth--
	}
	p.file, p.line = int(at.file), int(at.line)
	if err != nil {
		p.bad("cannot include: %v", err)
	}
}

// openRegular opens a file that has an end: a topology from elsewhere must not
// make its reader wait for a pipe or a device.
func openRegular(name string) (*os.File, error) {
	if fi, err := os.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return os.Open(name)
}

// readDo passes over console commands.
func (p *parser) readDo(text lines.Cursor) {
	text.Blanks()
	p.bad("console commands are not run: %s", lines.Excerpt(text))
}
