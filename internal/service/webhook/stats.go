package webhook

import "time"

// Stats are the counts of a target since the start of the process, and how it stands.
type Stats struct {
	Target string

	Sent     uint64 // events that were taken
	Requests uint64 // that were made, with those that failed
	Failed   uint64 // requests
	Refused  uint64 // events that the target does not want, whatever is done
	Dropped  uint64 // events that were lost because the queue was full, or the log had gone on
	Filtered uint64 // events that are not for this target

	Queued      uint64 // events that wait
	QueuedBytes int64

	LastSent  time.Time // when the last request was taken; zero for never
	LastError string    // why the last request failed; "" if it did not
}
