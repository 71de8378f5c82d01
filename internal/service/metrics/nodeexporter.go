package metrics

import "context"

type hostReader struct{}

func (h *hostReader) lines(ctx context.Context, c *Collector, format Format) []byte { return nil }
