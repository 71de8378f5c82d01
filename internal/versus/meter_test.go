package versus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// meterSource runs a program and writes what it took. It is in C because the
// kernel counts the memory of the program that starts another one as memory of that
// one: of a small program that is nothing. What is to be preloaded into the program
// it must not have itself, or it would be another client of the simulator.
const meterSource = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec from, to;
	struct rusage u;
	int status;
	if (argc < 3) return 125;
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid_t pid = fork();
	if (pid == 0) {
		if (getenv("METER_PRELOAD")) setenv("LD_PRELOAD", getenv("METER_PRELOAD"), 1);
		execv(argv[2], argv + 3);
		_exit(126);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid) return 125;
	clock_gettime(CLOCK_MONOTONIC, &to);
	FILE *f = fopen(argv[1], "w");
	if (!f) return 125;
	fprintf(f, "%lld %lld %ld\n",
		(to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec,
		(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec + u.ru_stime.tv_usec,
		u.ru_maxrss);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
`

// usage is what one run of a program took.
type usage struct {
	Wall, CPU time.Duration // CPU: user and system
	Memory    int64         // at its peak, in bytes
}

// meter runs programs and measures them.
type meter struct{ program, result string }

func newMeter(t testing.TB) *meter {
	t.Helper()
	testenv.Need(t, "gcc")
	return &meter{testenv.CompileC(t, meterSource), filepath.Join(t.TempDir(), "usage")}
}

// args is the command line that measures a program, whose argv begins with its name.
func (m *meter) args(path string, argv ...string) []string {
	return append([]string{m.program, m.result, path}, argv...)
}

// read gives what the latest run took.
func (m *meter) read(t testing.TB) (u usage) {
	t.Helper()
	text, err := os.ReadFile(m.result)
	if err != nil {
		t.Fatal(err)
	}
	var micro, kilobytes int64
	if _, err := fmt.Sscan(string(text), (*int64)(&u.Wall), &micro, &kilobytes); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	u.CPU, u.Memory = time.Duration(micro)*time.Microsecond, kilobytes<<10
	return u
}

func (u usage) wall() float64   { return u.Wall.Seconds() }
func (u usage) cpu() float64    { return u.CPU.Seconds() }
func (u usage) memory() float64 { return float64(u.Memory) }

// median is that of one of the three over all runs.
func median(all []usage, of func(usage) float64) float64 {
	var values []float64
	for _, u := range all {
		values = append(values, of(u))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// share is ours by theirs: the median of what each round gives, because runs next to
// each other have the machine in the same state.
func share(ours, theirs []usage, of func(usage) float64) float64 {
	var values []float64
	for i := range ours {
		values = append(values, of(ours[i])/of(theirs[i]))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
