package dashboard

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// picture draws a dashboard of one panel, and gives all texts in it.
func picture(t *testing.T, panel string, answers map[string]string) (texts []string, elements map[string]int) {
	t.Helper()
	answers["up"] = `{"metric":{"fabric":"f"},"value":[3600,"1"]}`
	a, err := read(t, board(panel)).Ask(t.Context(), fake(t, answers), hour, time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := a.Write(&out); err != nil {
		t.Fatal(err)
	}
	elements = map[string]int{}
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, elements
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
		case xml.CharData:
			if s := strings.TrimSpace(string(token)); s != "" {
				texts = append(texts, s)
			}
		}
	}
}

func hasAll(t *testing.T, texts []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(texts, w) {
			t.Errorf("no %q in %q", w, texts)
		}
	}
}

// Lines have gaps where values are missing, names as the fabric has them, and figures.
func TestTimeseries(t *testing.T) {
	texts, _ := picture(t, `{"type":"timeseries","title":"Lines",`+at00+`,
"targets":[{"refId":"A","expr":"x{fabric=\"$fabric\"}[$__rate_interval]","legendFormat":"{{name}}","interval":"1m"}],
"fieldConfig":{"defaults":{"unit":"Bps","custom":{"fillOpacity":10}}},"options":{"legend":{"displayMode":"table","placement":"bottom","calcs":["max"]}}}`,
		map[string]string{`x{fabric="f"}[240s]`: linesAnswer})
	hasAll(t, texts, "Test", "Lines", "Fabric", "f", "a & b", "<c>", "Max", "5 B/s", "00:30")
}

func TestStatAndBars(t *testing.T) {
	for _, kind := range []string{"stat", "bargauge", "state-timeline"} {
		texts, _ := picture(t, `{"type":"`+kind+`","title":"One",`+at00+`,"targets":[{"refId":"A","expr":"x","legendFormat":"{{name}}","instant":true}],
"fieldConfig":{"defaults":{"mappings":[{"type":"value","options":{"1":{"text":"yes"}}}],"thresholds":{"steps":[{"color":"red","value":null},{"color":"green","value":1}]}}}}`,
			map[string]string{"x": `{"metric":{"name":"n"},"value":[600,"1"]}`})
		hasAll(t, texts, "One", "yes")
	}
}

// Tables join the answers of several queries by their labels, and put columns in order.
func TestTable(t *testing.T) {
	texts, _ := picture(t, `{"type":"table","title":"T",`+at00+`,"targets":[{"refId":"A","expr":"a","instant":true},{"refId":"B","expr":"b","instant":true}],
"fieldConfig":{"overrides":[{"matcher":{"id":"byName","options":"share"},"properties":[{"id":"unit","value":"percentunit"}]},{"matcher":{"id":"byName","options":"guid"},"properties":[{"id":"custom.hidden","value":true}]}]},
"options":{"sortBy":[{"displayName":"count","desc":true}]},
"transformations":[{"id":"merge"},{"id":"organize","options":{"excludeByName":{"job":true},"indexByName":{"name":0,"Value #A":1},"renameByName":{"name":"node","Value #A":"count","Value #B":"share"}}}]}`,
		map[string]string{
			"a": `{"metric":{"name":"n1","job":"j","guid":"0x1"},"value":[1,"3"]},{"metric":{"name":"n2","job":"j","guid":"0x2"},"value":[1,"7"]}`,
			"b": `{"metric":{"name":"n1","job":"j","guid":"0x1"},"value":[1,"0.25"]}`,
		})
	from := slices.Index(texts, "node")
	if want := []string{"node", "n2", "n1", "count", "7", "3", "share", "25%"}; from < 0 || !slices.Equal(texts[from:], want) {
		t.Errorf("%q", texts)
	}
}

// What overrides say of one field leaves the others as they are.
func TestOverrides(t *testing.T) {
	p := &read(t, board(`{"type":"stat",`+at00+`,`+target+`,"fieldConfig":{"defaults":{"decimals":1,"thresholds":{"steps":[{"color":"green","value":null},{"color":"orange","value":1}]}},
"overrides":[{"matcher":{"id":"byName","options":"a"},"properties":[{"id":"decimals","value":3},{"id":"thresholds","value":{"steps":[{"color":"green","value":null},{"color":"red","value":1}]}}]}]}}`)).Panels[0]
	for _, name := range []string{"a", "b"} {
		f := p.field(name)
		text, colour := f.text(2)
		want, wantColour := "2.0", named("orange")
		if name == "a" {
			want, wantColour = "2.000", named("red")
		}
		if text != want || colour != wantColour {
			t.Errorf("%s: %s %s", name, text, colour)
		}
	}
}

func TestAskRefuses(t *testing.T) {
	panel := func(expr, legend string) string {
		return `{"type":"timeseries","title":"P",` + at00 + `,"targets":[{"refId":"A","expr":"` + expr + `","legendFormat":"` + legend + `"}]}`
	}
	answers := map[string]string{"up": `{"metric":{"fabric":"f"},"value":[3600,"1"]}`, "x": linesAnswer, "none": ""}
	for name, c := range map[string]struct{ panel, want string }{
		"empty":    {panel("none", ""), "there is nothing to show"},
		"mistaken": {panel("x(", ""), "query A: parse error"},
		"variable": {panel("x{a='$rack'}", ""), "query A: the variable $rack is not known"},
		"names":    {panel("x", "same"), `two lines have the name "same"`},
	} {
		if _, err := read(t, board(c.panel)).Ask(t.Context(), fake(t, answers), hour, time.Hour, nil); err == nil || !strings.Contains(err.Error(), "ask x / Test/P: "+c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(t, board(panel("x", "{{name}}"))).Ask(t.Context(), fake(t, answers), hour, time.Hour, map[string]string{"fabric": "g"}); err == nil {
		t.Error("a fabric that is not there is shown")
	}
}

// A variable may have texts for people and other values for queries.
func TestTextsOfVariables(t *testing.T) {
	text := strings.Replace(board(`{"type":"stat","title":"P",`+at00+`,"targets":[{"refId":"A","expr":"x{guid=\"$node\"}","instant":true}]}`), `"type":"query"`,
		`"type":"query"},{"name":"node","type":"query","definition":"query_result(node_info)","regex":"/guid=\"(?<value>[^\"]+)\".*,name=\"(?:MF0;)?(?<text>[^\"]+)/"`, 1)
	text = strings.Replace(text, `"label":"Fabric","definition":"label_values(up, fabric)"`, `"label":"Node"`, 1)
	text = strings.Replace(text, `{"name":"fabric","type":"query"},`, ``, 1)
	answers := map[string]string{"node_info": `{"metric":{"__name__":"node_info","name":"MF0;leaf1","guid":"0x7"},"value":[1,"1"]}`, `x{guid="0x7"}`: `{"metric":{},"value":[1,"1"]}`}
	if _, err := read(t, text).Ask(t.Context(), fake(t, answers), hour, time.Hour, map[string]string{"node": "leaf1"}); err != nil {
		t.Error(err)
	}
}
