// Package portcontrol reads and changes ports one at a time: their state, the
// widths and speeds that they may use, who owns them. It also finds the other
// end of a link and compares the two.
//
//	p, err := portcontrol.Read(ctx, client, mad.ByLID(7), 3, nil)
//	err = p.Set(ctx, client, &portcontrol.Change{Phys: ib.PhysDisabled})
//
// The errors are those of madrpc.Client.Do; package ownpath tells whether a
// change would cut off the client itself.
package portcontrol
