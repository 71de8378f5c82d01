// Package service is the resident service as a whole: fabrics that are watched, the log
// of their events, and all that looks at them: the API, metrics, history, the page,
// webhooks. It knows how these fit together; what each does is in a package of its own.
//
// How a fabric is opened, and where messages go, it is told by a World.
package service
