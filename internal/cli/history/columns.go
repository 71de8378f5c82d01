package history

import "github.com/ibscope/ibscope/internal/cli/report"

// The columns of the summary, as indices of a row.
const (
	sumFabric = iota
	sumWhat
	sumCount
	sumFirst
	sumLast
	sumBytes
	sumInterval
	sumWhole
	numSummary
)

var summaryColumns = []report.Column{
	sumFabric:   {Name: "fabric", Title: "Fabric", Min: 8, Help: "name of the fabric"},
	sumWhat:     {Name: "what", Title: "What", Help: "states of the fabric, rates of ports, or events of a kind"},
	sumCount:    {Name: "count", Title: "Count", Right: true, Help: "how many; of rates, at how many times"},
	sumFirst:    {Name: "first", Title: "From", Rank: 1, Help: "time of the first"},
	sumLast:     {Name: "last", Title: "To", Help: "time of the last"},
	sumBytes:    {Name: "stored_bytes", Title: "Stored", Unit: "bytes", Right: true, Rank: 2, Help: "what they take in the file, without indices"},
	sumInterval: {Name: "interval_seconds", Title: "Interval", Unit: "s", Right: true, Hidden: true, Help: "of rates: their interval; none for those of passes"},
	sumWhole:    {Name: "whole", Title: "Whole", Right: true, Hidden: true, Help: "of states: how many are not stored as differences"},
}

// The columns of the events by kind.
var kindColumns = []report.Column{
	{Name: "fabric", Title: "Fabric", Min: 8, Help: "name of the fabric"},
	{Name: "kind", Title: "Events", Help: "kind of the events"},
	{Name: "count", Title: "Count", Right: true, Help: "how many"},
	{Name: "first", Title: "First", Rank: 1, Help: "time of the first"},
	{Name: "last", Title: "Last", Help: "time of the last"},
}

// The columns of a port's rates.
const (
	portFrom = iota
	portTo
	portXmit
	portXmitMax
	portRcv
	portRcvMax
	portXmitPackets
	portRcvPackets
	portCongestion
	portCongestionMax
	portErrors
	portKnown
	portXmitMin
	portRcvMin
	numPort
)

const perSecond = "/s"

var portColumns = []report.Column{
	portFrom:          {Name: "from", Title: "From", Help: "begin of the interval"},
	portTo:            {Name: "to", Title: "To", Rank: 4, Help: "its end"},
	portXmit:          {Name: "xmit_mean_bytes_per_second", Title: "Sent", Unit: "bytes" + perSecond, Right: true, Help: "mean rate of data sent"},
	portXmitMax:       {Name: "xmit_max_bytes_per_second", Title: "Most", Unit: "bytes" + perSecond, Right: true, Rank: 2, Help: "highest rate of a pass in the interval"},
	portRcv:           {Name: "rcv_mean_bytes_per_second", Title: "Received", Unit: "bytes" + perSecond, Right: true, Help: "mean rate of data received"},
	portRcvMax:        {Name: "rcv_max_bytes_per_second", Title: "Most", Unit: "bytes" + perSecond, Right: true, Rank: 2, Help: "highest rate of a pass in the interval"},
	portXmitPackets:   {Name: "xmit_mean_packets_per_second", Title: "Sent", Unit: "packets" + perSecond, Right: true, Rank: 3, Help: "mean rate of packets sent"},
	portRcvPackets:    {Name: "rcv_mean_packets_per_second", Title: "Received", Unit: "packets" + perSecond, Right: true, Rank: 3, Help: "mean rate of packets received"},
	portCongestion:    {Name: "congestion_mean", Title: "Congestion", Right: true, Rank: 1, Help: "share of time with data to send and no credits, 0 to 1"},
	portCongestionMax: {Name: "congestion_max", Title: "Most", Right: true, Rank: 5, Help: "its highest in a pass"},
	portErrors:        {Name: "errors", Title: "Errors", Right: true, Help: "errors counted in the interval, of all kinds"},
	portKnown:         {Name: "known_seconds", Title: "Known", Unit: "s", Right: true, Hidden: true, Help: "how much of the interval the rates are about"},
	portXmitMin:       {Name: "xmit_min_bytes_per_second", Title: "Least", Unit: "bytes" + perSecond, Right: true, Hidden: true, Help: "lowest rate of data sent"},
	portRcvMin:        {Name: "rcv_min_bytes_per_second", Title: "Least", Unit: "bytes" + perSecond, Right: true, Hidden: true, Help: "lowest rate of data received"},
}

