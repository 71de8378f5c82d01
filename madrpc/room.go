package madrpc

// Room is how many more requests the client would send at once if they were
// started now: what its window leaves, less what is in line already. Who starts no
// more than that keeps the choice of what to send next. It changes whenever a
// request ends.
func (c *Client) Room() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.room()-c.ready.n, 0)
}

// RoomBeside is Room for one of several who use the client, and has that many requests
// under way: while others have some too, it is at least what is left of a half of the
// window. So who fills all that there is leaves the others their part, in turn.
func (c *Client) RoomBeside(own int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := max(c.room()-c.ready.n, 0)
	if c.unfinished > own {
		const half = 2
		room = max(room, c.policy.room(0, 0)/half-own)
	}
	return room
}
