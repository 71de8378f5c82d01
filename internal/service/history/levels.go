package history

import "time"

// The levels of rates: of passes, and of intervals of these lengths.
const numLevels = 4

var width = [numLevels]time.Duration{0, 5 * time.Minute, time.Hour, day}
