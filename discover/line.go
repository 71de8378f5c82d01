package discover

// enqueue adds v to a line from whose front others are taken by slicing. The memory
// behind the line, which enqueue gives beside it, is used again from its beginning
// once half of it has been left behind: a line that is steady does not allocate.
func enqueue[T any](line, memory []T, v T) (longer, behind []T) {
	isFull := len(line) == cap(line)
	if left := cap(memory) - cap(line); isFull && left > 0 && left >= len(line) {
		memory = memory[:cap(memory)]
		n := copy(memory, line)
		clear(memory[n:])
		return append(memory[:n], v), memory
	}
	line = append(line, v)
	if isFull {
		memory = line
	}
	return line, memory
}
