package doctor

import (
	"time"

	"github.com/ibscope/ibscope/hostcheck"
)

// Identity of the schema; docs/json.md describes it.
const (
	schema  = "ibscope.doctor"
	version = 1
)

type jsonDocument struct {
	Schema   string        `json:"schema"`
	Version  int           `json:"version"`
	Checked  string        `json:"checked"`
	Worst    string        `json:"worst"`
	Counts   jsonCounts    `json:"counts"`
	Findings []jsonFinding `json:"findings"`
}

type jsonCounts struct {
	OK       int `json:"ok"`
	Notes    int `json:"notes"`
	Warnings int `json:"warnings"`
	Failures int `json:"failures"`
}

type jsonFinding struct {
	Check    hostcheck.Check    `json:"check"`
	Severity hostcheck.Severity `json:"severity"`
	Device   string             `json:"device,omitempty"`
	Port     int                `json:"port,omitempty"`
	Text     string             `json:"text"`
	Evidence []string           `json:"evidence,omitempty"`
	Remedy   []string           `json:"remedy,omitempty"`
}

func document(r *hostcheck.Report, now time.Time) *jsonDocument {
	d := &jsonDocument{
		Schema: schema, Version: version,
		Checked: now.UTC().Format(time.RFC3339),
		Worst:   r.Worst().String(),
		Counts: jsonCounts{
			OK: r.Count(hostcheck.OK), Notes: r.Count(hostcheck.Note),
			Warnings: r.Count(hostcheck.Warning), Failures: r.Count(hostcheck.Failure),
		},
		Findings: make([]jsonFinding, 0, len(r.Findings)),
	}
	for i := range r.Findings {
		d.Findings = append(d.Findings, jsonFinding(r.Findings[i]))
	}
	return d
}
