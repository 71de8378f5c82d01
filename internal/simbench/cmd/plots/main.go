// Command plots draws the tables of `make bench-virtual` for docs/performance.md:
//
//	go run ./internal/simbench/cmd/plots -dir docs grid.csv …
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ibscope/ibscope/internal/plot"
)

func main() {
	dir := flag.String("dir", "docs", "write the drawings into `DIR`")
	flag.Parse()
	if err := draw(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "plots:", err)
		os.Exit(1)
	}
}

func draw(dir string, files []string) error {
	var all table
	for _, name := range files {
		if err := all.read(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, chart := range map[string]*plot.Chart{
		"sweep-window.svg": all.byWindow(),
		"sweep-loss.svg":   all.byLoss("1407"),
		"sweep-dead.svg":   all.byDead("1407"),
	} {
		if err := write(filepath.Join(dir, name), chart); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func write(name string, chart *plot.Chart) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	err = chart.Write(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}
