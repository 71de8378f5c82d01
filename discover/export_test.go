package discover

// Rotate has switches asked for their ports in another order.
func (o *Options) Rotate(n int) { o.rotation = n }
