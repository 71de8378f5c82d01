package api

import "time"

// Link is a cable, or a trace on a backplane, once.
type Link struct {
	ID          string    `json:"id" doc:"Node GUID and port number of the end a, such as 0x0002c90200000001-17; it names the link as long as that end is cabled as it is"`
	A           LinkEnd   `json:"a" doc:"The end that comes first in the order of nodes"`
	B           LinkEnd   `json:"b"`
	State       string    `json:"state,omitempty" doc:"Logical state of the end that is less far: Down, Initialize, Armed, Active"`
	PhysState   string    `json:"phys_state,omitempty" doc:"Physical state of the same end"`
	Active      *Rate     `json:"active,omitempty" doc:"Of a link that is up"`
	Best        *Rate     `json:"best,omitempty" doc:"The fastest that both ends support"`
	Degraded    bool      `json:"degraded" doc:"It runs below best"`
	Narrow      bool      `json:"narrow" doc:"With fewer lanes"`
	Slow        bool      `json:"slow" doc:"At a lower speed"`
	Disagrees   bool      `json:"disagrees" doc:"The ends tell different rates"`
	OneWay      bool      `json:"one_way" doc:"Only a knows of the link"`
	Tier        *int      `json:"tier,omitempty" doc:"The lower tier of the two ends; hosts are 0"`
	Flapping    bool      `json:"flapping" doc:"It went down and up lately"`
	Flaps       uint64    `json:"flaps" doc:"How often it went down and up, as far as events are kept"`
	LastFlap    time.Time `json:"last_flap,omitzero"`
	Utilisation *float64  `json:"utilisation,omitempty" doc:"Share of the rate, 0 to 1, in the busier direction"`
	Errors      *uint64   `json:"errors,omitempty" doc:"Sum of the error counters of both ends; absent where none was read"`
	ErrorRate   *float64  `json:"errors_per_second,omitempty"`
	Congestion  *float64  `json:"congestion,omitempty" doc:"Of the end that waits more"`
}

// LinkEnd is one end of a link, with what its counters tell in short.
type LinkEnd struct {
	Place
	State           string    `json:"state,omitempty"`
	ReadAt          time.Time `json:"read_at,omitzero" doc:"When its counters were read last; absent where they never were"`
	XmitBytes       *uint64   `json:"xmit_bytes,omitempty" doc:"Sent from here, total"`
	RcvBytes        *uint64   `json:"rcv_bytes,omitempty"`
	XmitRate        *float64  `json:"xmit_bytes_per_second,omitempty"`
	RcvRate         *float64  `json:"rcv_bytes_per_second,omitempty"`
	Utilisation     *float64  `json:"utilisation,omitempty" doc:"Share of the rate that is sent from here, 0 to 1"`
	Errors          *uint64   `json:"errors,omitempty"`
	ErrorsPerSecond *float64  `json:"errors_per_second,omitempty"`
	WorstError      string    `json:"worst_error,omitempty" doc:"The counter of errors that rises most; where none does, the highest one"`
	LinkDowned      *uint64   `json:"link_downed,omitempty" doc:"How often the link went down, as the port counts"`
	Discards        *float64  `json:"xmit_discards_per_second,omitempty"`
	Congestion      *float64  `json:"congestion,omitempty"`
}
