package nldev

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// uapiHeader is the kernel's header, of Debian's linux-libc-dev.
const uapiHeader = "/usr/include/rdma/rdma_netlink.h"

// TestNumbers compares the numbers here with the enumerations of the header; what
// an older header does not have yet is left out.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile(uapiHeader)
	if err != nil {
		t.Skipf("no kernel headers: %v", err)
	}
	header := enumerators(string(text))
	for name, got := range map[string]int{
		"RDMA_NL_NLDEV":                              client,
		"RDMA_NLDEV_CMD_GET":                         int(cmdGet),
		"RDMA_NLDEV_CMD_PORT_GET":                    int(cmdPortGet),
		"RDMA_NLDEV_CMD_SYS_GET":                     int(cmdSysGet),
		"RDMA_NLDEV_CMD_GET_CHARDEV":                 int(cmdGetCharDev),
		"RDMA_NLDEV_CMD_STAT_GET":                    int(cmdStatGet),
		"RDMA_NLDEV_ATTR_DEV_INDEX":                  attrDevIndex,
		"RDMA_NLDEV_ATTR_DEV_NAME":                   attrDevName,
		"RDMA_NLDEV_ATTR_PORT_INDEX":                 attrPortIndex,
		"RDMA_NLDEV_ATTR_CAP_FLAGS":                  attrCapFlags,
		"RDMA_NLDEV_ATTR_FW_VERSION":                 attrFirmware,
		"RDMA_NLDEV_ATTR_NODE_GUID":                  attrNodeGUID,
		"RDMA_NLDEV_ATTR_SYS_IMAGE_GUID":             attrSysImageGUID,
		"RDMA_NLDEV_ATTR_SUBNET_PREFIX":              attrSubnetPrefix,
		"RDMA_NLDEV_ATTR_LID":                        attrLID,
		"RDMA_NLDEV_ATTR_SM_LID":                     attrSMLID,
		"RDMA_NLDEV_ATTR_LMC":                        attrLMC,
		"RDMA_NLDEV_ATTR_PORT_STATE":                 attrPortState,
		"RDMA_NLDEV_ATTR_PORT_PHYS_STATE":            attrPortPhysState,
		"RDMA_NLDEV_ATTR_DEV_NODE_TYPE":              attrNodeType,
		"RDMA_NLDEV_ATTR_NDEV_INDEX":                 attrNetDevIndex,
		"RDMA_NLDEV_ATTR_NDEV_NAME":                  attrNetDevName,
		"RDMA_NLDEV_SYS_ATTR_NETNS_MODE":             attrNetNSMode,
		"RDMA_NLDEV_ATTR_DEV_PROTOCOL":               attrProtocol,
		"RDMA_NLDEV_ATTR_CHARDEV_TYPE":               attrCharDevType,
		"RDMA_NLDEV_ATTR_CHARDEV_NAME":               attrCharDevName,
		"RDMA_NLDEV_ATTR_CHARDEV_ABI":                attrCharDevABI,
		"RDMA_NLDEV_ATTR_CHARDEV":                    attrCharDev,
		"RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID":           attrDriverID,
		"RDMA_NLDEV_ATTR_STAT_HWCOUNTERS":            attrHWCounters,
		"RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY":       attrHWCounter,
		"RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME":  attrHWCounterName,
		"RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE": attrHWCounterValue,
		"RDMA_NLDEV_ATTR_DEV_DIM":                    attrAdaptiveMod,
		"RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK":           attrCopyOnFork,
		"RDMA_NLDEV_SYS_ATTR_PRIVILEGED_QKEY_MODE":   attrPrivilegedQKey,
		"RDMA_NLDEV_ATTR_DEV_TYPE":                   attrDeviceType,
		"RDMA_NLDEV_ATTR_PARENT_NAME":                attrParentName,
		"RDMA_NLDEV_SYS_ATTR_MONITOR_MODE":           attrMonitorMode,
	} {
		if want, ok := header[name]; ok && want != got {
			t.Errorf("%s is %d, here %d", name, want, got)
		}
	}
	if len(header) < 90 {
		t.Errorf("found only %d enumerators in %s", len(header), uapiHeader)
	}
}

var (
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	enum       = regexp.MustCompile(`(?s)enum\s*\w*\s*\{(.*?)\}`)
	enumerator = regexp.MustCompile(`(\w+)(?:\s*=\s*(\w+))?`)
)

// enumerators counts through the enumerations of a C header.
func enumerators(text string) map[string]int {
	all := make(map[string]int)
	for _, block := range enum.FindAllStringSubmatch(comment.ReplaceAllString(text, ""), -1) {
		next := 0
		for item := range strings.SplitSeq(block[1], ",") {
			m := enumerator.FindStringSubmatch(item)
			if m == nil {
				continue
			}
			if v, ok := all[m[2]]; ok {
				next = v
			} else if m[2] != "" {
				next = int(parseDigits(m[2]))
			}
			all[m[1]] = next
			next++
		}
	}
	return all
}

func parseDigits(s string) (v int) {
	for _, c := range s {
		if c < '0' || c > '9' {
			break
		}
		v = 10*v + int(c-'0')
	}
	return v
}
