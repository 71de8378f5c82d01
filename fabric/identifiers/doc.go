// Package identifiers checks that the LIDs and GUIDs of a fabric are there and
// are used once.
package identifiers
