package top

import "strings"

// helpText lists the keys.
const helpText = `ibscope top: what moves in a fabric

  1 Traffic      how much passes each link, the busiest first
  2 Errors       links that have counted errors, those that rise first
  3 Congestion   ports that have data to send and no credits; dropped packets
  4 Links        links that are down, slower than they can be, or were down
  5 Events       what has happened since the start

  up down pgup pgdown home end  choose a row      tab    the next table
  enter  the ports of the node at the left        o      those of the peer
  esc    back; without the filter                 /      filter by name, GUID …
  left right  sort by another column              r      the other way round
  space  freeze the screen, or let it go on       u      bits or bytes
  n      names as they are, or short ones         q      quit

  --> is what a node sends to its peer, <-- what it receives. Wait> is the
  share of time in which the node could not send, <Wait that of the peer.
  > and < before a counter tell whose it is. "-" is not known: counters give
  a rate when they have been read twice.

  Any key goes back.`

func (m *model) helpScreen() []string {
	lines := strings.Split(helpText, "\n")
	return lines[:min(len(lines), m.height)]
}
