package lines

import "errors"

// MaxPorts is the most ports that the nodes of one file may have, all nodes
// together. A port costs some 200 bytes of memory, but a header of 14 bytes
// makes 255 of them. A fabric of a million hosts has five million ports.
const MaxPorts = 1 << 23

// ErrTooLarge is in the error for a file beyond MaxPorts.
var ErrTooLarge = errors.New("too large: the nodes have more than 8 million ports")
