package api

func (a *API) rates(r *request) error {
	if a.o.History == nil {
		return errNoHistory
	}
	until := r.values["until"].time
	if until.IsZero() {
		until = a.o.Now()
	}
	since := r.values["since"].time
	if !since.Before(until) {
		return bad("since is not before until")
	}
	node, num := r.guid("node"), r.number("port")
	points, err := a.o.History.Rates(r.http.Context(), r.state.Name, node, num, since, until)
	if err != nil {
		return historyError(err)
	}
	answer := RateSeries{
		Schema: "ibscope.api.rates", Version: Version, Fabric: r.state.Name, Port: Place{GUID: node, Name: node.String(), Port: &num},
		Times: []int64{}, Seconds: []float64{}, Series: series(points),
	}
	for _, p := range points {
		answer.Times = append(answer.Times, p.To.Unix())
		answer.Seconds = append(answer.Seconds, p.To.Sub(p.From).Seconds())
	}
	if r.state.Fabric != nil {
		x := a.indexOf(r.state)
		if n, ok := x.fabric.NodeByGUID(node); ok {
			answer.Port = *x.placeOf(n, num)
			if p := n.Port(num); p != nil {
				answer.Port = x.portPlace(p)
			}
		}
	}
	return r.json(answer)
}

// series are the rates by their names, the mean and the highest of each.
func series(points []RatePoint) []RateValues {
	list := []RateValues{}
	add := func(name string, value func(*RatePoint) float64) {
		values := make([]*float64, len(points))
		for i := range points {
			if v := value(&points[i]); v >= 0 {
				values[i] = &v
			}
		}
		list = append(list, RateValues{name, values})
	}
	for _, s := range []struct {
		name string
		of   func(*RatePoint) RateRange
	}{
		{"xmit_bytes_per_second", func(p *RatePoint) RateRange { return p.XmitBytes }},
		{"rcv_bytes_per_second", func(p *RatePoint) RateRange { return p.RcvBytes }},
		{"xmit_packets_per_second", func(p *RatePoint) RateRange { return p.XmitPackets }},
		{"rcv_packets_per_second", func(p *RatePoint) RateRange { return p.RcvPackets }},
		{"congestion", func(p *RatePoint) RateRange { return p.Congestion }},
	} {
		add(s.name, func(p *RatePoint) float64 { return s.of(p).Mean })
		add(s.name+"_max", func(p *RatePoint) float64 { return s.of(p).Max })
	}
	add("errors", func(p *RatePoint) float64 { return p.Errors })
	return list
}
