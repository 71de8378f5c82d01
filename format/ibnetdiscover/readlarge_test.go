package ibnetdiscover

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
)

// fatTree is the text of a fat tree of three levels with switches of the given
// radix: radix³/4 hosts, 5·radix²/4 switches.
func fatTree(radix int) []byte {
	var b bytes.Buffer
	half, pods := radix/2, radix
	leaf := func(pod, i int) int { return 0x10000 + pod*half + i }
	spine := func(pod, i int) int { return 0x20000 + pod*half + i }
	core := func(i int) int { return 0x30000 + i }
	host := func(pod, i, j int) int { return 0x100000 + ((pod*half+i)*half+j)*2 }
	node := func(kind string, guid int) {
		fmt.Fprintf(&b, "\nvendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x%x\n%s=0x%x", guid, kind, guid)
	}
	head := func(guid int) {
		node("switchguid", guid)
		fmt.Fprintf(&b, "(%x)\nSwitch\t%d \"S-%016x\"\t\t# \"switch %x\" enhanced port 0 lid %d lmc 0\n", guid, radix, guid, guid, guid&0xbfff)
	}
	link := func(num, peer, peerNum int) {
		fmt.Fprintf(&b, "[%d]\t\"S-%016x\"[%d]\t\t# \"switch %x\" lid %d 4xNDR\n", num, peer, peerNum, peer, peer&0xbfff)
	}
	b.WriteString("#\n# Topology file: generated on Tue Jan  2 03:04:05 2024\n#\n")
	fmt.Fprintf(&b, "# Initiated from node %016x port %016x\n", host(pods-1, half-1, half-1), host(pods-1, half-1, half-1)+1)
	for i := range half * half {
		head(core(i))
		for pod := range pods {
			link(pod+1, spine(pod, i/half), half+i%half+1)
		}
	}
	for pod := range pods {
		for i := range half {
			head(spine(pod, i))
			for j := range half {
				link(j+1, leaf(pod, j), half+i+1)
			}
			for j := range half {
				link(half+j+1, core(i*half+j), pod+1)
			}
		}
		for i := range half {
			head(leaf(pod, i))
			for j := range half {
				h := host(pod, i, j)
				fmt.Fprintf(&b, "[%d]\t\"H-%016x\"[1](%x) \t\t# \"host%x HCA-1\" lid %d 4xNDR\n", j+1, h, h+1, h, h>>1&0xbfff)
			}
			for j := range half {
				link(half+j+1, spine(pod, j), i+1)
			}
		}
	}
	for pod := range pods {
		for i := range half {
			for j := range half {
				h, l := host(pod, i, j), leaf(pod, i)
				node("caguid", h)
				fmt.Fprintf(&b, "\nCa\t1 \"H-%016x\"\t\t# \"host%x HCA-1\"\n[1](%x) \t\"S-%016x\"[%d]\t\t# lid %d lmc 0 \"switch %x\" lid %d 4xNDR\n",
					h, h, h+1, l, j+1, h>>1&0xbfff, l, l&0xbfff)
			}
		}
	}
	return b.Bytes()
}

func TestFatTree(t *testing.T) {
	text := fatTree(8)
	f, err := Read(bytes.NewReader(text), "f")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := countFabric(f), countText(string(text)); got != want || want.nodes != 8*8*8/4+5*8*8/4 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(f.Problems()) != 0 {
		t.Errorf("%d problems: %v", len(f.Problems()), f.Problems()[0])
	}
	var out bytes.Buffer
	if err := Write(&out, f, nil); err != nil || !bytes.Equal(out.Bytes(), text) {
		t.Errorf("written again, the file is another one (error %v)", err)
	}
}

// BenchmarkRead65536 reads 65,536 hosts and 5,120 switches.
func BenchmarkRead65536(b *testing.B) {
	text := fatTree(64)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Read(bytes.NewReader(text), "f")
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc-uint64(len(text)))/1e6, "MB-live")
		runtime.KeepAlive(f)
		b.StartTimer()
	}
}
