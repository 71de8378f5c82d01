package gen

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "known are fattree, gpupod, dragonfly+, dragonfly, torus, hypercube, hyperx, director, subnets, xdrplanes, line, ring, star",
		"tree":                               `"tree" is not known`,
		"fattree?level=3":                    `parameter "level" is not known; known are levels, radix, hosts, hcas, rails`,
		"fattree?levels=9":                   "levels=9: must be 1…8",
		"fattree?levels=0":                   `levels="0": must be a number from 1`,
		"fattree?levels=x":                   `levels="x": must be a number from 1`,
		"fattree?levels=":                    `levels=""`,
		"fattree?radix=37":                   "radix=37: must be even",
		"fattree?radix=256":                  "radix=256: must be 2…254",
		"fattree?radix=36&hosts=649":         "hosts=649: must be 1…648",
		"fattree?radix=36&hosts=325&hcas=2":  "hosts=325: must be 1…324",
		"fattree?radix=36&uplinks=36":        "uplinks=36: must be 1…35",
		"fattree?uplinks=3&oversub=2":        "uplinks=3: is what oversub says already",
		"fattree?oversub=0.5":                "oversub=0.5: must be 1…64",
		"fattree?oversub=1:x":                `oversub="1:x": must be a ratio`,
		"fattree?oversub=1:0":                `oversub="1:0": must be a ratio`,
		"fattree?oversub=NaN":                `oversub="NaN": must be a ratio`,
		"fattree?oversub=inf":                "oversub=+Inf: must be 1…64",
		"fattree?rails=17":                   "rails=17: must be 1…16",
		"fattree?rails=2&levels=1":           "rails=2: needs levels=2 at least",
		"fattree?rails=2&hcas=3":             "hcas=3: must be a multiple of rails=2",
		"fattree?rails=2&hcas=16&radix=4":    "hcas=16: must be at most 4",
		"fattree?rails=7&radix=4":            "rails=7: needs as many leaves for a host, but radix=4 and levels=2 give less",
		"fattree?split=yes&speed=edr":        `split=yes: needs speed=hdr or ndr`,
		"fattree?split=maybe":                `split="maybe": must be yes or no`,
		"fattree?sharp=yes&speed=qdr":        "sharp=yes: needs a speed from edr on",
		"fattree?sharp=yes&radix=254":        "sharp=yes: needs switches with less than 254 ports",
		"fattree?vfs=255":                    "vfs=255: must be 0…254",
		"fattree?speed=warp":                 `speed="warp": must be one of sdr, ddr`,
		"fattree?width=3x":                   `width="3x": must be one of 1x`,
		"fattree?levels=2&levels=3":          `levels="2,3": is given more than once`,
		"fattree?levels=8&radix=254&hosts=1": "levels=8: needs",
		"fattree?%zz":                        "cannot be read",
		"ring?switches=5000":                 "switches=5000: must be 1…4096",
		"star?hosts=255":                     "hosts=255: must be 1…254",
		"star?speed=none":                    `speed="none"`,
		"gpupod?units=33":                    "units=33: must be 1…32",
		"gpupod?hosts=33":                    "hosts=33: must be 1…32",
		"gpupod?radix=4":                     "rails=8: must be 1…4",
		"gpupod?radix=6&units=3&rails=7":     "rails=7: must be 1…6",
		"gpupod?storage=-1":                  `storage="-1": must be a number from 0`,
		"gpupod?storage=":                    `storage="": must be a number from 0`,
		"gpupod?radix=7":                     "radix=7: must be even, 4…254",
		"gpupod?storage=2017":                "storage=2017: must be 0…2016",
		"dragonfly?groups=10":                "groups=10: must be at most 9",
		"dragonfly?switches=253":             "switches=253: needs switches with",
		"dragonfly+?leaves=200":              "leaves=200: needs leaves with",
		"dragonfly+?groups=18":               "groups=18: must be at most 17",
		"torus?dims=4x0":                     `dims="4x0": must be sizes, as 4x4x2`,
		"torus?dims=2x2x2x2x2x2x2x2x2":       "must have at most 8 dimensions",
		"torus?dims=5000":                    "dims=5000: must have sizes of 1…4096",
		"torus?dims=4000x4000":               "dims=4000x4000: gives more than",
		"torus?hosts=250&dims=2x2&cables=9":  "dims=2x2: needs switches with 286 ports",
		"hyperx?shape=300":                   "shape=300: needs switches with 300 ports",
		"hyperx?cables=17":                   "cables=17: must be 1…16",
		"hypercube?dims=17":                  "dims=17: must be 1…16",
		"director?model=x":                   `model="x": must be one of is5600, sx6536`,
		"director?lines=37":                  "lines=37: must be 1…36",
		"director?hosts=649":                 "hosts=649: must be 1…648",
		"subnets?subnets=65":                 "subnets=65: must be 1…64",
		"subnets?radix=2":                    "hosts=8: with routers=1 it needs 9 places, but levels=2 and radix=2 have less",
		"subnets?radix=7":                    "subnets: radix=7: must be even",
		"xdrplanes?planes=1":                 "planes=1: must be 2…8",
		"xdrplanes?radix=252":                "radix=252: must be 2…250",
	} {
		_, err := Parse(text)
		if err == nil || !errors.Is(err, os.ErrInvalid) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The table tells the truth: examples can be made, and where the values are a
// plain range the numbers beyond it are refused.
func TestTable(t *testing.T) {
	for _, g := range Generators() {
		if g.Summary == "" || !strings.HasPrefix(g.Example, g.Name+"?") {
			t.Errorf("%s: incomplete entry", g.Name)
		}
		if _, err := Parse(g.Example); err != nil {
			t.Errorf("example: %v", err)
		}
		for _, p := range g.Params {
			if p.Values == "" || p.Default == "" {
				t.Errorf("%s: %s has no values or no default", g.Name, p.Name)
			}
			low, high, isRange := strings.Cut(strings.TrimPrefix(p.Values, "even, "), "…")
			most, err := strconv.Atoi(high)
			if !isRange || err != nil {
				continue
			}
			for _, beyond := range []string{"-1", strconv.Itoa(most + 1)} {
				_, err := Parse(g.Name + "?" + p.Name + "=" + beyond)
				if err == nil || !strings.Contains(err.Error(), p.Name+"=") {
					t.Errorf("%s: %s=%s beyond %s…%s: %v", g.Name, p.Name, beyond, low, high, err)
				}
			}
			if p.Values == "yes, no" {
				if _, err := Parse(g.Name + "?" + p.Name + "=maybe"); err == nil {
					t.Errorf("%s: %s=maybe is taken", g.Name, p.Name)
				}
			}
		}
	}
}
