// Package dashboard reads Grafana's dashboards, asks Prometheus what their panels ask, and
// draws the answers as a picture: laid out as Grafana lays out, drawn by this package. It
// knows as much of Grafana as the dashboards of this project need, and reports what it
// does not know, so that a test of them finds it.
//
// Read reads a dashboard. Dashboard.Ask resolves its variables and asks every query of a
// Prometheus; the Answers that come of it tell what failed or is empty, and draw the page.
package dashboard
