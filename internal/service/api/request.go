package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// request is a request under way.
type request struct {
	api  *API
	w    http.ResponseWriter
	http *http.Request

	values map[string]value // of the parameters that were given, or have a default
	timed  bool             // the answer depends on the time, too

	state *watch.State // of the fabric that the path names
	index *index       // what is worked out of it; nil as long as nothing is known
}

// value is a parameter in the form of its kind.
type value struct {
	text   string
	number uint64
	flag   bool
	time   time.Time
	words  []string
}

// maxText is how long a parameter may be.
const maxText = 1000

// parse takes the parameters of the path and of the query apart.
func (r *request) parse(e *endpoint) error {
	query, err := url.ParseQuery(r.http.URL.RawQuery)
	if err != nil {
		return bad("the query cannot be understood: %v", err)
	}
	r.values = map[string]value{}
	for name, p := range inPath {
		if text := r.http.PathValue(name); text != "" {
			if err := r.set(&p, text); err != nil {
				return err
			}
		}
	}
	for name, list := range query {
		if !slices.ContainsFunc(e.params, func(p param) bool { return p.name == name }) {
			return bad("there is no parameter %q here; there are: %s", name, parameterNames(e.params))
		}
		if len(list) > 1 {
			return bad("parameter %s: found it %d times, expected it once", name, len(list))
		}
	}
	for i := range e.params {
		if err := r.take(&e.params[i], query); err != nil {
			return err
		}
	}
	return nil
}

// take parses one parameter of the query.
func (r *request) take(p *param, query url.Values) error {
	text := query.Get(p.name)
	if text == "" {
		text = p.def
	}
	if text == "" {
		if p.must {
			return bad("parameter %s is missing: %s", p.name, p.doc)
		}
		return nil
	}
	return r.set(p, text)
}

func parameterNames(params []param) string {
	var names []string
	for _, p := range params {
		names = append(names, p.name)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// set parses a parameter.
func (r *request) set(p *param, text string) error {
	if len(text) > maxText {
		return bad("parameter %s: found %d bytes, expected %d at most", p.name, len(text), maxText)
	}
	var v value
	var err error
	switch p.kind {
	case nameParam:
		v.text = text
	case textParam:
		v.text = text
		if p.enum != nil && !slices.Contains(p.enum, text) {
			return p.bad(text, strings.Join(p.enum, ", "))
		}
	case guidParam:
		var g ib.GUID
		g, err = ib.ParseGUID(text)
		v.number = uint64(g)
	case lidParam:
		var l ib.LID
		l, err = ib.ParseLID(text)
		v.number = uint64(l)
	case numberParam:
		v.number, err = strconv.ParseUint(text, 10, 63)
		if err == nil && (v.number < uint64(p.low) || v.number > uint64(p.high)) {
			return p.bad(text, fmt.Sprintf("%d to %d", p.low, p.high))
		}
	case flagParam:
		v.flag, err = strconv.ParseBool(text)
	case wordsParam:
		v.words, err = p.words(text)
	case timeParam:
		v.time, err = r.instant(text)
		r.timed = true
	}
	if err != nil {
		return p.bad(text, p.expected())
	}
	r.values[p.name] = v
	return nil
}

// words are those of a list.
func (p *param) words(text string) ([]string, error) {
	list := strings.Split(text, ",")
	for _, w := range list {
		if p.enum != nil && !slices.Contains(p.enum, w) {
			return nil, p.bad(w, strings.Join(p.enum, ", "))
		}
	}
	return list, nil
}

func (p *param) expected() string {
	switch p.kind {
	case guidParam:
		return "a GUID of up to 16 hexadecimal digits"
	case lidParam:
		return "a LID"
	case numberParam:
		return fmt.Sprintf("a number, %d to %d", p.low, p.high)
	case flagParam:
		return "true or false"
	case timeParam:
		return "a time as 2026-01-31T12:00:00Z, seconds since 1970, or a time ago as 90m, 24h or 7d"
	}
	return strings.Join(p.enum, ", ")
}

func (p *param) bad(found, expected string) error {
	return bad("parameter %s: found %q, expected %s", p.name, found, expected)
}

func bad(format string, args ...any) error {
	return &Error{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// instant is a time: as RFC 3339, in seconds since 1970, or how long it is ago.
func (r *request) instant(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	if seconds, err := strconv.ParseInt(text, 10, 40); err == nil {
		return time.Unix(seconds, 0), nil
	}
	ago, err := parseAge(text)
	return r.api.o.Now().Add(-ago), err
}

// parseAge is time.ParseDuration with days.
func parseAge(text string) (time.Duration, error) {
	const day, most = 24 * time.Hour, 36500
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err == nil && n > most {
			err = strconv.ErrRange
		}
		return time.Duration(n) * day, err
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = strconv.ErrRange
	}
	return d, err
}

// has reports whether a parameter was given.
func (r *request) has(name string) bool { _, ok := r.values[name]; return ok }

// text, number and flag are parameters, zero if they were not given.
func (r *request) text(name string) string    { return r.values[name].text }
func (r *request) number(name string) int     { return int(r.values[name].number) }
func (r *request) guid(name string) ib.GUID   { return ib.GUID(r.values[name].number) }
func (r *request) words(name string) []string { return r.values[name].words }

// wants reports whether something is as a flag wants it, if that was given; else it does
// not look.
func (r *request) wants(name string, is func() bool) bool {
	v, given := r.values[name]
	return !given || v.flag == is()
}

// find finds the fabric that the path names.
func (r *request) find() error {
	name := r.http.PathValue("fabric")
	if name == "" {
		return nil
	}
	s, err := r.api.state(name)
	if err != nil {
		return err
	}
	r.state = s
	return nil
}

// known wants that something is known of the fabric.
func (r *request) known() error {
	if r.state.Fabric == nil {
		return &Error{http.StatusServiceUnavailable, "nothing is known of this fabric yet; ask again when its first sweep has ended"}
	}
	r.index = r.api.indexOf(r.state)
	return nil
}
