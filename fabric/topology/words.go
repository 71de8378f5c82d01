package topology

import (
	"strings"
	"unicode"
)

// hints are words in the names of machines that are not there to compute. A word
// is letters; digits around it do not count. They tell a role and nothing else.
var hints = [...]struct {
	role  Role
	words string
}{
	{RoleGateway, " gw gateway skyway bridge bridgex "},
	{RoleManagement, " ufm cufm sufm mgmt mgt management admin adm mgr login head headnode bcm slurm prov provision sm opensm "},
	{RoleStorage, " storage stor store oss mds mdt ost mgs lustre nsd gpfs nas nfs ddn vast weka beegfs ceph swift ess netapp scratch "},
}

// appliances are storage servers that go by the name of their product, digits
// included.
const appliances = " ai200x ai400x ai400x2 ai400x3 ai7990x es200nv es200nvx es400nv es400nvx es400nvx2 es7990 es7990x es14kx es18k es18kx " +
	"sfa7990 sfa14k sfa14kx sfa18k sfa18kx sfa200nv sfa400nv ess3000 ess3200 ess3500 ess5000 ess6000 "

// roleByName is the role of an adapter by the words of its description.
func roleByName(description string) (Role, Reason) {
	words := strings.FieldsFunc(hostPart(description), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, hint := range hints {
		for _, w := range words {
			if strings.Contains(hint.words, " "+strings.ToLower(w)+" ") {
				return hint.role, Reason{Evidence: ByName, Word: w}
			}
		}
	}
	products := strings.FieldsFunc(hostPart(description), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range products {
		if strings.Contains(appliances, " "+strings.ToLower(w)+" ") {
			return RoleStorage, Reason{Evidence: ByName, Word: w}
		}
	}
	return RoleHost, Reason{Evidence: ByNodeType}
}

// hostPart is what of a description names the machine: the name without its
// domain, or all of a text that is no name of a machine.
func hostPart(description string) string {
	host, _ := ParseDescription(description)
	if host == "" {
		if isFirmwareText(description) {
			return ""
		}
		return description
	}
	host, _, _ = strings.Cut(host, ".")
	return host
}
