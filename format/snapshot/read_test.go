package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/testenv"
)

func golden(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestNewerMembers: what a newer program has added, at any place, is written again.
func TestNewerMembers(t *testing.T) {
	count := 0
	text := regexp.MustCompile(`\{"(schema|sweep|guid|port|kind|node|source)"`).ReplaceAllStringFunc(golden(t), func(s string) string {
		count++
		return `{"n\u0065w` + strings.Repeat("x", count) + `":{"a":[1,"]}\"",{}]},` + s[1:]
	})
	text = strings.Replace(text, "{\"n", "{\"schema\":\"ibscope.snapshot\",\"n", 1)
	text = strings.Replace(text, "\n}\n", ",\n\"cables\":[{\"length\":\n3.5e1}]}", 1)
	s, err := snapshot.Read(strings.NewReader(text), "newer")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := snapshot.WriteJSON(&b, s); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	lost := strings.Count(text, `w`+`x`) - strings.Count(got, `w`+`x`)
	// The problem that the builder finds by itself is made anew.
	if count < 20 || lost != 1 || !strings.Contains(got, "\"cables\":[{\"length\":\n3.5e1}]") {
		t.Errorf("%d members added, %d lost:\n%s", count, lost, got)
	}
	again, err := snapshot.Read(&b, "again")
	if err != nil {
		t.Fatal(err)
	}
	var c bytes.Buffer
	if err := snapshot.WriteJSON(&c, again); err != nil || c.String() != got {
		t.Error("the second writing differs from the first", err)
	}
}

// TestAnyOrder: the members may stand in any order, and with any white space.
func TestAnyOrder(t *testing.T) {
	text := golden(t)
	i, j := strings.Index(text, "\"counters\""), strings.Index(text, "\"manager\"")
	k := strings.Index(text, "\"fabric\"")
	moved := text[:k] + text[i:j] + text[k:i] + text[j:]
	s, err := snapshot.Read(iotest.OneByteReader(strings.NewReader(strings.NewReplacer(`":`, "\" :\n\t", ",\"", " ,\r\n\"").Replace(moved))), "moved")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := snapshot.WriteJSON(&b, s); err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "full.json", b.Bytes())
}

func TestErrors(t *testing.T) {
	good := golden(t)
	for _, tt := range []struct {
		old, new string // replaced once in the good file
		err      error
		text     string
	}{
		{good, "", io.ErrUnexpectedEOF, ""},
		{good, "[]", snapshot.ErrNotSnapshot, ""},
		{good, "{}", snapshot.ErrNotSnapshot, ""},
		{"ibscope.snapshot", "ibscope.fabric", snapshot.ErrNotSnapshot, "x:1 (byte 10)"},
		{`"version":1`, `"version":2`, snapshot.ErrVersion, "version 2, expected 1"},
		{`"version":1,`, ``, snapshot.ErrValue, "no version"},
		{"\n}\n", "", io.ErrUnexpectedEOF, ""},
		{"\n}\n", "\n}\n{}", snapshot.ErrSyntax, "data after the end"},
		{`"path":"0,1,2"`, `"path":"1,2"`, snapshot.ErrValue, `x:5 (byte 1369): node, path: `},
		{`"path":"0,1,2"`, `"path":"0,1,2\u12"`, snapshot.ErrSyntax, "x:5"},
		{`"peer":[1,2]`, `"peer":[9,2]`, snapshot.ErrValue, "x:4 (byte 380): node 9 of 3"},
		{`"peer":[1,2]`, `"peer":[1,3]`, snapshot.ErrValue, "port 3 of node 1"},
		{`"peer":[1,2]`, `"peer":[1]`, snapshot.ErrValue, "two numbers"},
		{`"port":2,"peer"`, `"port":3,"peer"`, snapshot.ErrValue, "port 3 of a node with 2 ports"},
		{`"port":2,"peer"`, `"port":1,"peer"`, snapshot.ErrValue, "port 1 is there twice"},
		{`"lft":"ff00`, `"lft":"fg00`, snapshot.ErrValue, "x:4"},
		{`"lft":"ff00`, `"lft":"ff0`, snapshot.ErrValue, "x:4"},
		{`"lft":"ff00`, `"lft":"` + strings.Repeat("00", 50000), snapshot.ErrValue, "49152 LIDs"},
		{`"node_info":"01`, `"node_info":"` + strings.Repeat("0", 80), snapshot.ErrValue, "at most 64 bytes"},
		{`"node_info":"`, `"other_info":"`, snapshot.ErrValue, "node without node_info"},
		{`"start":[0,2]`, `"start":[3,1]`, snapshot.ErrValue, "x:2"},
		{`"node":1,"port":2`, `"node":3,"port":2`, snapshot.ErrValue, "x:15"},
		{`"node":1,"port":2`, `"node":1,"port":3`, snapshot.ErrValue, "x:15"},
		{`"xmit_data":3`, `"xmit_data":-3`, snapshot.ErrValue, "xmit_data"},
		{`"position":15`, `"position":16`, snapshot.ErrValue, "mft, position"},
		{`"max_hops":63`, `"max_hops":64`, snapshot.ErrValue, "x:2"},
		{`"tool":"test 1"`, `"tool":"` + strings.Repeat("x", 5<<20) + `"`, snapshot.ErrTooLarge, "4194304 bytes"},
		{`"tool":"test 1"`, `"other":"` + strings.Repeat("x", 65<<20) + `"`, snapshot.ErrTooLarge, ""},
		{`"problems":[`, `"nodes":[],"problems":[`, snapshot.ErrValue, "twice"},
	} {
		if !strings.Contains(good, tt.old) {
			t.Fatalf("the file has no %.50s", tt.old)
		}
		_, err := snapshot.Read(strings.NewReader(strings.Replace(good, tt.old, tt.new, 1)), "x")
		if !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%.30s for %.30s: %v, want %v at %q", tt.new, tt.old, err, tt.err, tt.text)
		}
	}
	boom := errors.New("boom")
	if _, err := snapshot.Read(io.MultiReader(strings.NewReader(good[:900]), iotest.ErrReader(boom)), "x"); !errors.Is(err, boom) {
		t.Error(err)
	}
}

