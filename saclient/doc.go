// Package saclient asks the subnet administration of a fabric: single records,
// and tables of any length, which come as they are read.
//
//	c := saclient.New(client, mad.ByLID(smLID), nil)
//	for node, err := range saclient.Table[sa.NodeRecord](ctx, c, saclient.Query{}) {
//		…
//	}
//
// A query that not all records answer is a record and a ComponentMask:
//
//	q := saclient.Query{Record: &sa.NodeRecord{LID: 7}, Mask: sa.CompNodeRecordLID}
//
// Memory does not grow with the length of a table; see madrpc.Stream.
package saclient
