package diags

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/problem"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/internal/source/core"
)

// commonOptions are the options that the tools share, in the order of the
// usage text. A tool takes some of them away.
var commonOptions = []getopt.Option{
	{Long: "config", Short: 'z', Arg: "config", Help: "use config file, default: /etc/infiniband-diags/ibdiag.conf"},
	{Long: "Ca", Short: 'C', Arg: "ca", Help: "Ca name to use"},
	{Long: "Port", Short: 'P', Arg: "port", Help: "Ca port number to use"},
	{Long: "Direct", Short: 'D', Help: "use Direct address argument"},
	{Long: "Lid", Short: 'L', Help: "use LID address argument"},
	{Long: "Guid", Short: 'G', Help: "use GUID address argument"},
	{Long: "timeout", Short: 't', Arg: "ms", Help: "timeout in ms"},
	{Long: "sm_port", Short: 's', Arg: "lid", Help: "SM port lid"},
	{Long: "show_keys", Short: 'K', Help: "display security keys in output"},
	{Long: "m_key", Short: 'y', Arg: "key", Help: "M_Key to use in request"},
	{Long: "errors", Short: 'e', Help: "show send and receive errors"},
	{Long: "verbose", Short: 'v', Help: "increase verbosity level"},
	{Long: "debug", Short: 'd', Help: "raise debug level"},
	{Long: "help", Short: 'h', Help: "help message"},
	{Long: "version", Short: 'V', Help: "show version"},
}

// AddressKind is how a destination operand is meant.
type AddressKind int

// The kinds; ByLID is the default.
const (
	ByLID AddressKind = iota
	ByDirectRoute
	ByGUID
)

// Common is what the common options and the configuration file say.
type Common struct {
	CA      string
	Port    int           // 0: any
	Timeout time.Duration // 0: not given
	SMLID   int           // 0: the port's own
	MKey    uint64
	SAKey   uint64

	PKeyIndex uint16 // of requests to general services
	Address   AddressKind
	ShowKeys  bool
	Errors    bool // show send and receive errors
	Verbose   int
	Debug     int

	// MLXExtendedPortInfo asks Mellanox devices for ExtendedPortInfo.
	MLXExtendedPortInfo bool

	JSON bool   // print a document
	PCAP string // file that gets all packets; "" for none

	capture  capture.Capture // of PCAP
	fabric   string          // what --fabric says
	problems []problem.Problem
	tool     *Tool
	env      *env.Env
}

// set handles one of the common options.
func (c *Common) set(t *Tool, o *getopt.Option, value string) error {
	switch o.Short {
	case 'z':
		c.readConfig(value)
	case 'C':
		c.CA = value
	case 'P':
		c.Port = portNumber(value)
	case 'D':
		c.Address = ByDirectRoute
	case 'L':
		c.Address = ByLID
	case 'G':
		c.Address = ByGUID
	case 't':
		return c.setTimeout(value)
	case 's':
		return c.setSMLID(value)
	case 'K':
		c.ShowKeys = true
	case 'y':
		return c.setMKey(value)
	case 'e':
		c.Errors = true
	case 'v':
		c.Verbose++
	case 'd':
		c.Debug++
	case 'h':
		return t.Usage(c.env)
	case 'V':
		fmt.Fprintf(c.env.Stderr, "%s BUILD VERSION: %s\n", c.env.Args[0], c.env.Version)
		return &Exit{0}
	}
	return nil
}

func (c *Common) setTimeout(value string) error {
	ms, err := strconv.ParseUint(value, 0, 64)
	if err != nil || ms == 0 || ms > math.MaxInt32 {
		return &Fatal{Text: fmt.Sprintf("Invalid timeout \"%s\".  Timeout requires a positive integer value < %d.", value, math.MaxInt32)}
	}
	c.Timeout = time.Duration(ms) * time.Millisecond
	return nil
}

// portNumber is the number as C's int has it. One that no port can have is kept,
// so that it fails where the port is opened.
func portNumber(value string) int { return int(int32(LeadingInt(value))) }

func (c *Common) setSMLID(value string) error {
	lid := LeadingInt(value)
	if lid < 1 || lid > int64(ib.MaxUnicastLID) {
		return &Fatal{Text: "cannot resolve SM destination port " + value}
	}
	c.SMLID = int(lid)
	return nil
}

// setMKey takes the key, or asks for it where the value is not a number, so
// that it does not show in the list of processes.
func (c *Common) setMKey(value string) error {
	key, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		secret, readErr := c.env.ReadPassword("M_Key: ")
		if readErr != nil {
			return &Fatal{Text: "Bad M_Key", Cause: readErr}
		}
		if key, err = strconv.ParseUint(strings.TrimSpace(secret), 0, 64); err != nil {
			return &Fatal{Text: "Bad M_Key", Cause: err}
		}
	}
	c.MKey = key
	return nil
}

// Fabric is the URI of the fabric: what --fabric says, else IBSCOPE_FABRIC, else
// the kernel port that -C and -P name.
func (c *Common) Fabric() string {
	if c.fabric != "" {
		return c.fabric
	}
	if uri := c.env.Getenv("IBSCOPE_FABRIC"); uri != "" {
		return uri
	}
	return core.UmadURI(c.CA, c.Port)
}

// leadingNumber is strtoul with base 0: the number at the start of s, 0 if
// there is none.
func leadingNumber(s string) uint64 {
	s = strings.TrimLeft(s, " \t")
	for n := len(s); n > 0; n-- {
		if v, err := strconv.ParseUint(s[:n], 0, 64); err == nil && !strings.Contains(s[:n], "_") {
			return v
		}
	}
	return 0
}
