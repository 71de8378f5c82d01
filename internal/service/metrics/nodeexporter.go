package metrics

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ibscope/ibscope/rdma"
)

// hostReader reads the devices of this machine when it is scraped. Scrapes that come
// at the same time share what was read.
type hostReader struct {
	mu    sync.Mutex
	at    time.Time
	state *hostState
}

// hostTimeout is how long devices may take that do not answer; what was read by then
// is shown.
const hostTimeout = 5 * time.Second

// hostState is what was read of the devices.
type hostState struct {
	ports    []hostPort
	devices  []*rdma.Device
	unread   map[hostItem]bool
	failed   bool
	duration time.Duration
}

// hostPort is a port with its counters.
type hostPort struct {
	*rdma.Port
	labels         string
	ports, drivers rdma.Counters
}

// hostItem is something of a port that could not be read.
type hostItem struct {
	device    string
	port      int
	attribute string
}

// lines are the metrics of the devices, with how well they were read if that is asked
// by a scrape: of a file node_exporter tells it itself.
func (h *hostReader) lines(ctx context.Context, c *Collector, format Format, scraped bool) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := c.o.Now(); h.state == nil || now.Sub(h.at) >= c.o.Every {
		h.state = readHost(ctx, c.o.Host, c.o.Now)
		h.at = c.o.Now()
	}
	var out []byte
	var w writer
	all := hostFamilies()
	for i := range all {
		f := &all[i]
		if !scraped && strings.HasPrefix(f.name, "node_scrape_") {
			continue
		}
		w.begin(f.name, c.o.MaxSeries)
		f.write(&w, h.state)
		if w.samples > 0 {
			out = append(appendHead(out, &f.family, format), w.buf...)
		}
	}
	return out
}

// readHost reads all devices. What is broken in one of them hides nothing else.
func readHost(ctx context.Context, host rdma.Host, now func() time.Time) *hostState {
	ctx, cancel := context.WithTimeout(ctx, hostTimeout)
	defer cancel()
	began := now()
	s := &hostState{unread: map[hostItem]bool{}}
	devices, err := host.Devices(ctx)
	s.devices = devices
	s.note(err)
	for _, d := range devices {
		for _, p := range d.Ports {
			hp := hostPort{Port: p, labels: labels("device", d.Name, "port", strconv.Itoa(p.Num))}
			hp.ports, err = p.Counters(ctx)
			s.note(err)
			hp.drivers, err = p.HWCounters(ctx)
			s.note(err)
			s.ports = append(s.ports, hp)
		}
	}
	s.duration = now().Sub(began)
	return s
}

// note remembers what could not be read. A driver without a counter is no failure.
func (s *hostState) note(err error) {
	for _, e := range rdma.Problems(err) {
		s.unread[hostItem{e.Device, e.Port, e.Attribute}] = true
		s.failed = s.failed || e.Op != "netlink" // sysfs has it all
	}
	if err != nil && len(rdma.Problems(err)) == 0 {
		s.failed = true
	}
}

// has reports whether an attribute of a port was read.
func (s *hostState) has(p *hostPort, attribute string) bool {
	return !s.unread[hostItem{p.Device, p.Num, attribute}]
}

// hostFamily is a metric of the devices of this machine.
type hostFamily struct {
	family
	write func(*writer, *hostState)
}

// hostFamilies are the names of node_exporter's infiniband collector.
var hostFamilies = sync.OnceValue(makeHostFamilies)

func makeHostFamilies() []hostFamily {
	out := []hostFamily{
		hostGauge("node_infiniband_info", "device,board_id,firmware_version,hca_type", "Always 1: a device.", func(w *writer, s *hostState) {
			for _, d := range s.devices {
				w.uint(labels("device", d.Name, "board_id", d.BoardID, "firmware_version", d.Firmware, "hca_type", d.HCAType), 1)
			}
		}),
		hostAttribute("state_id", "Logical state of the port: 1 down, 2 initialize, 3 armed, 4 active, 5 active deferred.", "state",
			func(p *hostPort) float64 { return float64(p.State) }),
		hostAttribute("physical_state_id", "Physical state of the port: 1 sleep, 2 polling, 3 disabled, 4 training, 5 link up, 6 error recovery, 7 phy test.", "phys_state",
			func(p *hostPort) float64 { return float64(p.PhysState) }),
		hostAttribute("rate_bytes_per_second", "What the lanes of the port signal, as the kernel rounds it.", "rate",
			func(p *hostPort) float64 { return p.Rate.Gbps * 125_000_000 }),
	}
	for _, c := range hostCounters {
		out = append(out, hostFamily{
			family: family{name: "node_infiniband_" + c.word, kind: counter, labels: "device,port", help: c.help},
			write:  c.write,
		})
	}
	return append(out,
		hostGauge("node_infiniband_lifespan_seconds", "device,port", "How long the kernel keeps values of counters before it asks the hardware again.",
			func(w *writer, s *hostState) {
				for i := range s.ports {
					if l := s.ports[i].drivers.Lifespan; l > 0 {
						w.float(s.ports[i].labels, l.Seconds())
					}
				}
			}),
		hostGauge("node_scrape_collector_duration_seconds", "collector", "How long it took to read the devices.",
			func(w *writer, s *hostState) { w.float(labels("collector", "infiniband"), s.duration.Seconds()) }),
		hostGauge("node_scrape_collector_success", "collector", "1 if everything could be read. What could be read is shown in any case.",
			func(w *writer, s *hostState) { w.flag(labels("collector", "infiniband"), !s.failed) }),
	)
}

func hostGauge(name, names, help string, write func(*writer, *hostState)) hostFamily {
	return hostFamily{family{name: name, kind: gauge, labels: names, help: help}, write}
}

// hostAttribute declares a metric of an attribute of ports.
func hostAttribute(word, help, attribute string, value func(*hostPort) float64) hostFamily {
	return hostGauge("node_infiniband_"+word, "device,port", help, func(w *writer, s *hostState) {
		for i := range s.ports {
			if p := &s.ports[i]; s.has(p, attribute) {
				w.float(p.labels, value(p))
			}
		}
	})
}

// write writes a counter of the ports that have it.
func (c hostCounter) write(w *writer, s *hostState) {
	for i := range s.ports {
		p := &s.ports[i]
		from := p.ports
		if c.dir == driverDir {
			from = p.drivers
		}
		n, ok := from.Get(c.file)
		switch {
		case ok && c.words:
			w.uint(p.labels, n*4)
		case ok:
			w.uint(p.labels, n)
		}
	}
}
