package mad

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestStatusIs(t *testing.T) {
	tests := []struct {
		status, target Status
		want           bool
	}{
		{StatusOK, StatusOK, true},
		{StatusBusy, StatusOK, false},
		{StatusUnsupportedAttr, StatusUnsupportedAttr, true},
		{StatusUnsupportedAttr | StatusBusy, StatusUnsupportedAttr, true},
		{StatusUnsupportedAttr | StatusBusy, StatusBusy, true},
		{0x0300 | StatusUnsupportedAttr, StatusUnsupportedAttr, true},
		{StatusUnsupportedAttr, StatusUnsupportedMethod, false}, // 0x000c has the bit of 0x0008
		{StatusInvalidValue, StatusUnsupportedAttr, false},      // 0x001c has the bits of 0x000c
		{StatusUnsupportedAttr, StatusBadVersion, false},
		{StatusBusy, StatusRedirect, false},
		{0x0300, 0x0300, true},
	}
	for _, tt := range tests {
		err := fmt.Errorf("asking: %w", tt.status)
		if got := errors.Is(err, tt.target); got != tt.want {
			t.Errorf("errors.Is(%#04x, %#04x) = %v", uint16(tt.status), uint16(tt.target), got)
		}
	}
	if errors.Is(StatusBusy, io.EOF) {
		t.Error("a status is io.EOF")
	}
}

func TestStatusText(t *testing.T) {
	tests := map[Status]string{
		0:      "status 0x0000: ok",
		0x000c: "status 0x000c: method not supported for this attribute",
		0x0007: "status 0x0007: class version not supported, agent busy, redirection required",
		0x0010: "status 0x0010: reserved code 4",
		0x0300: "status 0x0300: class-specific code 0x03",
	}
	for s, want := range tests {
		if got := s.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		got  fmt.Stringer
		want string
	}{
		{ClassSubnDirected, "SubnDirected"},
		{ClassCC, "CongestionControl"},
		{Class(0x32), "class 0x32"},
		{MethodGet, "Get"},
		{MethodGetResp, "GetResp"},
		{MethodReport | ResponseBit, "ReportResp"},
		{MethodDelete, "Delete"},
		{Method(0x7f), "method 0x7f"},
		{AttrID(0xff90), "0xff90"},
	}
	for _, tt := range tests {
		if tt.got.String() != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	for class, want := range map[Class]uint8{ClassSubnLID: 1, ClassSubnAdm: 2, ClassPerf: 1, ClassCC: 2} {
		if got := class.Version(); got != want {
			t.Errorf("%v has version %d, want %d", class, got, want)
		}
	}
	if !ClassSubnLID.IsSMP() || !ClassSubnDirected.IsSMP() || ClassSubnAdm.IsSMP() {
		t.Error("IsSMP")
	}
}

func TestSendError(t *testing.T) {
	if err := error(&SendError{Err: io.EOF}); !errors.Is(err, io.EOF) {
		t.Errorf("%v does not wrap its cause", err)
	}
}
