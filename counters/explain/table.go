package explain

import "github.com/ibscope/ibscope/counters"

// table has all counters.
var table = [counters.NumCounters]Explanation{
	counters.SymbolErrors: {
		Severity: Fault, Unit: "errors",
		Meaning: "Errors in the line code of one or more lanes, as the port received them.",
		Cause:   "A bad, dirty or loose cable or transceiver at this end, or the sender's port. A few come with each start of a link.",
		Action:  "Reset the counters and look whether it still counts. If so clean and reseat both ends of the cable, then swap the cable, then try another port.",
	},
	counters.LinkErrorRecovery: {
		Severity: Fault, Unit: "events",
		Meaning: "How often the link had to be trained again after errors, and came back.",
		Cause:   "A link at the edge: a bad cable or transceiver, or one that is too long for its speed. Traffic stands still each time.",
		Action:  "Treat it as a cable that is about to fail: swap it, and compare the counters of the other end to find which side is bad.",
	},
	counters.LinkDowned: {
		Severity: Fault, Unit: "events",
		Meaning: "How often the link went down because training it again failed.",
		Cause:   "The other end was switched off, restarted or unplugged; without such a reason a bad cable or transceiver.",
		Action:  "If no machine or switch was restarted at that time, swap the cable. Reset the counter after planned work, so that it tells of the unplanned.",
	},
	counters.RcvErrors: {
		Severity: Fault, Unit: "packets",
		Meaning: "Packets that were received with an error: a bad CRC or length, a bad operand, marked bad by the sender, or without room in the buffer.",
		Cause:   "Mostly the cable or transceiver by which the packets came. Where PortRcvRemotePhysicalErrors counts along, the damage is further away.",
		Action:  "Look at SymbolErrorCounter of the same port: if it counts too, mend this link. ibqueryerrors --details divides the counter by cause.",
	},
	counters.RcvRemotePhysErrors: {
		Severity: Sign, Unit: "packets",
		Meaning: "Packets that came with the mark that they were damaged on an earlier link: they end in EBP.",
		Cause:   "A bad link further up the way. A switch that forwards while it still receives can only mark what turns out to be bad.",
		Action:  "Do not touch this link. Follow the traffic back to the port that has SymbolErrorCounter or PortRcvErrors without this counter.",
	},
	counters.RcvSwitchRelayErrors: {
		Severity: Sign, Unit: "packets",
		Meaning: "Packets that a switch port received and could not forward: no entry for the LID, no such virtual lane, or the way out is the way in.",
		Cause:   "Multicast packets that come back to their sender's port count here on many switches, with nothing wrong. Else a forwarding table that is not up to date.",
		Action:  "Ignore it where it moves with multicast traffic (IPoIB). Where it jumps after changes of the fabric, check the forwarding tables and the subnet manager's log.",
	},
	counters.XmitDiscards: {
		Severity: Loss, Unit: "packets",
		Meaning: "Packets that the port was to send and threw away: the link was down, or they stood in the queue for longer than the limits allow.",
		Cause:   "Congestion that lasts, a receiver that takes nothing any more, or a link that went down with packets before it.",
		Action:  "If LinkDownedCounter counts too, mend the link. Else look at PortXmitWait here and at the ports beyond, to find who does not drain: often a hung machine.",
	},
	counters.XmitConstraintErrors: {
		Severity: Loss, Unit: "packets",
		Meaning: "Packets that a switch port did not send on because its rules forbid them: raw packets, or a P_Key that is not in the port's table.",
		Cause:   "Machines of different partitions that try to talk, or a partition table that does not fit the cabling.",
		Action:  "Compare the partitions of both machines, and the P_Key tables of the switch port, with the subnet manager's configuration.",
	},
	counters.RcvConstraintErrors: {
		Severity: Loss, Unit: "packets",
		Meaning: "Packets that a switch port did not take because its rules forbid them: raw packets, or a P_Key that is not in the port's table.",
		Cause:   "The machine at the other end sends with a partition that it is not a member of: a wrong configuration, or an attempt.",
		Action:  "Find out which program uses the P_Key, and whether the machine should be in that partition.",
	},
	counters.LocalLinkIntegrity: {
		Severity: Fault, Unit: "events",
		Meaning: "How often the rate of local physical errors was beyond the port's LocalPhyErrors threshold.",
		Cause:   "Errors come in bursts: a bad cable or transceiver, or interference.",
		Action:  "Swap the cable. Compare with SymbolErrorCounter, which counts the single errors.",
	},
	counters.ExcessiveBufferOverrun: {
		Severity: Fault, Unit: "events",
		Meaning: "How often the input buffer overran in more flow control periods in a row than OverrunErrors allows.",
		Cause:   "Flow control packets get lost or are wrong: a bad link, or a fault of the firmware at the sender.",
		Action:  "Mend the link if it has symbol errors. Else update the firmware of both ends.",
	},
	counters.VL15Dropped: {
		Severity: Loss, Unit: "packets",
		Meaning: "Packets of subnet management that were dropped for want of room: virtual lane 15 has no flow control.",
		Cause:   "More management packets than the port can take: several sweeps at once, or tools without a limit of requests in flight.",
		Action:  "Nothing, if it is rare: requests are repeated. Else sweep less often and with fewer requests at once (--max-outstanding, --rate).",
	},
	counters.XmitWait: {
		Severity: Sign, Unit: "ticks",
		Meaning: "Time in which the port had data to send and no credits or no turn to send it; the length of a tick is the device's own.",
		Cause:   "Load: many senders to one receiver, or a slow receiver beyond. It counts on every busy fabric.",
		Action:  "Compare rates between ports, not totals. The first port on a way whose own receiver does not wait leads to the bottleneck.",
	},
	counters.QP1Dropped: {
		Severity: Loss, Unit: "packets",
		Meaning: "Packets to QP1, where agents and subnet administration are, that were dropped.",
		Cause:   "A program or daemon that does not take its requests fast enough, or too many of them at once.",
		Action:  "Find who asks so much: monitoring, connection managers after a restart of many jobs.",
	},

	counters.XmitData:          {Unit: "words of 4 bytes", Meaning: "Data that was sent, without the packets' own framing."},
	counters.RcvData:           {Unit: "words of 4 bytes", Meaning: "Data that was received, without the packets' own framing."},
	counters.XmitPkts:          {Unit: "packets", Meaning: "Packets that were sent, on all lanes but 15."},
	counters.RcvPkts:           {Unit: "packets", Meaning: "Packets that were received, those with errors included, on all lanes but 15."},
	counters.UnicastXmitPkts:   {Unit: "packets", Meaning: "Unicast packets that were sent."},
	counters.UnicastRcvPkts:    {Unit: "packets", Meaning: "Unicast packets that were received."},
	counters.MulticastXmitPkts: {Unit: "packets", Meaning: "Multicast packets that were sent."},
	counters.MulticastRcvPkts:  {Unit: "packets", Meaning: "Multicast packets that were received."},
}
