// Package day is, for tests, a day in the life of a simulated cluster as Prometheus
// remembers it: a real service watches the fabric in virtual time, is scraped every two
// minutes, and a real Prometheus is filled with what it said. Its tests ask every query
// of the dashboards that are shipped, and draw them for the documents.
package day
