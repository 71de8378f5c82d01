package event

// Kinds lists all kinds of events.
func Kinds() []Kind {
	return []Kind{
		LinkDown, LinkIdle, LinkUp, LinkAdded, LinkMoved, LinkFlap, FlapEnded, WidthLost, SpeedLost, RateRestored,
		ErrorsHigh, ErrorsEnded, CounterReset, NodeAppeared, NodeVanished, NodeReplaced, NodeMoved,
		NodeRenamed, NodeRebooted, LIDChanged, ManagerChange, FabricLost, FabricBack,
	}
}

// Severities lists the severities, the mildest first.
func Severities() []Severity { return []Severity{Info, Warning, Critical} }

// Rank orders severities: that of Info is 0, of an unknown word -1.
func (s Severity) Rank() int {
	for i, known := range Severities() {
		if s == known {
			return i
		}
	}
	return -1
}

// severity is how bad an event is. What follows from another event is as bad as that,
// which tells of it, so that by itself it is no reason to wake anybody: see Event.Cause.
func severity(e *Event) Severity {
	switch e.Kind {
	case LinkDown, NodeVanished, FabricLost:
		return Critical
	case LinkFlap:
		if e.New == flapping {
			return Critical
		}
		return Warning
	case LinkIdle, WidthLost, SpeedLost, ErrorsHigh, NodeRebooted, NodeReplaced:
		return Warning
	case ManagerChange:
		if e.New == "" {
			return Critical
		}
		return Warning
	}
	return Info
}
