package ibnetdiscover

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ibscope/ibscope/mad/smp"
)

func TestReadNothing(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n", "prose": "no such thing\nas a fabric\n", "binary": "\x00\xff\xfe[\x00\n",
		"header only": "# Topology file: generated on Tue Jan  2 03:04:05 2024\nvendid=0x2c9\n",
	} {
		_, err := Read(strings.NewReader(text), "some.file")
		var re *ReadError
		if !errors.Is(err, ErrNothing) || !errors.As(err, &re) || re.File != "some.file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadBrokenStream(t *testing.T) {
	_, err := Read(io.MultiReader(strings.NewReader(pair), iotest.ErrReader(io.ErrClosedPipe)), "f")
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want that of the stream", err)
	}
}

// TestReadTooLarge reads short lines that stand for many ports.
func TestReadTooLarge(t *testing.T) {
	headers := strings.Repeat("Switch255\"S-1\"\n", 1<<15+1)
	var missing strings.Builder
	missing.WriteString("Switch 255 \"a\"\n")
	for i := range 1<<15 + 1 {
		if i%255 == 0 {
			fmt.Fprintf(&missing, "Switch 255 \"s%d\"\n", i)
		}
		fmt.Fprintf(&missing, "[%d]\"x%d\"[255]\n", i%255+1, i)
	}
	for _, text := range []string{headers, missing.String()} {
		if _, err := Read(strings.NewReader(text), "f"); !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v, want %v", err, ErrTooLarge)
		}
	}
}

// TestFDR10 checks the one speed that PortInfo does not hold.
func TestFDR10(t *testing.T) {
	f, err := Read(strings.NewReader(strings.ReplaceAll(pair, "HDR", "FDR10")), "f")
	if err != nil {
		t.Fatal(err)
	}
	for p := range f.Ports() {
		info, _ := p.Info()
		if p.Num() == 0 {
			continue
		}
		if ext, ok := p.RawExtendedInfo(); !ok || ext[15]&1 == 0 || info.LinkSpeedActive != 4 || info.LinkSpeedExtActive != 0 {
			t.Errorf("node %v port %d: %v, speed %d, extended %d", p.Node().GUID(), p.Num(), ok, info.LinkSpeedActive, info.LinkSpeedExtActive)
		}
	}
}

// TestPortInfo checks fields that Active does not show.
func TestPortInfo(t *testing.T) {
	text := strings.ReplaceAll(pair, "4xHDR", "2xXDR s=4 w=16 v=3 e=32")
	f, err := Read(strings.NewReader(text), "f")
	if err != nil {
		t.Fatal(err)
	}
	sw, _ := f.NodeByGUID(0xa0)
	zero, _ := sw.Port(0).Info()
	if want := smp.CapExtendedSpeeds | smp.CapCapMask2; zero.CapMask != want || zero.CapMask2&smp.Cap2ExtendedSpeeds2 == 0 {
		t.Errorf("port 0: capability masks %#x, %#x", zero.CapMask, zero.CapMask2)
	}
	one, _ := sw.Port(1).Info()
	if one.VLCap != 3 || one.LinkWidthSupported != 17 || one.LinkSpeedSupported != 7 || one.LinkSpeedExtSupported != 15 || one.LinkSpeedExtSupported2 != 1 {
		t.Errorf("port 1: %+v", one)
	}
	if s := f.Sweep(); s.Started.Year() != 2024 || s.Source != "file:f" {
		t.Errorf("sweep: %+v", s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(pair))
	f.Add(fatTree(2))
	f.Add([]byte("SW     5  3 0x00000000000000a0 4x ???                                    'x'\nSwitch\t: 0xa0 ports 36 \"l\" base port 0 lid 5 lmc 2\n"))
	f.Add([]byte("DR path slid 0; dlid 0; 0,2 -> new Switch {a0} portnum 0 lid 0-0 \"\"\nCa 2 \"x\"\n[1](1)(2)\"x\"[2][ext 3](1)#lid 1 lmc 2\"\"lid 3 4xFDR10 e=32\nCa 2\"x\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		fab, err := Read(bytes.NewReader(text), "f")
		if err != nil {
			if !errors.Is(err, ErrNothing) {
				t.Fatal(err)
			}
			return
		}
		dump(fab)
		again := fab
		for range 2 { // what is written can be read, and says the same
			var out, second bytes.Buffer
			if err := Write(&out, again, nil); err != nil {
				t.Fatal(err)
			}
			if again, err = Read(bytes.NewReader(out.Bytes()), "f"); err != nil {
				t.Fatalf("%v in\n%s", err, out.Bytes())
			}
			if again.NumNodes() != fab.NumNodes() {
				t.Fatalf("%d nodes, then %d", fab.NumNodes(), again.NumNodes())
			}
			if err := Write(&second, again, nil); err != nil {
				t.Fatal(err)
			}
		}
	})
}
