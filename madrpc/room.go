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
