package anonymize

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
)

func (s *settings) run(e *env.Env, file string) error {
	if s.as != "" && !slices.Contains(kindNames(), s.as) {
		return env.Exitf(env.Usage, "--as %s: there are %s", s.as, strings.Join(kindNames(), ", "))
	}
	d, err := read(e, file)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	for _, p := range d.Fabric.Problems() {
		if p.Kind.IsLoss() && p.File != "" {
			e.Complain("%s: %v; it is left out", p.Kind, p)
		}
	}
	out := d.Anonymize(s.secret(), &anonymize.Options{HideVendors: s.hideVendors})
	if s.as != "" && s.as != string(out.Kind) {
		out.Kind, out.Compressed = format.Kind(s.as), false
	}
	if out.Snapshot != nil {
		out.Snapshot.Tool = "ibscope " + e.Version
	}
	err = output.Write(s.file, e.Stdout, out.Write)
	if errors.Is(err, format.ErrNotWritable) {
		return env.Exitf(env.Usage, "%s: a file of this kind cannot be written; say with --as what to write: %s", file, strings.Join(kindNames(), ", "))
	}
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return nil
}

func read(e *env.Env, file string) (*format.Document, error) {
	if file == "-" {
		return format.ReadDocument(e.Stdin, "standard input")
	}
	return format.LoadDocument(file)
}

// secret is the seed, or one that nobody knows.
func (s *settings) secret() []byte {
	if s.seed != "" {
		return []byte(s.seed)
	}
	return []byte(rand.Text())
}
