package main

import (
	"math"
	"strings"

	"github.com/ibscope/ibscope/internal/plot"
)

// usual is the case around which the others differ in one thing.
func usual(fabric, policy string) key {
	return key{fabric: fabric, service: "20.0", queue: "32", dead: "0", loss: "0", policy: policy}
}

// byWindow shows how far each window is from the bound, in the usual case.
func (t *table) byWindow() *plot.Chart {
	c := &plot.Chart{
		Title: "Time of a sweep by its window: agents of 20 µs, nothing lost",
		X:     "requests in flight at most", Y: "time of the lower bound",
	}
	policies := []string{"libibnetdisc", "window 8", "window 16", "window 32", "window 64", "window 128", "window 256", "window 512", "adaptive"}
	for _, p := range policies {
		c.At = append(c.At, strings.TrimPrefix(strings.Replace(p, "libibnetdisc", "2, C", 1), "window "))
	}
	for _, fabric := range t.fabrics {
		line := plot.Line{Name: t.nodes[fabric] + " nodes"}
		for _, p := range policies {
			line.Values = append(line.Values, t.ratio(usual(fabric, p)))
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// compared are the policies of the charts of one fabric.
var compared = []string{"libibnetdisc", "window 32", "window 128", "window 512", "adaptive"}

// byLoss shows the time over the share of packets that are lost.
func (t *table) byLoss(fabric string) *plot.Chart {
	c := &plot.Chart{Title: "Time of a sweep by losses: " + fabric + " nodes, agents of 20 µs", X: "of each 100 packets are lost", Y: "seconds", At: []string{"0", "0.1", "1", "5"}}
	c.Lines = t.lines(c.At, func(k *key, at string) { k.loss = at }, fabric)
	return c
}

// byDead shows the time over the number of ports that are up though nothing passes.
func (t *table) byDead(fabric string) *plot.Chart {
	c := &plot.Chart{Title: "Time of a sweep by dead links: " + fabric + " nodes, agents of 20 µs", X: "links that are up though nothing passes", Y: "seconds", At: []string{"0", "10", "100"}}
	c.Lines = t.lines(c.At, func(k *key, at string) { k.dead = at }, fabric)
	return c
}

func (t *table) lines(at []string, set func(*key, string), fabric string) (all []plot.Line) {
	for _, policy := range compared {
		line := plot.Line{Name: strings.Replace(policy, "libibnetdisc", "C: 2", 1)}
		for _, place := range at {
			k := usual(fabric, policy)
			set(&k, place)
			line.Values = append(line.Values, t.seconds(k))
		}
		all = append(all, line)
	}
	return all
}

func (t *table) seconds(k key) float64 {
	if r, ok := t.rows[k]; ok {
		return r.time / 1e6
	}
	return math.NaN()
}

func (t *table) ratio(k key) float64 {
	if r, ok := t.rows[k]; ok && r.bound > 0 {
		return r.time / r.bound
	}
	return math.NaN()
}
