package scenario

// verb is a command that timelines and others may give.
type verb struct {
	Name  string
	Args  string
	Help  string
	parse func(*words) action
}

// Verb describes a command.
type Verb struct {
	Name string // "link down"
	Args string // "NODE/PORT"
	Help string
}

// Verbs lists the commands.
func Verbs() []Verb {
	var list []Verb
	for _, v := range verbs() {
		list = append(list, Verb{v.Name, v.Args, v.Help})
	}
	return list
}

func verbs() []verb {
	return []verb{
		{"link down", "NODE/PORT", "break the cable: the link is down until link up", parseLinkDown},
		{"link up", "NODE/PORT", "mend what link down or flap broke", parseLinkUp},
		{"flap", "NODE/PORT [times=N] [period=D] [down=D]", "link down and up, N times; down for half of each period", parseFlap},
		{"unplug", "NODE/PORT", "pull the cable", parseUnplug},
		{"plug", "NODE/PORT NODE/PORT", "put a cable between two ports that have none", parsePlug},
		{"replug", "NODE[/PORT]", "put cables back where they were at first", parseReplug},
		{"move", "NODE/PORT NODE/PORT", "pull a cable at the first port and plug its end into the second", parseMove},
		{"clear", "NODE[/PORT]", "pull the cables, and make the ports as after power-on", parseClear},
		{"speed", "NODE/PORT RATE", "the cable carries no more than 1x, EDR, 1xSDR …; full is no limit", parseSpeed},
		{"loss", "NODE[/PORT] SHARE [attr=NAME]", "packets get lost at a cable, requests at a node; with attr only those of an attribute", parseLoss},
		{"kill", "NODE", "take the power", parseKill},
		{"revive", "NODE", "power after kill: nothing is left of what was set", parseRevive},
		{"replace", "NODE [guid=GUID] [description=TEXT] [revision=N]", "other hardware in its place, with a GUID of its own", parseReplace},
		{"rename", "NODE TEXT", "another node description", parseRename},
		{"guid", "NODE GUID", "another node GUID: replace with nothing else new", parseGUIDCommand},
		{"lid", "NODE[/PORT] LID [LMC]", "another base LID, which no subnet manager has given", parseLIDCommand},
		{"set", "NODE/PORT COUNTER=N…", "set counters", parseSet},
		{"count", "NODE/PORT COUNTER=N…", "add to counters", parseCountCommand},
		{"burst", "NODE/PORT COUNTER=N… [over=D]", "add to counters, bit by bit over ten seconds or D", parseBurst},
		{"sm stop", "", "the simulator's subnet manager vanishes; forwarding tables stay", parseSMStop},
		{"sm start", "", "it comes back", parseSMStart},
		{"sm sweep", "", "it looks at the fabric at once", parseSMSweep},
		{"note", "TEXT", "a line in the log", parseNote},
	}
}
