package rdma

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// eachFolder runs a test with each kind of folder.
func eachFolder(t *testing.T, top string, test func(t *testing.T, in folder)) {
	for name, open := range map[string]func(string) (folder, error){"beneath": openBeneath, "rooted": openRooted} {
		t.Run(name, func(t *testing.T) {
			in, err := open(top)
			if err != nil {
				t.Fatal(err)
			}
			if in == nil {
				t.Skipf("%s does not resolve names beneath a directory", runtime.GOOS)
			}
			defer in.close()
			test(t, in)
		})
	}
}

// TestFolder asks both kinds of folder for the same things.
func TestFolder(t *testing.T) {
	outside := newFixture(t, "secret = 5")
	f := newFixture(t, `
		a/b/rate = 100
		a/pipe |
		a/in -> ../c/state
		a/up -> b/../../c
		a/loop -> loop
		a/gone -> nowhere
		c/state = 4: ACTIVE
	`)
	f.add("a/out -> " + outside.path("secret"))
	f.add("a/climb -> ../../../../../../../../../.." + outside.path("secret"))
	f.add("a/self -> " + f.path("c/state"))
	f.write("a/huge", strings.Repeat("x", 3*maxText)+"$")
	anything := errors.New("any error")
	files := []struct {
		name, want string
		err        error
	}{
		{"a/b/rate", "100\n", nil},
		{"a/in", "4: ACTIVE\n", nil},
		{"a/up/state", "4: ACTIVE\n", nil},
		{"a/b/../../c/state", "4: ACTIVE\n", nil},
		{"a/huge", strings.Repeat("x", maxText+1), nil},
		{"a", "", unix.EISDIR},
		{"a/pipe", "", unix.EINVAL},
		{"a/gone", "", fs.ErrNotExist},
		{"a/b/rate/x", "", unix.ENOTDIR},
		{"a/loop", "", anything},
		{"a/out", "", anything},
		{"a/climb", "", anything},
		{"a/self", "", anything}, // absolute
		{"../" + f.top, "", anything},
		{"/etc/passwd", "", anything},
		{"", "", anything},
		{"a\x00b", "", anything},
	}
	eachFolder(t, f.top, func(t *testing.T, in folder) {
		buf := make([]byte, maxText+1)
		for _, tt := range files {
			n, err := in.read(tt.name, buf)
			if string(buf[:n]) != tt.want || !errors.Is(err, tt.err) && (tt.err != anything || err == nil) {
				t.Errorf("read %q: %d bytes %.20q, %v; want %.20q, %v", tt.name, n, buf[:n], err, tt.want, tt.err)
			}
		}
	})
}

// TestFolderLinks is about names that are not followed to their end.
func TestFolderLinks(t *testing.T) {
	f := newFixture(t, "a/b/rate = 100\na/link -> b/rate\na/gone -> /nowhere")
	eachFolder(t, f.top, func(t *testing.T, in folder) {
		for name, want := range map[string]string{"a/link": "b/rate", "a/gone": "/nowhere"} {
			if got, err := in.readlink(name); got != want || err != nil {
				t.Errorf("%s leads to %q, %v; want %q", name, got, err, want)
			}
			if !in.exists(name) {
				t.Errorf("%s does not exist", name)
			}
		}
		for name, want := range map[string]error{"a/b/rate": unix.EINVAL, "a/b": unix.EINVAL, "a/none": fs.ErrNotExist} {
			if _, err := in.readlink(name); !errors.Is(err, want) {
				t.Errorf("link %s: %v, want %v", name, err, want)
			}
		}
		if in.exists("a/none") || in.exists("..") {
			t.Error("exists what does not")
		}
		sub, err := in.sub("a")
		if err != nil {
			t.Fatal(err)
		}
		defer sub.close()
		if _, err := sub.readlink("../a/link"); err == nil {
			t.Error("a name led out of the folder")
		}
		entries, err := sub.list(".", 10)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
			if _, err := e.Info(); err != nil { // as for types, where the file system has none in its lists
				t.Errorf("entry %s: %v", e.Name(), err)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != "b gone link" || err != nil {
			t.Errorf("list %q, %v", got, err)
		}
		if some, err := sub.list(".", 2); len(some) != 2 || err != nil {
			t.Errorf("list of two: %v, %v", some, err)
		}
		if _, err := sub.sub("link"); err == nil {
			t.Error("a file as a folder")
		}
	})
}

// TestIsPCIAddress pins the form.
func TestIsPCIAddress(t *testing.T) {
	for name, want := range map[string]bool{
		"0000:82:00.0": true, "10000:e1:1f.7": true, "00000000:00:00.0": true,
		"": false, "82:00.0": false, "0000:82:00.8": false, "0000:82:00": false, "000:82:00.0": false,
		"0000:8g:00.0": false, "0000:82:00.0x": false, "mlx5_core.rdma.0": false, "0000:82:00:0": false, "000000000:82:00.0": false,
	} {
		if got := isPCIAddress(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
