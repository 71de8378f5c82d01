package service

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
)

// write writes a file of the test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReload changes fabrics while the service runs: what stays the same is not
// disturbed, what changes begins with what is known.
func TestReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		w.run(complete(t, "a="+tree, "b="+ring))
		wait(time.Minute)
		before := w.service.States()

		c := complete(t, "a="+tree, "b="+ring, "c=sim:star?hosts=3")
		c.Fabrics[1].Refresh.Every = 5 * time.Second
		if fixed, err := w.service.Reload(t.Context(), c); err != nil || fixed != nil {
			t.Fatal(fixed, err)
		}
		s := w.status()
		if len(s) != 3 || s["a"].Verify.Count != 1 || s["a"].Refresh.Count < 5 {
			t.Errorf("what stayed the same: %+v", s["a"])
		}
		if s["b"].Counts == nil || s["b"].Counts.Nodes != before[1].Fabric.NumNodes() {
			t.Errorf("what changed has forgotten everything: %+v", s["b"])
		}
		wait(time.Minute)
		for name, f := range w.status() {
			if f.Status != api.Live {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got := w.kinds("b", 0); got != nil {
			t.Errorf("a new configuration makes events: %v", got)
		}

		if _, err := w.service.Reload(t.Context(), complete(t, "c=sim:star?hosts=3")); err != nil {
			t.Fatal(err)
		}
		if s := w.status(); len(s) != 1 || s["c"].Verify.Count != 1 {
			t.Errorf("%+v", s)
		}
		wait(time.Minute)
		if out := w.ask(api.Prefix + "/fabrics/a"); out.Code != http.StatusNotFound {
			t.Errorf("a fabric that is gone: %d", out.Code)
		}
	})
}

// TestReloadRefuses leaves everything as it is when there is a mistake.
func TestReloadRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "a="+tree)
		c.Tokens = write(t, "tokens", "bob correct-horse-battery-staple\n")
		w.run(c)
		wait(time.Minute)
		for name, change := range map[string]func(*config.Config){
			"names":   func(c *config.Config) { c.Fabrics[0].Names = write(t, "names", "this is no map\n") },
			"tokens":  func(c *config.Config) { c.Tokens = write(t, "tokens", "bob short\n") },
			"missing": func(c *config.Config) { c.Tokens = filepath.Join(t.TempDir(), "none") },
			"source": func(c *config.Config) {
				c.Fabrics = append(c.Fabrics, config.Fabric{Name: "b", Source: ring}, config.Fabric{Name: "m", Source: "mistake:"})
			},
		} {
			c := complete(t, "a="+tree)
			change(c)
			if _, err := w.service.Reload(t.Context(), c); err == nil {
				t.Errorf("%s: a mistake is taken on", name)
			}
			if got := w.service.States(); len(got) != 1 {
				t.Errorf("%s: there are %d fabrics", name, len(got))
			}
			if out := w.ask(api.Prefix + "/fabrics"); out.Code != http.StatusUnauthorized {
				t.Errorf("%s: without a token %d", name, out.Code)
			}
			if out := w.ask(api.Prefix+"/fabrics", "Authorization", "Bearer correct-horse-battery-staple"); out.Code != http.StatusOK {
				t.Errorf("%s: with the token %d", name, out.Code)
			}
		}
	})
}

// TestReloadKeepsTheDoorShut: where the service goes on listening to the network, a
// configuration that has it listen to the loopback address takes no tokens away.
func TestReloadKeepsTheDoorShut(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	c := complete(t, "a=file:ring?switches=4")
	c.Listen, c.Tokens = []string{":9805"}, write(t, "tokens", "bob correct-horse-battery-staple\n")
	if err := w.make(c); err != nil {
		t.Fatal(err)
	}
	defer w.service.Close()
	if fixed, err := w.service.Reload(t.Context(), complete(t, "a=file:ring?switches=4")); err == nil {
		t.Errorf("it is taken on but for %v", fixed)
	}
	if out := w.ask(api.Prefix + "/fabrics"); out.Code != http.StatusUnauthorized {
		t.Errorf("without a token %d", out.Code)
	}
}

// TestReloadFiles takes on other tokens, names and thresholds, and says what it cannot.
func TestReloadFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		w.run(complete(t, "a="+ring))
		wait(time.Minute)
		guid := w.service.States()[0].Fabric.Start().Node().GUID()
		c := complete(t, "a="+ring)
		c.Tokens = write(t, "tokens", "bob correct-horse-battery-staple\n")
		c.Fabrics[0].Names = write(t, "names", guid.String()+" \"the first one\"\n")
		c.Listen, c.State = []string{"127.0.0.1:1"}, t.TempDir()
		fixed, err := w.service.Reload(t.Context(), c)
		if err != nil || !slices.Equal(fixed, []string{"listen", "state"}) {
			t.Fatal(fixed, err)
		}
		if out := w.ask(api.Prefix + "/fabrics"); out.Code != http.StatusUnauthorized {
			t.Errorf("without a token %d", out.Code)
		}
		out := w.ask(api.Prefix+"/fabrics/a/nodes/"+guid.String(), "Authorization", "Bearer correct-horse-battery-staple")
		if out.Code != http.StatusOK || !strings.Contains(out.Body.String(), `"name":"the first one"`) {
			t.Errorf("%d %s", out.Code, out.Body)
		}
	})
}

// TestStopTakesAReload ends while a configuration is taken on, before that or after it;
// then there is nothing to be taken on any more.
func TestStopTakesAReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		w.run(complete(t, "a="+ring))
		wait(time.Minute)
		done := make(chan error)
		go func() {
			_, err := w.service.Reload(t.Context(), complete(t, "a="+tree))
			done <- err
		}()
		if err := w.end(); err != nil {
			t.Error(err)
		}
		w.end = nil
		if err := <-done; err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if _, err := w.service.Reload(t.Context(), complete(t, "a="+ring)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("a configuration after the end: %v", err)
		}
	})
}
