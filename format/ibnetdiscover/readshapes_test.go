package ibnetdiscover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pair is the smallest topology with both ends of a link, and what it means.
const pair = `#
# Topology file: generated on Tue Jan  2 03:04:05 2024
#
# Initiated from node 00000000000000c0 port 00000000000000c1

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xa0
switchguid=0xa0(a0)
Switch	4 "S-00000000000000a0"		# "leaf" enhanced port 0 lid 5 lmc 1
[1]	"H-00000000000000c0"[1](c1) 		# "host HCA-1" lid 7 4xHDR

vendid=0x2c9
devid=0x101b
sysimgguid=0xc0
caguid=0xc0
Ca	1 "H-00000000000000c0"		# "host HCA-1"
[1](c1) 	"S-00000000000000a0"[1]		# lid 7 lmc 0 "leaf" lid 5 4xHDR
`

const pairMeans = `CA 0xc0 ports 1 "host HCA-1" vendor 0x2c9 device 0x101b system 0xc0 port guid 0xc1
  1 guid 0xc1 lid 7 lmc 0 Active 4xHDR - 0xa0 1
Switch 0xa0 ports 4 "leaf" vendor 0x2c9 device 0xd2f0 system 0xa0 enhanced true
  0 lid 5 lmc 1 Active
  1 Active 4xHDR - 0xc0 1
start 0xc0 port 1
`