// TestTruncated: no part of a file passes for a whole one.
func TestTruncated(t *testing.T) {
	data := write(t, full(t))
	for n := range len(data) - 1 {
		if _, err := snapshot.Read(bytes.NewReader(data[:n]), "x"); err == nil {
			t.Fatalf("%d of %d bytes pass", n, len(data))
		}
	}
}

// bomb is a snapshot whose nodes have 255 ports each, in few bytes once it is
// compressed.
func bomb(node string) io.Reader {
	r, w := io.Pipe()
	go func() {
		z := gzip.NewWriter(w)
		io.WriteString(z, `{"schema":"ibscope.snapshot","version":1,"fabric":{"nodes":[`+node)
		for {
			if _, err := io.WriteString(z, ","+node); err != nil {
				return
			}
		}
	}()
	return r
}

func TestBomb(t *testing.T) {
	for _, node := range []string{
		`{"node_info":"010101ff","ports":[{"port":0}]}`, `{"node_info":"01","x":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		r := bomb(node)
		_, err := snapshot.Read(r, "x")
		r.(io.Closer).Close()
		if !errors.Is(err, snapshot.ErrTooLarge) {
			t.Errorf("%.40s: %v", node, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(golden(f)))
	f.Add([]byte(`{"schema":"ibscope.snapshot","version":1,"fabric":{"nodes":[{"node_info":"01","ports":[]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := snapshot.Read(bytes.NewReader(data), "fuzz")
		if err != nil {
			return
		}
		d := &format.Document{Kind: format.Snapshot, Fabric: s.Fabric, Snapshot: s}
		anonymous := d.Anonymize(nil, &anonymize.Options{HideVendors: len(data)%2 == 0})
		if err := snapshot.WriteJSON(io.Discard, anonymous.Snapshot); err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		if err := snapshot.WriteJSON(&a, s); err != nil {
			t.Fatal(err)
		}
		again, err := snapshot.Read(bytes.NewReader(a.Bytes()), "again")
		if err != nil {
			t.Fatalf("%v\n%s", err, a.Bytes())
		}
		if err := snapshot.WriteJSON(&b, again); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%v\n%s\n%s", err, a.Bytes(), b.Bytes())
		}
	})
}
