// Package api answers programs over HTTP: what is known of each fabric as
// versioned JSON below /api/v1, events as they happen, and an OpenAPI document that
// is made from the same declarations as the answers.
//
// It only tells: all requests are GET or HEAD, none changes anything, and none waits
// for a fabric. Each answer is made of one state, so that its parts fit together.
package api
