package diags

import (
	"strconv"

	"github.com/ibscope/ibscope/internal/getopt"
)

// The options that all tools have and C has not. Those of the second list are
// for tools that send requests.
var (
	outputExtension = getopt.Option{Long: "output", Short: 'o', Arg: "text|json", Help: "form of the output", Extension: true}

	fabricExtensions = []getopt.Option{
		{Long: "fabric", Arg: "uri", Help: "fabric to use: umad:DEVICE/PORT, sim:FILE, ibsim:, file:FILE", Extension: true},
		{Long: "pcap", Arg: "file", Help: "write all packets into a capture for Wireshark", Extension: true},
		{Long: "pkey-idx", Short: 'Y', Arg: "index", Help: "P_Key index of requests to general services, as newer infiniband-diags have it", Extension: true},
	}
)

// extensions are those of the lists above that the tool does not have itself.
// Where -o is C's, the form of the output has no letter.
func (t *Tool) extensions() []getopt.Option {
	output := outputExtension
	if t.owns('o') {
		output.Short = 0
	}
	list := []getopt.Option{output}
	if t.usesFabric() {
		list = append(list, fabricExtensions...)
	}
	return list
}

func isExtension(o *getopt.Option) bool {
	return o.Extension && (o.Long == "output" || o.Long == "fabric" || o.Long == "pcap" || o.Long == "pkey-idx")
}

func (c *Common) setExtension(o *getopt.Option, value string) error {
	switch o.Long {
	case "fabric":
		c.fabric = value
	case "pcap":
		c.PCAP = value
	case "pkey-idx":
		return c.setPKeyIndex(value)
	case "output":
		return c.setOutput(value)
	}
	return nil
}

func (c *Common) setPKeyIndex(value string) error {
	index, err := strconv.ParseUint(value, 0, 16)
	if err != nil {
		c.env.Complain("--pkey-idx %s: expected a number, 0…65535", value)
		return &Exit{ExitUsage}
	}
	c.PKeyIndex = uint16(index)
	return nil
}

func (c *Common) setOutput(value string) error {
	switch value {
	case "text":
		c.JSON, c.env.Fatal = false, nil
	case "json":
		c.JSON, c.env.Fatal = true, c.fatalDocument
	default:
		c.env.Complain("--output %s: expected text or json", value)
		return &Exit{ExitUsage}
	}
	return nil
}
