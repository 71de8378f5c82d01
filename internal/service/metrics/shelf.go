package metrics

import (
	"math"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// A shelf has the pieces of one set: for each fabric, one for each family.
type shelf struct {
	families  families
	labelling labelling
	heads     [2][]*piece // by Format, for each family
	fabrics   map[string]*rendered
	order     []string // of the names of the fabrics, in the page
}

// rendered is what one fabric has in a set.
type rendered struct {
	view   *view
	pieces []*piece // by family
}

func newShelf(f families, l labelling, p *packer) *shelf {
	s := &shelf{families: f, labelling: l, fabrics: map[string]*rendered{}}
	for format := range s.heads {
		for _, f := range s.families {
			s.heads[format] = append(s.heads[format], p.pack(appendHead(nil, f, Format(format)), 0, 0, nil))
		}
	}
	return s
}

// put renders what is new in a state.
func (s *shelf) put(st *watch.State, src *source, t *tally, limit int, w *writer, p *packer) {
	before := s.fabrics[st.Name]
	if before == nil || !slices.Equal(before.view.shown, src.shown) {
		before = &rendered{view: &view{source: src, state: &watch.State{}, tally: t}}
	}
	v := newView(st, src, &s.labelling, before.view)
	v.tally = t
	now := &rendered{view: v, pieces: make([]*piece, len(s.families))}
	left := limit
	for i, f := range s.families {
		if f.part == partSeries {
			continue
		}
		now.pieces[i] = f.render(v, before, i, left, w, p)
		left -= now.pieces[i].samples
	}
	v.series = now.series()
	for i, f := range s.families {
		if f.part == partSeries {
			now.pieces[i] = f.render(v, before, i, math.MaxInt, w, p)
		}
	}
	s.fabrics[st.Name] = now
}

// render makes the piece of a family, at place i, or finds that there is no need to.
func (f *family) render(v *view, before *rendered, i, left int, w *writer, p *packer) *piece {
	var old *piece
	if before.pieces != nil {
		old = before.pieces[i]
	}
	if old != nil && same(f.part, before.view.state, v.state) && old.dropped == 0 && old.samples <= left {
		return old
	}
	w.begin(f.name, left)
	f.write(w, v)
	return p.pack(w.buf, w.samples, w.dropped, old)
}

// same tells whether a part of two states is the same.
func same(p part, a, b *watch.State) bool {
	switch p {
	case partGraph:
		return a.Fabric == b.Fabric
	case partCounters:
		return a.Fabric == b.Fabric && a.Totals == b.Totals
	}
	return false
}

// series are how many there are and how many were left out.
func (r *rendered) series() (n [2]int) {
	for _, p := range r.pieces {
		if p == nil {
			continue
		}
		n[0] += p.samples
		n[1] += p.dropped
	}
	return n
}

// keep forgets the fabrics that are not there any more.
func (s *shelf) keep(order []string) {
	s.order = order
	for name := range s.fabrics {
		if !slices.Contains(order, name) {
			delete(s.fabrics, name)
		}
	}
}

// page puts the pieces together: family by family, and in each one fabric by fabric.
func (s *shelf) page(format Format) page {
	var out page
	for i := range s.families {
		head := len(out)
		out = append(out, s.heads[format][i])
		for _, name := range s.order {
			if p := s.fabrics[name].pieces[i]; p.size > 0 {
				out = append(out, p)
			}
		}
		if len(out) == head+1 {
			out = out[:head]
		}
	}
	return out
}

// graphs are the fabrics of states.
func graphs(states []*watch.State) []*fabric.Fabric {
	var out []*fabric.Fabric
	for _, st := range states {
		if st.Fabric != nil {
			out = append(out, st.Fabric)
		}
	}
	return out
}
