package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Prometheus answers queries: one at a URL, by its HTTP API.
type Prometheus struct {
	URL    string
	Client *http.Client // nil for http.DefaultClient
}

// Series is a line of numbers, or one number, that Prometheus knows by labels.
type Series struct {
	Ref    string // of its query
	Name   string // the legend
	Labels map[string]string
	Points []Point
}

// Point is a value at a time.
type Point struct {
	At    time.Time
	Value float64
}

// last is the last value.
func (s *Series) last() float64 { return s.Points[len(s.Points)-1].Value }

// String is the series with its labels in order, as Grafana gives it to the patterns of
// variables.
func (s *Series) String() string {
	var list []string
	for _, l := range slices.Sorted(maps.Keys(s.Labels)) {
		if l != "__name__" {
			list = append(list, l+`="`+s.Labels[l]+`"`)
		}
	}
	return s.Labels["__name__"] + "{" + strings.Join(list, ",") + "}"
}

// span is what a picture shows of time.
type span struct{ start, end time.Time }

func (s span) length() time.Duration { return s.end.Sub(s.start) }

// Instant asks for the values at a time.
func (p *Prometheus) Instant(ctx context.Context, expr string, at time.Time) ([]Series, error) {
	return p.ask(ctx, "/api/v1/query", url.Values{"query": {expr}, "time": {stamp(at)}})
}

// Range asks for values from start to end, in steps.
func (p *Prometheus) Range(ctx context.Context, expr string, start, end time.Time, step time.Duration) ([]Series, error) {
	return p.ask(ctx, "/api/v1/query_range", url.Values{
		"query": {expr}, "start": {stamp(start)}, "end": {stamp(end)}, "step": {strconv.FormatFloat(step.Seconds(), 'f', -1, 64)},
	})
}

func stamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// maxAnswer bounds what is read of an answer.
const maxAnswer = 256 << 20

func (p *Prometheus) ask(ctx context.Context, path string, form url.Values) ([]Series, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+path+"?"+form.Encode(), http.NoBody)
	if err != nil {
		return nil, err
	}
	client := p.Client
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct {
				Metric map[string]string
				Value  *sample
				Values []sample
			}
		}
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Status != "success" {
		return nil, errors.New(answer.Error)
	}
	var out []Series
	for _, r := range answer.Data.Result {
		if r.Value != nil {
			r.Values = []sample{*r.Value}
		}
		s := Series{Labels: r.Metric}
		for _, v := range r.Values {
			if !math.IsNaN(v.Value) && !math.IsInf(v.Value, 0) { // there is no place for them in a picture
				s.Points = append(s.Points, Point(v))
			}
		}
		if len(s.Points) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// sample is a point as Prometheus writes it: a time as a number, a value as a string.
type sample Point

// UnmarshalJSON implements json.Unmarshaler.
func (s *sample) UnmarshalJSON(text []byte) error {
	var pair [2]any
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	at, ok := pair[0].(float64)
	v, err := strconv.ParseFloat(fmt.Sprint(pair[1]), 64)
	if !ok || err != nil {
		return fmt.Errorf("%s is no sample", text)
	}
	s.At, s.Value = time.UnixMilli(int64(at*1000)).UTC(), v
	return nil
}
