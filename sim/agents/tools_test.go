package agents_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// toolRuns are the C tools whose classes ibsim does not answer, in this order,
// and what they must print. LID 1 is h1, 2 is s1, 4 is h2 with the servers of
// ibping and ibsysstat.
var toolRuns = []struct {
	command string
	code    int
	want    string // a regular expression for all output
}{
	{"ibccquery ClassPortInfo 1", 0, `BaseVersion:\.+1\nClassVersion:\.+2\n`},
	{"ibccquery CongestionInfo 1", 0, `CongestionInfo:\.+0x0000\nControlTableCap:\.+2\n`},
	{"ibccquery CongestionInfo 2", 0, `CongestionInfo:\.+0x0001\nControlTableCap:\.+0\n`},
	{"ibccquery CongestionLog 1", 0, `LogType:\.+2\n(.*\n)*CurrentTimeStamp:\.+[1-9]\d*\n`},
	{"ibccquery CongestionLog 2", 0, `LogType:\.+1\n(.*\n)*PortMap:\.+0{64}\n`},
	{"ibccquery Timestamp 2", 0, `Timestamp:\.+[1-9]\d*\n`},
	{"ibccquery SwitchCongestionSetting 1", 255, `query failed`},
	{"ibccquery CACongestionSetting 2", 255, `query failed`},
	{"ibccconfig SwitchCongestionSetting 2 0x1f 6 0x18 3 7 5 1:9 20", 0, `^$`},
	{"ibccquery SwitchCongestionSetting 2", 0, `0x0000001f\nVictim_Mask:\.+0{63}6\nCredit_Mask:\.+0{62}18\nThreshold:\.+0x03\nPacket_Size:\.+7\nCS_Threshold:\.+0x05\nCS_ReturnDelay:\.+0x4009\nMarking_Rate:\.+20\n`},
	{"ibccconfig SwitchPortCongestionSetting 2 2 1 0 3 4 5", 0, `^$`},
	{"ibccquery SwitchPortCongestionSetting 2 2", 0, `Valid:\.+1\nControl_Type:\.+0\nThreshold:\.+0x03\nPacket_Size:\.+4\nCong_Parm_Marking_Rate:\.+5\n`},
	{"ibccquery SwitchPortCongestionSetting 2", 0, `Port:\.+4\nValid:\.+0\n`},
	{"ibccconfig CACongestionSetting 1 1 0x0009 100 2 8 3", 0, `^$`},
	{"ibccquery CACongestionSetting 1", 0, `Port_Control:\.+0x0001\nControl_Map:\.+0x0009\n\n(.*\n)*SL:\.+3\nCCTI_Timer:\.+100\nCCTI_Increase:\.+2\nTrigger_Threshold:\.+8\nCCTI_Min:\.+3\n\nSL:\.+4\nCCTI_Timer:\.+0\n`},
	{"ibccconfig CongestionControlTable 1 65 1 1:2 3:4", 0, `^$`},
	{"ibccquery CongestionControlTable 1", 0, `CCTI_Limit:\.+65\n(.*\n)*Entry:\.+65\nCCT_Shift:\.+3\nCCT_Multiplier:\.+4\n`},
	{"ibccconfig CongestionKeyInfo 1 0x77 1 5 0", 0, `^$`},
	{"ibccquery CongestionKeyInfo 1", 0, `CC_Key:\.+0x0{16}\nCC_KeyProtectBit:\.+1\nCC_KeyLeasePeriod:\.+5\nCC_KeyViolations:\.+0\n`},
	{"ibccquery -c 0x77 CongestionKeyInfo 1", 0, `CC_Key:\.+0x0{14}77\n`},
	{"ibccconfig -t 50 -c 0x78 CACongestionSetting 1 1 1 1 1 1 1", 255, `config failed`},
	{"ibccconfig -c 0x77 CACongestionSetting 1 0 1 1 1 1 1", 0, `^$`},
	{"ibccquery CongestionKeyInfo 1", 0, `CC_KeyViolations:\.+[1-9]\n`},
	{"vendstat -t 50 -N 4", 255, `classportinfo query`}, // another vendor's
	{"ibping -c 2 4", 0, `(?s)Pong from host.\(none\) \(Lid 4\): time .*2 packets transmitted, 2 received, 0% packet loss`},
	{"ibping -f -c 500 4", 0, `500 packets transmitted, 500 received, 0% packet loss`},
	{"ibping -t 20 -c 1 1", 0, `1 packets transmitted, 0 received, 100% packet loss`},
	{"ibsysstat 4", 0, `^sysstat ping succeeded\n$`},
	{"ibsysstat 4 host", 0, `^host.\(none\)\n$`},
	{"ibsysstat 4 cpu", 0, `cpu 0: model Simulated CPU MHZ 2000.000\ncpu 1: model`},
}

func TestTools(t *testing.T) {
	testenv.Need(t, "ibccquery", "ibccconfig", "ibping", "ibsysstat", "vendstat")
	p := newPair(t)
	p.manage(false)
	for _, tt := range toolRuns {
		o := p.run(p.our, strings.Fields(tt.command)...)
		if o.code != tt.code || !regexp.MustCompile(tt.want).MatchString(o.stdout+o.stderr) {
			t.Errorf("%s: exit code %d, want %d; no %s in\n%s%s", tt.command, o.code, tt.code, tt.want, o.stdout, o.stderr)
		}
	}
}
