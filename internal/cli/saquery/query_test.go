package saquery

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad/sa"
)

// session0 is the session of a command line, without a client.
func session0(t *testing.T, line string) *session {
	t.Helper()
	var errs bytes.Buffer
	e := &env.Env{
		Args: append([]string{"saquery"}, strings.Fields(line)...), Stdout: io.Discard, Stderr: &errs,
		Getenv:       func(string) string { return "" },
		ReadPassword: func(string) (string, error) { return "0x8001", nil },
	}
	s, err := parse(e)
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, errs.String())
	}
	return &session{settings: s}
}

// TestSelection pins what goes on the wire where C sends something else: it cuts
// flow labels to 8 bits, takes 255 for a value that is not given, and sets
// ProxyJoin in the wrong bit.
func TestSelection(t *testing.T) {
	for _, tt := range []struct {
		line   string
		record any
		mask   uint64
	}{
		{"-p -F 0x12345", &sa.PathRecord{FlowLabel: 0x12345}, sa.CompPathRecordFlowLabel},
		{"-p -H 255 -n 127", &sa.PathRecord{HopLimit: 255, NumPath: 127}, sa.CompPathRecordHopLimit | sa.CompPathRecordNumPath},
		{
			"-p -M 0x84 -R 0x43", &sa.PathRecord{MTUSelector: 2, MTU: 4, RateSelector: 1, Rate: 3},
			sa.CompPathRecordMTUSelector | sa.CompPathRecordMTU | sa.CompPathRecordRateSelector | sa.CompPathRecordRate,
		},
		{"-p --service_id 0x8000000000000000", &sa.PathRecord{ServiceID: 1 << 63}, sa.CompPathRecordServiceID},
		{"-p --sl 0 -Q 0 -r 0 -T 0", &sa.PathRecord{}, sa.CompPathRecordSL | sa.CompPathRecordQoSClass | sa.CompPathRecordReversible},
		{"-p --pkey x", &sa.PathRecord{PKey: 0x8001}, sa.CompPathRecordPKey},
		{"-p --sgid fe80::1 --dgid ::", &sa.PathRecord{SGID: [16]byte{0: 0xfe, 1: 0x80, 15: 1}}, sa.CompPathRecordSGID},
		{
			"--sgid-to-dgid fe80::1-fe80::2", &sa.PathRecord{SGID: [16]byte{0: 0xfe, 1: 0x80, 15: 1}, DGID: [16]byte{0: 0xfe, 1: 0x80, 15: 2}, NumPath: 127},
			sa.CompPathRecordSGID | sa.CompPathRecordDGID | sa.CompPathRecordNumPath,
		},
		{"MCMR -X 1 -H 255", &sa.MCMemberRecord{ProxyJoin: true, HopLimit: 255}, sa.CompMCMemberRecordProxyJoin | sa.CompMCMemberRecordHopLimit},
		{
			"MCMR -F 0xfffff -J 4 --scope 2", &sa.MCMemberRecord{FlowLabel: 0xfffff, JoinState: 4, Scope: 2},
			sa.CompMCMemberRecordFlowLabel | sa.CompMCMemberRecordJoinState | sa.CompMCMemberRecordScope,
		},
		{"PIR 3/255/0", &sa.PortInfoRecord{EndPortLID: 3, PortNum: 255}, sa.CompPortInfoRecordEndPortLID | sa.CompPortInfoRecordPortNum | sa.CompPortInfoRecordOptions},
		{"LFTR 3/767", &sa.LinearForwardingTableRecord{LID: 3, Block: 767}, sa.CompLinearForwardingTableRecordLID | sa.CompLinearForwardingTableRecordBlock},
		{
			"LR 1/2 3/4", &sa.LinkRecord{FromLID: 1, FromPort: 2, ToLID: 3, ToPort: 4},
			sa.CompLinkRecordFromLID | sa.CompLinkRecordFromPort | sa.CompLinkRecordToLID | sa.CompLinkRecordToPort,
		},
	} {
		s := session0(t, tt.line)
		q, err := s.query.build(t.Context(), s)
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		if diff := cmp.Diff(tt.record, any(q.Record)); diff != "" || q.Mask != tt.mask {
			t.Errorf("%s: mask %#x, want %#x (-want +got)\n%s", tt.line, q.Mask, tt.mask, diff)
		}
	}
}
