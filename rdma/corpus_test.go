package rdma

import (
	"archive/tar"
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestCorpus reads trees of real hosts, and of other projects' tests. Each entry
// of the class that leads somewhere must be a device, and each file that is
// missing or makes no sense, and no other, a fault.
func TestCorpus(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "sysfs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	trees := 0
	for _, archive := range archives {
		dir := t.TempDir()
		if !unpack(t, archive, dir) {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && strings.HasSuffix(filepath.ToSlash(path), "/"+classInfiniBand) {
				trees++
				name, _ := filepath.Rel(dir, path)
				t.Run(filepath.Base(archive)+"/"+name, func(t *testing.T) { checkTree(t, filepath.Dir(filepath.Dir(path))) })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if trees < 5 {
		t.Errorf("only %d trees in %d archives", trees, len(archives))
	}
}

// required are the files that every kernel has.
var required = map[bool][]string{
	false: {"node_guid", "node_type", "sys_image_guid"},
	true:  {"cap_mask", "gids/0", "lid", "lid_mask_count", "phys_state", "rate", "sm_lid", "sm_sl", "state"},
}

func checkTree(t *testing.T, sys string) {
	devices, err := Host{Sys: sys}.Devices(context.Background())
	entries, _ := os.ReadDir(filepath.Join(sys, classInfiniBand))
	var want, got, wantFaults, gotFaults []string
	for _, e := range entries {
		dir := filepath.Join(sys, classInfiniBand, e.Name())
		if info, err := os.Stat(dir); err != nil {
			wantFaults = append(wantFaults, e.Name()+" 0 ")
		} else if info.IsDir() {
			want = append(want, e.Name())
			wantFaults = append(wantFaults, missing(dir, e.Name())...)
		}
	}
	for _, d := range devices {
		got = append(got, d.Name)
		checkValues(t, d)
	}
	for _, p := range Problems(err) {
		gotFaults = append(gotFaults, p.Device+" "+strconv.Itoa(p.Port)+" "+p.Attribute)
	}
	slices.SortFunc(want, compareNatural)
	slices.Sort(wantFaults)
	slices.Sort(gotFaults)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("devices, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(wantFaults, gotFaults); diff != "" {
		t.Errorf("faults, -want +got:\n%s", diff)
	}
}

// missing lists the faults of a device in the simplest way.
func missing(dir, name string) []string {
	var all []string
	check := func(dir, port string) {
		for _, file := range required[port != "0"] {
			text, err := os.ReadFile(filepath.Join(dir, file))
			numeric := err == nil && len(text) > 0 && (text[0] >= '0' && text[0] <= '9' || file == "rate" || file == "gids/0" || strings.HasSuffix(file, "_guid"))
			if !numeric {
				all = append(all, name+" "+port+" "+file)
			}
		}
	}
	check(dir, "0")
	ports, err := os.ReadDir(filepath.Join(dir, "ports"))
	if err != nil {
		all = append(all, name+" 0 ports")
	}
	for _, p := range ports {
		check(filepath.Join(dir, "ports", p.Name()), p.Name())
	}
	return all
}

// checkValues compares texts with the files, and reads all tables.
func checkValues(t *testing.T, d *Device) {
	read := func(below ...string) string {
		b, _ := os.ReadFile(filepath.Join(append([]string{d.SysfsPath()}, below...)...))
		return strings.TrimSpace(string(b))
	}
	if d.Firmware != read("fw_ver") || d.BoardID != read("board_id") || d.HCAType != read("hca_type") {
		t.Errorf("%s: %+v", d.Name, d)
	}
	ctx := context.Background()
	for _, p := range d.Ports {
		num := strconv.Itoa(p.Num)
		if p.Rate.Text != read("ports", num, "rate") || string(p.LinkLayer) != read("ports", num, "link_layer") {
			t.Errorf("%s port %d: %+v", d.Name, p.Num, p)
		}
		counters, err1 := p.Counters(ctx)
		hw, err2 := p.HWCounters(ctx)
		gids, err3 := p.GIDs(ctx)
		_, err4 := p.PKeys(ctx)
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				t.Errorf("%s port %d: %v", d.Name, p.Num, err)
			}
		}
		for _, c := range slices.Concat(counters.List, hw.List) {
			text := read("ports", num, "counters", c.Name) + " " + read("ports", num, "hw_counters", c.Name)
			if !strings.Contains(text, strconv.FormatUint(c.Value, 10)) {
				t.Errorf("%s port %d: %s is %d, in the file %s", d.Name, p.Num, c.Name, c.Value, text)
			}
		}
		t.Logf("%s port %d: %v %v, %d counters, %d of the driver, %d GIDs", d.Name, p.Num, p.State, p.Rate, len(counters.List), len(hw.List), len(gids))
	}
}

// unpack unpacks an archive of a kind that it knows.
func unpack(t *testing.T, archive, dir string) bool {
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	switch {
	case strings.HasSuffix(archive, ".tar.bz2"):
		err = untar(bzip2.NewReader(f), dir)
	case strings.HasSuffix(archive, ".tgz"), strings.HasSuffix(archive, ".tar.gz"):
		var z *gzip.Reader
		if z, err = gzip.NewReader(f); err == nil {
			err = untar(z, dir)
		}
	case strings.HasSuffix(archive, ".ttar"):
		err = unttar(f, dir)
	default:
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
	return true
}

// untar unpacks what has to do with RDMA: whole trees of sysfs are large.
func untar(r io.Reader, dir string) error {
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Join(dir, filepath.Clean("/"+h.Name))
		if !strings.Contains(h.Name, "infiniband") {
			continue
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(name, 0o755)
		case tar.TypeSymlink:
			err = place(name, func() error { return os.Symlink(h.Linkname, name) })
		case tar.TypeReg:
			var b []byte
			if b, err = io.ReadAll(tr); err == nil {
				err = place(name, func() error { return os.WriteFile(name, b, 0o644) })
			}
		}
		if err != nil {
			return err
		}
	}
}

func place(name string, make func() error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return make()
}

// unttar unpacks the text archives of the Prometheus project: "Path:" and "Lines:"
// before the lines of a file, "SymlinkTo:" instead of "Lines:" for a link. Only
// the RDMA class is taken.
func unttar(r io.Reader, dir string) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	name := ""
	for s.Scan() {
		key, value, _ := strings.Cut(s.Text(), ": ")
		var err error
		switch {
		case key == "Path":
			name = filepath.Join(dir, filepath.Clean("/"+value))
		case key == "Lines":
			n, _ := strconv.Atoi(value)
			var b strings.Builder
			for range n {
				s.Scan()
				b.WriteString(s.Text() + "\n")
			}
			text := b.String()
			if bare, ok := strings.CutSuffix(text, "EOF\n"); ok {
				text = bare // a file without a newline at its end
			}
			if strings.Contains(name, "/"+classInfiniBand+"/") {
				err = place(name, func() error { return os.WriteFile(name, []byte(text), 0o644) })
			}
		}
		if err != nil {
			return err
		}
	}
	return s.Err()
}