func replacer(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// TestDisguises reads the same topology as people store it.
func TestDisguises(t *testing.T) {
	noise := "bad status 110; Connection timed out"
	for name, change := range map[string]func(string) string{
		"as printed":       replacer(),
		"CR LF":            replacer("\n", "\r\n"),
		"blanks for tabs":  replacer("\t", "       "),
		"tabs lost":        replacer("\t", ""),
		"no empty lines":   replacer("\n\n", "\n"),
		"more empty lines": replacer("\n\n", "\n \n\t\n\n"),
		"blanks at ends":   replacer("\n", " \n"),
		"0x before GUIDs":  replacer("(c1)", "(0xc1)", "(a0)", "(0xa0)"),
		"labels":           replacer("[1](c1)", "[1](1/1)(c1)", "[1]\t\"H", "[1](1/2/1) \"H", `0"[1]`, `0"[1][ext 3]`),
		"Hca":              replacer("Ca\t", "Hca\t"),
		"codes of -f":      replacer("HDR", "HDR s=4 w=2 v=0 e=4"),
		"slots of -g": replacer("sysimgguid=0xa0", "sysimgguid=0xa0\t\t# Chassis 1 slot 2", "(a0)", "(a0)\t# SX Line 1 Chip 1 ",
			"\n\n", "\n\nChassis 1 (guid 0xa0)\n\n# Line Nodes\n\nNon-Chassis Nodes\n\n", `7 4xHDR`, `7 4xHDR slot 3`),
		"byte order mark": func(s string) string { return "\ufeff" + s },
		"editor's noise":  replacer("\n", "\n# "+noise+"\n"),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read(strings.NewReader(change(pair)), "f")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(pairMeans, dump(f)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestShapes reads what is odd in real files.
func TestShapes(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			name: "noise around",
			text: "[admin@host ~]$ ibnetdiscover\n" +
				"src/query_smp.c:199; umad (DR path slid 0; dlid 0; 0,1,4 Attr 0x11:0) bad status 110; Connection timed out\n" +
				"Switch\t1 \"S-00000000000000a0\"\t\t# \"a\" base port 0 lid 1 lmc 0\r$ \n",
			want: `Switch 0xa0 ports 1 "a" enhanced false
  0 lid 1 lmc 0 Active
bad-input: f:1: expected [port] "peer id"[peer port] # …, with numbers from 1 to 255, got "[admin@host ~]$ ibnetdiscover"
no-reply: f:2: DR path slid 0; dlid 0; 0,1,4: the sweep that wrote the file said "src/query_smp.c:199; umad (DR path slid 0; dlid 0; 0,1,4 Attr 0x11:0) bad status 110; Connection timed out"
bad-input: f:3: expected a line of ibnetdiscover, got "$"
`,
		},
		{
			name: "director module of ibdiagnet",
			text: "sysimgguid=0x50\nswitchguid=0x50(a0)\n" + `Switch  36 "S-00000000000000a0"      # "MF0;x:CS7500/L01/U1" base port 0 lid 0 lmc 0` + "\n",
			want: `Switch 0xa0 ports 36 "MF0;x:CS7500/L01/U1" vendor 0x0 device 0x0 system 0x50 enhanced false
  0 lid 0 lmc 0 Initialize
`,
		},
		{
			name: "old, without parentheses, CA without links",
			text: "vendid=0x8f1\ndevid=0x5a06\nswitchguid=0xa0\nSwitch 2 \"S-00000000000000a0\" # \"ISR\" base port 0 lid 6\n" +
				"caguid=0xc0\nCa 2 \"H-00000000000000c0\" # \"MT23108\"\n",
			want: `Switch 0xa0 ports 2 "ISR" vendor 0x8f1 device 0x5a06 system 0x0 enhanced false
  0 lid 6 lmc 0 Active
CA 0xc0 ports 2 "MT23108"
`,
		},
		{
			name: "LIDs missing, unset and told by a peer only",
			text: `Switch 2 "S-00000000000000a0" # "a" enhanced port 0 lid  lmc 0
[1] "S-00000000000000b0"[2] # "b" lid 65535 4xSDR
Switch 2 "S-00000000000000b0" # "b" base port 0 lid 65535 lmc 0
[2] "S-00000000000000a0"[1] # "a" lid 9 4xSDR
`,
			want: `Switch 0xb0 ports 2 "b" enhanced false
  0 lid 65535 lmc 0 Initialize
  2 Initialize 4xSDR - 0xa0 1
Switch 0xa0 ports 2 "a" enhanced true
  0 lid 9 lmc 0 Active
  1 Active 4xSDR - 0xb0 2
bad-input: f:1: the header has no LID; 9 is what a peer tells
`,
		},
		{
			name: "rates",
			text: `Switch 12 "S-00000000000000a0" # "a" base port 0 lid 1 lmc 0
[1] "S-00000000000000a0"[1] # "a" lid 1 1xSDR
[2] "S-00000000000000a0"[2] # "a" lid 1 12xDDR
[3] "S-00000000000000a0"[3] # "a" lid 1 8xQDR
[4] "S-00000000000000a0"[4] # "a" lid 1 4xFDR10
[5] "S-00000000000000a0"[5] # "a" lid 1 4xFDR
[6] "S-00000000000000a0"[6] # "a" lid 1 2xNDR
[7] "S-00000000000000a0"[7] # "a" lid 1 4xXDR
[8] "S-00000000000000a0"[8] # "a" lid 1 4x???
[9] "S-00000000000000a0"[9] # "a" lid 1 ??SDR
[10] "S-00000000000000a0"[10] # "a" lid 1 5xEDR
[11] "S-00000000000000a0"[11] # "a" lid 1 4x??? s=4 w=2 v=4 e=32
[12] "S-00000000000000a0"[12]
`,
			want: `Switch 0xa0 ports 12 "a" enhanced false
  0 lid 1 lmc 0 Active
  1 Active 1xSDR - 0xa0 1
  2 Active 12xDDR - 0xa0 2
  3 Active 8xQDR - 0xa0 3
  4 Active 4xFDR10 - 0xa0 4
  5 Active 4xFDR - 0xa0 5
  6 Active 2xNDR - 0xa0 6
  7 Active 4xXDR - 0xa0 7
  8 Active 4xnone - 0xa0 8
  9 Active noneSDR - 0xa0 9
  10 Active nonenone - 0xa0 10
  11 Active 4xXDR - 0xa0 11
  12 Active nonenone - 0xa0 12
bad-input: f:11: expected a rate as 4xEDR, got "5xEDR"
`,
		},
		{
			name: "descriptions",
			text: `Switch 4 "S-00000000000000a0" # "Voltaire 4036 # x" lid 2 " base port 0 lid 1 lmc 0
[1] "H-00000000000000c0"[1](c1) # " "quoted" " lid 2 4xEDR
Ca 1 "H-00000000000000c0" # " "quoted" "
[1](c1) "S-00000000000000a0"[1] # lid 2 lmc 0 "Voltaire 4036 # x" lid 2 " lid 1 4xEDR
Ca 1 "H-00000000000000d0" # ""
Ca 1 "H-00000000000000e0"
`,
			want: `Switch 0xa0 ports 4 "Voltaire 4036 # x\" lid 2 " enhanced false
  0 lid 1 lmc 0 Active
  1 Active 4xEDR - 0xc0 1
CA 0xe0 ports 1 ""
CA 0xd0 ports 1 ""
CA 0xc0 ports 1 " \"quoted\" " port guid 0xc1
  1 guid 0xc1 lid 2 lmc 0 Active 4xEDR - 0xa0 1
`,
		},
		{
			name: "peers without a record",
			text: `Ca 2 "H-00000000000000c0" # "host"
[2](c2) "S-00000000000000a0"[3] # lid 2 lmc 0 "leaf" lid 1 4xEDR
Switch 4 "S-00000000000000b0" # "spine" base port 0 lid 8 lmc 0
[1] "H-00000000000000d0"[2](d2) # "other" lid 4 1xSDR
`,
			want: `Switch 0xb0 ports 4 "spine" enhanced false
  0 lid 8 lmc 0 Active
  1 Active 1xSDR - 0xd0 2
CA 0xc0 ports 2 "host" port guid 0xc2
  2 guid 0xc2 lid 2 lmc 0 Active 4xEDR - 0xa0 3
Switch 0xa0 ports 3 "leaf"
  0 lid 1 lmc 0 Active
  3 Active 4xEDR - 0xc0 2
CA 0xd0 ports 2 "other"
  2 guid 0xd2 lid 4 lmc 0 Active 1xSDR - 0xb0 1
bad-input: f:2: the peer "S-00000000000000a0" has no record of its own; what port lines tell stands for it
bad-input: f:4: the peer "H-00000000000000d0" has no record of its own; what port lines tell stands for it
`,
		},
		{
			name: "ends that disagree",
			text: `Switch 4 "S-00000000000000a0" # "a" base port 0 lid 1 lmc 0
[1] "S-00000000000000b0"[1] # "b" lid 2 4xEDR
[2] "S-00000000000000b0"[3] # "b" lid 2 4xEDR
[3] "S-00000000000000b0"[4] # "b" lid 2 4xEDR
Switch 4 "S-00000000000000b0" # "b" base port 0 lid 2 lmc 0
[1] "S-00000000000000a0"[1] # "A" lid 3 1xSDR
[3] "S-00000000000000a0"[3] # "a" lid 1 4xEDR
`,
			want: `Switch 0xb0 ports 4 "b" enhanced false
  0 lid 2 lmc 0 Active
  1 Active 1xSDR - 0xa0 1
  3 Active 4xEDR - 0xa0 3
  4 Active 4xEDR - 0xa0 3
Switch 0xa0 ports 4 "a" enhanced false
  0 lid 1 lmc 0 Active
  1 Active 4xEDR - 0xb0 1
  2 Active 4xEDR - 0xb0 3
  3 Active 4xEDR - 0xb0 4
link-conflict: f:3: node 0x00000000000000a0 port 2 is connected to node 0x00000000000000b0 port 3, which does not say so
bad-input: f:4: node 0x00000000000000b0 has no line for its port 4, to which this port is connected
link-conflict: f:7: node 0x00000000000000b0 port 3 is connected to node 0x00000000000000a0 port 3, which does not say so
bad-input: f:1: this line, the first of 2, has another description of a node than elsewhere in the file (was a node name map in use?)
bad-input: f:6: this line, the first of 1, has another LID of a port than the line of that port
rate-mismatch: node 0x00000000000000b0 port 1 runs at 1xSDR but its peer, node 0x00000000000000a0 port 1, at 4xEDR
`,
		},
		{
			name: "redacted GUIDs",
			text: `switchguid=0x<redacted>(<redacted>)
Switch 2 "S-<redacted>" # "a" base port 0 lid 1 lmc 0
[1] "H-<redacted>"[1](<redacted>) # "h1" lid 3 4xEDR
[2] "H-<redacted>"[1](<redacted>) # "h2" lid 4 4xEDR
Ca 1 "H-<redacted>" # "h2"
[1](<redacted>) "S-<redacted>"[2] # lid 4 lmc 0 "a" lid 1 4xEDR
Ca 1 "H-<redacted>" # "h1"
[1](<redacted>) "S-<redacted>"[1] # lid 3 lmc 0 "a" lid 1 4xEDR
`,
			want: `Switch 0x200000000000001 ports 2 "a" enhanced false
  0 lid 1 lmc 0 Active
  1 Active 4xEDR - 0x200000000000002 1
  2 Active 4xEDR - 0x200000000000003 1
CA 0x200000000000002 ports 1 "h1"
  1 guid 0x200000000000002 lid 3 lmc 0 Active 4xEDR - 0x200000000000001 1
CA 0x200000000000003 ports 1 "h2"
  1 guid 0x200000000000003 lid 4 lmc 0 Active 4xEDR - 0x200000000000001 2
bad-input: f:1: expected switchguid=0x and 16 hexadecimal digits, got "switchguid=0x<redacted>(<redacted>)"
bad-input: f:2: the id "S-<redacted>" holds no GUID; the node gets the invented GUID 0x0200000000000001
bad-input: f:7: the id "H-<redacted>" holds no GUID; the node gets the invented GUID 0x0200000000000002
bad-input: f:5: the id "H-<redacted>" holds no GUID; the node gets the invented GUID 0x0200000000000003
bad-input: f:3: this line, the first of 4, has a port GUID that is not a hexadecimal number
`,
		},
		{
			name: "numbers out of range",
			text: `vendid=0x1000000
[1] "S-00000000000000b0"[1]
Switch 999 "S-00000000000000a0" # "a" base port 0 lid 99999 lmc 0
[0] "S-00000000000000a0"[1]
[1] "S-00000000000000a0"[256]
[2] "S-00000000000000a0"
Switch 1 "S-00000000000000b0"
[3] "S-00000000000000b0"[4]
[3] "S-00000000000000b0"[5]
`,
			want: `Switch 0xb0 ports 4 ""
  0 lid 0 lmc 0 Initialize
  3 Initialize nonenone - 0xb0 4
  4 Initialize nonenone - 0xb0 3
Switch 0xa0 ports 255 "a" enhanced false
  0 lid 0 lmc 0 Initialize
bad-input: f:1: expected vendid=0x and a number below 0x1000000, got "vendid=0x1000000"
bad-input: f:2: expected a node header before the first port line
bad-input: f:3: a node has at most 255 ports, not 999
bad-input: f:3: expected a number up to 65535 behind lid, got "99999"
bad-input: f:4: expected [port] "peer id"[peer port] # …, with numbers from 1 to 255, got "[0] \"S-00000000000000a0\"[1]"
bad-input: f:5: expected [port] "peer id"[peer port] # …, with numbers from 1 to 255, got "[1] \"S-00000000000000a0\"[256]"
bad-input: f:6: expected [port] "peer id"[peer port] # …, with numbers from 1 to 255, got "[2] \"S-00000000000000a0\""
bad-input: f:7: the header says 1 ports, but port 3 is linked
bad-input: f:9: port 3 of this node was told before, at f:8; this line is not used
bad-input: f:7: the header says 3 ports, but port 4 is linked
bad-input: f:8: node 0x00000000000000b0 has no line for its port 4, to which this port is connected
`,
		},
		{
			name: "lists",
			text: "Ca\t : 0x00000000000000c0 ports 2 devid 0x1017 vendid 0x2c9 \"host HCA-1\"\n" +
				"Switch\t: 0x00000000000000a0 ports 36 \"leaf\" enhanced port 0 lid 5 lmc 2\n" +
				"Router\t : 0x00000000000000e0 ports 2 devid 0x1 vendid 0x2 \"r\"\n" +
				"Switch  : 0x00000000000000b0 ports 36 devid 0x1 vendid 0x2 \"older\"",
			want: `Switch 0xb0 ports 36 "older" vendor 0x2 device 0x1 system 0x0
  0 lid 0 lmc 0 Initialize
Switch 0xa0 ports 36 "leaf" enhanced true
  0 lid 5 lmc 2 Active
CA 0xc0 ports 2 "host HCA-1" vendor 0x2c9 device 0x1017 system 0x0
Router 0xe0 ports 2 "r" vendor 0x2 device 0x1 system 0x0
`,
		},
		{
			name: "ports report behind progress lines",
			text: `DR path slid 0; dlid 0; 0 -> new Channel Adapter {00000000000000c0} portnum 2 lid 0-0 ""
DR path slid 0; dlid 0; 0,2 -> new Switch {00000000000000a0} portnum 0 lid 0-0 ""
DR path slid 0; dlid 0; 0,2,2 -> known Switch {00000000000000a0} portnum 0 lid 0-0 ""
SW     5  3 0x00000000000000a0 4x ???                                    'it's a leaf'
SW     5  2 0x00000000000000a0 4x DDR - CA     7  2 0x00000000000000c2 ( 'it's a leaf' - 'host' )
SW     5  1 0x00000000000000a0 4x SDR                                    'it's a leaf'
CA     7  2 0x00000000000000c2 4x DDR - SW     5  2 0x00000000000000a0 ( 'host' - 'it's a leaf' )
`,
			want: `CA 0xc0 ports 2 "host" port guid 0xc2 path 0
  2 guid 0xc2 lid 7 lmc 0 Active 4xDDR - 0xa0 2
Switch 0xa0 ports 3 "it's a leaf" path 0,2
  0 lid 5 lmc 0 Active
  1 Down 4xSDR
  2 Active 4xDDR - 0xc0 2
  3 Down 4xnone
start 0xc0 port 2
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Read(strings.NewReader(tt.text), "f")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, dump(f)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
