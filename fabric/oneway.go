package fabric

// LinkOneWay records that p says that it is connected to q, whatever q says. It
// is for sources in which the two ends of a link are told apart and disagree;
// the caller reports the conflict. A connection that p had is replaced.
func (b *Builder) LinkOneWay(p, q *Port) { p.remote = q }
