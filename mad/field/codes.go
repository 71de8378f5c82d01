package field

import "strconv"

// The words of libibmad for the codes 0, 1, 2 …; an empty word marks a code
// that it does not know.
var (
	nodeTypeWords    = [...]string{"", "Channel Adapter", "Switch", "Router"}
	stateWords       = [...]string{"NoChange", "Down", "Initialize", "Armed", "Active"}
	downDefaultWords = [...]string{"NoChange", "Sleep", "Polling"}
	mtuWords         = [...]string{"", "256", "512", "1024", "2048", "4096"}
	vlCapWords       = [...]string{"", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"}
	operVLsWords     = [...]string{"No change", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"}
	physWords        = [...]string{
		"NoChange", "Sleep", "Polling", "Disabled",
		"PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
	}
)

// codeWords are the words for the codes of a format.
func codeWords(f Format) []string {
	switch f {
	case NodeTypeText:
		return nodeTypeWords[:]
	case StateText:
		return stateWords[:]
	case PhysText:
		return physWords[:]
	case DownDefaultText:
		return downDefaultWords[:]
	case MTUText:
		return mtuWords[:]
	case VLCapText:
		return vlCapWords[:]
	case OperVLsText:
		return operVLsWords[:]
	}
	return nil
}

// appendCode appends the word for a code, "?(9)" for one that has none; node
// types end in one more question mark.
func appendCode(dst []byte, f Format, v uint64) []byte {
	words := codeWords(f)
	if v < uint64(len(words)) && words[v] != "" {
		return append(dst, words[v]...)
	}
	dst = append(dst, "?("...)
	dst = strconv.AppendUint(dst, v, 10)
	dst = append(dst, ')')
	if f == NodeTypeText {
		dst = append(dst, '?')
	}
	return dst
}
