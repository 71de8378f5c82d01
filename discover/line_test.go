package discover

import "testing"

// TestEnqueue: first in, first out, and no more memory than twice what is needed.
func TestEnqueue(t *testing.T) {
	for _, length := range []int{0, 1, 2, 3, 100} {
		var line, memory []int
		in, out := 0, 0
		turn := func() {
			for range 5 {
				line, memory = enqueue(line, memory, in)
				in++
			}
			for len(line) > length {
				if line[0] != out {
					t.Fatalf("length %d: %d came, not %d", length, line[0], out)
				}
				line = line[1:]
				out++
			}
		}
		for range 1000 {
			turn()
		}
		if n := testing.AllocsPerRun(100, turn); n != 0 || cap(memory) > 4*(length+5) {
			t.Errorf("length %d: %v allocations a turn, memory for %d", length, n, cap(memory))
		}
	}
}
