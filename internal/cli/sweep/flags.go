// Package sweep is how commands get a fabric: the flags that say from where and
// how, the progress line, and the report of what went wrong.
package sweep

import (
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/mad"
)

// Flags are the flags of commands that look at a fabric.
type Flags struct {
	Fabric         string
	From           string
	MaxHops        int
	Timeout        time.Duration
	Retries        int
	MaxOutstanding int
	PerTarget      int
	Rate           float64
	Deadline       time.Duration
	MKey           string
	Capture        capture.Capture

	set FlagSet // that they were added to
}

// FlagSet is what takes the flags: a *pflag.FlagSet. Package pflag is not imported, for
// drop-in tools have no use for it.
type FlagSet interface {
	capture.FlagSet
	IntVar(p *int, name string, value int, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	DurationVar(p *time.Duration, name string, value time.Duration, usage string)
	Changed(name string) bool
}

// Register adds the flags to a command.
func (f *Flags) Register(fs FlagSet) {
	f.set = fs
	fs.StringVar(&f.Fabric, "fabric", "", "`URI` of the fabric: umad:CA/PORT, sim:FILE, sim:GENERATOR?…, ibsim:, file:FILE (default $IBSCOPE_FABRIC, else umad:)")
	fs.StringVar(&f.From, "from", "", "start at `NODE`: a directed route 0,1,2, lid:N or guid:G (default the local node)")
	fs.IntVar(&f.MaxHops, "max-hops", 0, "go at most `N` links away from the start (0 = no limit)")
	fs.DurationVar(&f.Timeout, "timeout", 0, "wait `TIME` for each reply (default as the fabric's replies suggest)")
	fs.IntVar(&f.Retries, "retries", 0, "repeat a request `N` times when no reply comes (default as the fabric's losses ask for)")
	fs.IntVar(&f.MaxOutstanding, "max-outstanding", 0, "keep at most `N` requests in flight (0 = as many as the fabric answers)")
	fs.Float64Var(&f.Rate, "rate", 0, "send at most `N` requests in a second (0 = no limit)")
	fs.IntVar(&f.PerTarget, "per-target", 0, "keep at most `N` requests in flight to one node (0 = the library's choice)")
	fs.DurationVar(&f.Deadline, "deadline", 0, "stop after `TIME` and print what is known (0 = no limit)")
	f.Capture.Register(fs)
	fs.StringVar(&f.MKey, "m-key", "", "M_Key of the requests, a `NUMBER`; anything else asks for it")
}

// URI is the fabric's URI, from the flag or the environment.
func (f *Flags) URI(e *env.Env) string {
	if f.Fabric != "" {
		return f.Fabric
	}
	if uri := e.Getenv("IBSCOPE_FABRIC"); uri != "" {
		return uri
	}
	return core.UmadURI("", 0)
}

// Options turns the flags into options of a sweep. Errors are mistakes of usage.
func (f *Flags) Options(e *env.Env) (*discover.Options, error) {
	o := &discover.Options{
		MaxHops: f.MaxHops, Timeout: f.Timeout, Retries: f.Retries,
		MaxOutstanding: f.MaxOutstanding, MaxPerTarget: f.PerTarget, Rate: f.Rate,
	}
	if f.isSet("retries") && f.Retries == 0 {
		o.Retries = -1 // the library's 0 is what adapts
	}
	if err := f.checkNumbers(); err != nil {
		return nil, err
	}
	if err := f.setFrom(o); err != nil {
		return nil, err
	}
	return o, f.setMKey(e, o)
}

func (f *Flags) checkNumbers() error {
	for _, flag := range []struct {
		name  string
		value int
	}{{"--max-hops", f.MaxHops}, {"--max-outstanding", f.MaxOutstanding}, {"--per-target", f.PerTarget}} {
		if flag.value < 0 {
			return env.Exitf(env.Usage, "%s %d: expected a number from 0", flag.name, flag.value)
		}
	}
	if f.isSet("retries") && f.Retries < 0 {
		return env.Exitf(env.Usage, "--retries %d: expected a number from 0; without the flag it is as the losses ask for", f.Retries)
	}
	if f.isSet("timeout") && f.Timeout <= 0 {
		return env.Exitf(env.Usage, "--timeout %v: expected a time above 0, as 500ms; without the flag it is as the replies suggest", f.Timeout)
	}
	if !(f.Rate >= 0) {
		return env.Exitf(env.Usage, "--rate %v: expected a number of requests, or 0 for no limit", f.Rate)
	}
	if f.Deadline < 0 {
		return env.Exitf(env.Usage, "--deadline %v: expected a time, as 10s, or 0 for no limit", f.Deadline)
	}
	return nil
}

// isSet reports whether a flag was given.
func (f *Flags) isSet(name string) bool { return f.set != nil && f.set.Changed(name) }

func (f *Flags) setFrom(o *discover.Options) (err error) {
	kind, value, found := strings.Cut(f.From, ":")
	switch {
	case f.From == "":
	case kind == "lid":
		var lid ib.LID
		if lid, err = ib.ParseLID(value); err == nil && !lid.IsUnicast() {
			err = &ib.ParseError{Kind: "unicast LID, 1…49151", Text: value}
		}
		o.From = mad.ByLID(lid)
	case kind == "guid":
		if o.FromGUID, err = ib.ParseGUID(value); err == nil && o.FromGUID == 0 {
			err = &ib.ParseError{Kind: "GUID of a node or port, which is not 0", Text: value}
		}
	case found:
		err = &ib.ParseError{Kind: "start: 0,1,2 or lid:N or guid:G", Text: f.From}
	default:
		var path ib.DRPath
		path, err = ib.ParseDRPath(f.From)
		o.From = mad.ByPath(path)
	}
	if err != nil {
		return env.Exitf(env.Usage, "--from: %w", err)
	}
	return nil
}

func (f *Flags) setMKey(e *env.Env, o *discover.Options) error {
	if f.MKey == "" {
		return nil
	}
	key, err := strconv.ParseUint(f.MKey, 0, 64)
	if err != nil {
		secret, askErr := e.ReadPassword("M_Key: ")
		if askErr != nil {
			return env.Exitf(env.Usage, "--m-key: expected a number, here or when asked for it: %w", askErr)
		}
		if key, err = strconv.ParseUint(strings.TrimSpace(secret), 0, 64); err != nil {
			return env.Exitf(env.Usage, "--m-key: what was typed is not a number") // do not show it
		}
	}
	o.MKey = key
	return nil
}
