package checklftbalance

import "github.com/ibscope/ibscope/ib"

type document struct {
	Switches []balance `json:"switches"`
}

// balance is how a switch spreads LIDs over its ports.
type balance struct {
	GUID     ib.GUID `json:"guid"`
	Name     string  `json:"name"`
	Balanced bool    `json:"balanced"`
	Ports    []use   `json:"ports"`
}

type use struct {
	Port int `json:"port"`
	LIDs int `json:"lids"`
}
