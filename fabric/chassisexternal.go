package fabric

// The front panel numbers of the external ports of Voltaire boards, by switch
// chip (1 or 2) and port; 0 for ports that are not on the panel.

func externalLine24(chip, port int) int {
	return externalFrom(13, port, [2][]int{
		{6, 5, 4, 18, 17, 16, 1, 2, 3, 13, 14, 15},
		{12, 11, 10, 24, 23, 22, 7, 8, 9, 19, 20, 21},
	}[chip-1])
}

func externalLine8(chip, port int) int {
	return externalFrom(13, port, [2][]int{
		{2, 2, 2, 6, 6, 6, 1, 1, 1, 5, 5, 5},
		{4, 4, 4, 8, 8, 8, 3, 3, 3, 7, 7, 7},
	}[chip-1])
}

func externalLine2024(chip, port int) int {
	switch {
	case port < 13 || port > 24:
		return 0
	case chip == 1:
		return port
	}
	return port - 12
}

func externalLine4018(_, port int) int {
	if port < 19 || port > 36 {
		return 0
	}
	return port - 18
}

// externalSpine4700X2 numbers the 12x ports, each of which is three 4x ports.
func externalSpine4700X2(chip, port int) int {
	switch {
	case port < 19 || port > 36:
		return 0
	case chip == 1:
		return (port-19)/3 + 7
	}
	return (port-19)/3 + 1
}

func externalFrom(first, port int, numbers []int) int {
	if port < first || port >= first+len(numbers) {
		return 0
	}
	return numbers[port-first]
}
