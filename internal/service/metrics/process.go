package metrics

import (
	"bytes"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// newRegistry makes a registry with what every exporter tells of its process.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// appendGathered writes what a registry has. Part of it that fails is not there.
func appendGathered(out []byte, g prometheus.Gatherer, format Format) []byte {
	list, _ := g.Gather() // with an error it gives the rest
	b := bytes.NewBuffer(out)
	for _, f := range list {
		if format == OpenMetrics {
			_, _ = expfmt.MetricFamilyToOpenMetrics(b, f)
		} else {
			_, _ = expfmt.MetricFamilyToText(b, f)
		}
	}
	return b.Bytes()
}

// Gather implements prometheus.Gatherer, for programs that have a registry of their
// own: it gives the own names, without those of the process. It is slow on large
// fabrics, where the metrics of client_golang take a thousand times what a scrape of
// Handler does.
func (c *Collector) Gather() ([]*dto.MetricFamily, error) {
	var text bytes.Buffer
	if err := c.book().pages[Own][Text].writeText(&text); err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		return nil, err
	}
	out := make([]*dto.MetricFamily, 0, len(families))
	for _, f := range ownFamilies {
		if family := families[f.name]; family != nil {
			out = append(out, family)
		}
	}
	return out, nil
}
