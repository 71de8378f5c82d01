package ibdiscover

// document is what is found out.
type document struct {
	Compared bool   `json:"compared"` // there was a file of the last run
	Nodes    int    `json:"nodes"`
	Links    []link `json:"links"`   // each as both of its ends tell it
	Changes  []link `json:"changes"` // all of them without a file of the last run
}

type link struct {
	Local  end `json:"local"`
	Remote end `json:"remote"`
}

type end struct {
	GUID  string `json:"guid"`
	Port  int    `json:"port"`
	Place string `json:"place,omitempty"`
}

func (l *listing) document(changes []wire, compared bool) document {
	d := document{Compared: compared, Nodes: len(l.nodes), Links: []link{}, Changes: []link{}}
	for _, w := range l.wires {
		d.Links = append(d.Links, l.link(w))
	}
	for _, w := range changes {
		d.Changes = append(d.Changes, l.link(w))
	}
	return d
}

func (l *listing) link(w wire) link {
	return link{end{"0x" + w.local, w.localPort, l.places[w.local]}, end{"0x" + w.remote, w.remotePort, l.places[w.remote]}}
}