// The columns of a node's ports.
const (
	nodePort = iota
	nodePeer
	nodePeerPort
	nodeState
	nodeXmit
	nodeXmitMax
	nodeRcv
	nodeRcvMax
	nodeCongestionMax
	nodeErrors
	nodePeerGUID
	nodeKnown
	numNode
)

var nodeColumns = []report.Column{
	nodePort:          {Name: "port", Title: "Port", Right: true, Help: "number of the port"},
	nodePeer:          {Name: "peer.name", Title: "Peer", Min: 12, Help: "node at the other end of its link"},
	nodePeerPort:      {Name: "peer.port", Title: "Port", Right: true, Help: "its port"},
	nodeState:         {Name: "state", Title: "State", Rank: 3, Help: "logical state of the port"},
	nodeXmit:          {Name: "xmit_mean_bytes_per_second", Title: "Sent", Unit: "bytes" + perSecond, Right: true, Help: "mean rate of data sent"},
	nodeXmitMax:       {Name: "xmit_max_bytes_per_second", Title: "Most", Unit: "bytes" + perSecond, Right: true, Rank: 2, Help: "highest rate of a pass"},
	nodeRcv:           {Name: "rcv_mean_bytes_per_second", Title: "Received", Unit: "bytes" + perSecond, Right: true, Help: "mean rate of data received"},
	nodeRcvMax:        {Name: "rcv_max_bytes_per_second", Title: "Most", Unit: "bytes" + perSecond, Right: true, Rank: 2, Help: "highest rate of a pass"},
	nodeCongestionMax: {Name: "congestion_max", Title: "Congestion", Unit: "most", Right: true, Rank: 1, Help: "highest share of time of a pass with data to send and no credits, 0 to 1"},
	nodeErrors:        {Name: "errors", Title: "Errors", Right: true, Help: "errors counted, of all kinds"},
	nodePeerGUID:      {Name: "peer_guid", Title: "Peer GUID", Hidden: true, Help: "GUID of the node at the other end"},
	nodeKnown:         {Name: "known_seconds", Title: "Known", Unit: "s", Right: true, Hidden: true, Help: "how much time the rates are about"},
}

// The columns of a node's events.
var eventColumns = []report.Column{
	{Name: "line", Title: "Event", Help: "all of it in a line"},
	{Name: "time", Title: "Time", Hidden: true, Help: "when it was seen"},
	{Name: "severity", Title: "Severity", Hidden: true, Help: "how bad it is"},
	{Name: "kind", Title: "Kind", Hidden: true, Help: "what happened"},
	{Name: "id", Title: "ID", Right: true, Hidden: true, Help: "its ID"},
}

// The columns of the states of a fabric.
const (
	snapFirst = iota
	snapUntil
	snapNodes
	snapLinks
	snapProblems
	snapBytes
	snapWhole
	snapID
	numSnapshot
)

var snapshotColumns = []report.Column{
	snapFirst:    {Name: "first", Title: "From", Help: "when the fabric was found like this first"},
	snapUntil:    {Name: "until", Title: "Until", Help: "when it was found like this last"},
	snapNodes:    {Name: "nodes", Title: "Nodes", Right: true, Help: "how many nodes it had"},
	snapLinks:    {Name: "links", Title: "Links", Right: true, Help: "how many links it had"},
	snapProblems: {Name: "problems", Title: "Problems", Right: true, Help: "how many problems the sweep had"},
	snapBytes:    {Name: "stored_bytes", Title: "Stored", Unit: "bytes", Right: true, Rank: 1, Help: "what it takes in the file"},
	snapWhole:    {Name: "whole", Title: "Whole", Rank: 1, Help: "not stored as the difference to the one before"},
	snapID:       {Name: "id", Title: "ID", Right: true, Hidden: true, Help: "number in the file"},
}
