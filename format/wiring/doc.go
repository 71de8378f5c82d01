// Package wiring reads plans of wiring, for package fabric/verify: cabling lists as
// CSV, and rules as YAML. docs/verify.md describes both for people.
package wiring
