package summary

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// Identity of the schema.
const (
	Schema  = "ibscope.summary"
	Version = 1
)

type jsonHeader struct {
	Schema   string        `json:"schema"`
	Version  int           `json:"version"`
	Source   string        `json:"source,omitempty"`
	View     fabric.View   `json:"view,omitempty"`
	Started  string        `json:"started,omitempty"`
	Complete bool          `json:"complete"`
	Counts   jsonCounts    `json:"counts"`
	Models   []jsonModel   `json:"models"`
	Rates    []jsonRate    `json:"rates"`
	Problems []jsonProblem `json:"problems"`
}

type jsonCounts struct {
	Nodes     int `json:"nodes"`
	CAs       int `json:"cas"`
	Switches  int `json:"switches"`
	Routers   int `json:"routers"`
	Links     int `json:"links"`
	Degraded  int `json:"degraded_links"`
	OneWay    int `json:"one_way_links"`
	SelfLinks int `json:"self_links"`
}

type jsonModel struct {
	Type     string `json:"type"`
	VendorID string `json:"vendor_id"`
	DeviceID string `json:"device_id"`
	Name     string `json:"name,omitempty"`
	Ports    int    `json:"num_ports"`
	Nodes    int    `json:"nodes"`
}

type jsonRate struct {
	Width    string  `json:"width,omitempty"`
	Speed    string  `json:"speed,omitempty"`
	Gbps     float64 `json:"rate_gbps,omitempty"`
	ToHosts  int     `json:"to_hosts"`
	Switches int     `json:"among_switches"`
}

type jsonProblem struct {
	Kind  fabric.ProblemKind `json:"kind"`
	Loss  bool               `json:"loss"`
	Count int                `json:"count"`
}

type jsonTopology struct {
	Kind   topology.Kind `json:"kind"`
	Planes int           `json:"planes,omitempty"`
}

// jsonPlace is a place with the words that the node tells.
type jsonPlace struct {
	topology.Place
	Type        string `json:"type"`
	Description string `json:"description"`
	Bytes       string `json:"description_hex,omitempty"`
	Name        string `json:"name,omitempty"`
}

// WriteJSON writes the summary of f, with o.Topology if it is there, as one JSON
// document; o.Limit does not count. docs/json.md describes it.
func WriteJSON(out io.Writer, f *fabric.Fabric, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	w := &jsonWriter{w: bufio.NewWriter(out)}
	w.open(header(f))
	if t := o.Topology; t != nil {
		w.text(",\n\"topology\":")
		w.open(jsonTopology{t.Kind, t.Planes})
		w.array("parts", len(t.Parts), func(i int) any { return t.Parts[i] })
		w.array("rails", len(t.Rails), func(i int) any { return t.Rails[i] })
		w.array("hosts", len(t.Hosts), func(i int) any { return t.Hosts[i] })
		nodes := slices.Collect(f.Nodes())
		w.array("places", len(t.Places), func(i int) any { return place(nodes[i], t.Places[i], o) })
		w.array("problems", len(t.Problems), func(i int) any { return t.Problems[i] })
		w.text("}")
	}
	w.text("}\n")
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

func place(n *fabric.Node, p topology.Place, o *Options) jsonPlace {
	j := jsonPlace{Place: p, Type: n.Type().String(), Description: n.Description()}
	if !utf8.ValidString(j.Description) {
		j.Bytes = hex.EncodeToString([]byte(j.Description))
	}
	if o.Name != nil {
		j.Name, _ = o.Name(n)
	}
	return j
}

func header(f *fabric.Fabric) jsonHeader {
	s := f.Sweep()
	h := jsonHeader{
		Schema: Schema, Version: Version, Source: s.Source, View: s.View, Complete: f.IsComplete(),
		Models: []jsonModel{}, Rates: []jsonRate{}, Problems: []jsonProblem{},
	}
	if !s.Started.IsZero() {
		h.Started = s.Started.UTC().Format(time.RFC3339Nano)
	}
	h.countNodes(f)
	h.countLinks(f)
	counts := map[fabric.ProblemKind]int{}
	for _, p := range f.Problems() {
		counts[p.Kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		h.Problems = append(h.Problems, jsonProblem{kind, kind.IsLoss(), counts[kind]})
	}
	return h
}

func (h *jsonHeader) countNodes(f *fabric.Fabric) {
	devices, total := map[device]int{}, map[ib.NodeType]int{}
	for n := range f.Nodes() {
		info := n.Info()
		devices[device{n.Type(), info.VendorID, info.DeviceID, info.NumPorts}]++
		total[n.Type()]++
	}
	h.Counts.Nodes, h.Counts.CAs = f.NumNodes(), total[ib.NodeCA]
	h.Counts.Switches, h.Counts.Routers = total[ib.NodeSwitch], total[ib.NodeRouter]
	for _, t := range nodeTypes(total) {
		for _, d := range devicesOf(devices, t) {
			h.Models = append(h.Models, jsonModel{
				Type: d.typ.String(), VendorID: fmt.Sprintf("0x%06x", d.vendor), DeviceID: fmt.Sprintf("0x%04x", d.id),
				Name: model.Name(d.vendor, d.id), Ports: int(d.ports), Nodes: devices[d],
			})
		}
	}
}

func (h *jsonHeader) countLinks(f *fabric.Fabric) {
	rates := map[fabric.LinkRate]tally{}
	for l := range f.Links() {
		h.Counts.Links++
		h.Counts.Degraded += b2i(l.IsDegraded())
		h.Counts.OneWay += b2i(l.OneWay())
		h.Counts.SelfLinks += b2i(l.IsSelfLink())
		t := rates[l.A.Active()]
		if isSwitchLink(l) {
			t.switches++
		} else {
			t.hosts++
		}
		rates[l.A.Active()] = t
	}
	for _, r := range byRate(rates) {
		j := jsonRate{Gbps: ib.RateGbps(r.Width, r.Speed), ToHosts: rates[r].hosts, Switches: rates[r].switches}
		if r.Width != 0 || r.Speed != 0 {
			j.Width, j.Speed = r.Width.String(), r.Speed.String()
		}
		h.Rates = append(h.Rates, j)
	}
}

// jsonWriter writes objects piece by piece. The first error stays.
type jsonWriter struct {
	w   *bufio.Writer
	err error
}

func (w *jsonWriter) text(s string) { _, _ = w.w.WriteString(s) } // Flush has the error

// value writes JSON in one line, without characters that a terminal could act on.
func (w *jsonWriter) value(v any, cut int) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	w.err = cmp.Or(w.err, e.Encode(v))
	line := escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	_, _ = w.w.Write(line[:max(0, len(line)-cut)])
}

// open writes an object but for its end.
func (w *jsonWriter) open(v any) { w.value(v, 1) }

// array adds an array to an open object, an element on a line.
func (w *jsonWriter) array(name string, n int, element func(i int) any) {
	w.text(",\n\"" + name + "\":[")
	for i := range n {
		if i > 0 {
			w.text(",")
		}
		w.text("\n")
		w.value(element(i), 0)
	}
	w.text("]")
}
