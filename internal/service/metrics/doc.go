// Package metrics shows fabrics to Prometheus: under names of its own, and on request
// under those of three other exporters, so that their dashboards go on working.
//
// What a state holds is written once, when the state changes, and kept in compressed
// pieces of one metric and one fabric each. A scrape puts pieces together: it renders
// nothing, waits for no fabric, and costs what it takes to send the bytes.
package metrics
