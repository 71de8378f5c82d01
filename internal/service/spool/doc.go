// Package spool keeps events on disk until somebody has taken them: a bounded queue that
// outlives the process, and what fills it from the log of events.
package spool
