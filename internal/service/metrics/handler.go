package metrics

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Handler answers scrapes: the own names at its root, a set of another exporter at a
// path that ends in its word, and those that the parameter compat lists. So
// "/metrics/treydock" and "/metrics?compat=treydock" are the same page, and
// "/metrics?compat=own,node" has two sets. A set that is not served is not found.
//
// It serves the text format and OpenMetrics, compressed for who accepts that.
func (c *Collector) Handler() http.Handler { return http.HandlerFunc(c.serve) }

func (c *Collector) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "metrics are read by GET", http.StatusMethodNotAllowed)
		return
	}
	sets, err := c.wanted(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	format := accepted(r.Header.Get("Accept"))
	h := w.Header()
	h.Set("Content-Type", contentTypes[format])
	h.Set("Vary", "Accept, Accept-Encoding")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	packed := acceptsGzip(r.Header.Get("Accept-Encoding"))
	if packed {
		h.Set("Content-Encoding", "gzip")
	}
	p := c.page(r.Context(), sets, format, true)
	size := p.size()
	if packed {
		size = p.gzipSize()
	}
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	if r.Method == http.MethodHead {
		return
	}
	for _, set := range sets {
		c.scrapes.served[set].Add(1)
	}
	if packed {
		err = p.writeGzip(w)
	} else {
		err = p.writeText(w)
	}
	if err != nil {
		c.scrapes.failed.Add(1)
	}
}

// wanted are the sets that a request names, each once and in their order.
func (c *Collector) wanted(r *http.Request) ([]Set, error) {
	words := strings.Split(strings.Join(r.URL.Query()["compat"], ","), ",")
	last := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if _, err := ParseSet(last); err == nil {
		words = append(words, last)
	}
	var sets []Set
	for _, word := range words {
		if word == "" {
			continue
		}
		set, err := ParseSet(word)
		if err != nil {
			return nil, err
		}
		if !c.Serves(set) {
			return nil, &Error{Op: "choose", Err: errNotServed(set)}
		}
		sets = append(sets, set)
	}
	if len(sets) == 0 {
		return []Set{Own}, nil
	}
	slices.Sort(sets)
	return slices.Compact(sets), nil
}

// page is what is served of some sets. What is not scraped lacks the process, whose
// metrics would be taken for those of who shows the file.
func (c *Collector) page(ctx context.Context, sets []Set, format Format, scraped bool) page {
	b := c.book()
	var p page
	for _, set := range sets {
		if set == Node {
			p = append(p, loose(c.host.lines(ctx, c, format, scraped)))
			continue
		}
		p = append(p, b.pages[set][format]...)
		if set == Own {
			p = append(p, loose(c.self(b, format, scraped)))
		}
	}
	if format == OpenMetrics {
		p = append(p, loose([]byte("# EOF\n")))
	}
	return p
}

// loose is a piece that is made for one page.
func loose(text []byte) *piece { return newPacker().pack(text, 0, 0, nil) }

// Write writes what Handler serves of some sets, none for the own one, without what is
// about this process.
func (c *Collector) Write(ctx context.Context, w io.Writer, format Format, sets ...Set) error {
	if len(sets) == 0 {
		sets = []Set{Own}
	}
	for _, set := range sets {
		if !c.Serves(set) {
			return &Error{Op: "choose", Err: errNotServed(set)}
		}
	}
	sets = slices.Clone(sets)
	slices.Sort(sets)
	if err := c.page(ctx, slices.Compact(sets), format, false).writeText(w); err != nil {
		return &Error{Op: "write", Err: err}
	}
	return nil
}
