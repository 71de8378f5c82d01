package metrics

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "fabric.prom")
	c := New(always(newWorld(t, "fattree?levels=2&radix=4").state()), nil, &Options{Sets: []Set{Treydock}, RunOnce: true})
	for range 2 {
		if err := c.WriteFile(t.Context(), file, Own, Treydock); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const end = "# HELP ibscope_build_info"
	if want := text(t, c, Text, Own, Treydock); cut(string(got), end) != cut(want, end) {
		t.Error("the file is not the page")
	}
	if !strings.Contains(string(got), `infiniband_exporter_last_execution{collector="switch-runonce"}`) {
		t.Error("the collector does not say that it runs once")
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	c := New(always(), nil, nil)
	var e *Error
	if err := c.WriteFile(t.Context(), filepath.Join(dir, "no", "x.prom")); !errors.As(err, &e) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such directory: %v", err)
	}
	if err := c.WriteFile(t.Context(), filepath.Join(dir, "x.prom"), Treydock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a set that is not served: %v", err)
	}
	taken := filepath.Join(dir, "taken")
	os.MkdirAll(filepath.Join(taken, "full"), 0o755)
	if err := c.WriteFile(t.Context(), taken); !errors.As(err, &e) {
		t.Errorf("a directory in the way: %v", err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

// TestTextfileCollector: node_exporter shows what was written, beside its own metrics.
func TestTextfileCollector(t *testing.T) {
	dir := t.TempDir()
	c := New(always(newWorld(t, "fattree?levels=2&radix=4").state()), nil, nil)
	if err := c.WriteFile(t.Context(), filepath.Join(dir, "fabric.prom")); err != nil {
		t.Fatal(err)
	}
	url := daemon(t, "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile", "--collector.textfile.directory="+dir)
	page, err := fetch(t, url+"/metrics")
	if err != nil {
		t.Fatal(err)
	}
	theirs := read(t, page)
	if theirs.values["node_textfile_scrape_error"] != 0 {
		t.Error("node_exporter could not read the file")
	}
	for series := range read(t, text(t, c, Text)).values {
		name, _, _ := strings.Cut(series, "{")
		if theirs.types[name] == "" {
			t.Errorf("%s is not there", name)
		}
	}
	if len(theirs.values) < 1000 {
		t.Errorf("%d series", len(theirs.values))
	}
}
