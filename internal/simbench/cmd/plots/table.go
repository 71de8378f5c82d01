package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
)

// key is a case and a policy, in the words of the table.
type key struct{ fabric, service, queue, dead, loss, policy string }

// row is what became of it, in microseconds.
type row struct{ time, bound float64 }

// table is all that was read. The fabrics are in the order of the files.
type table struct {
	rows    map[key]row
	fabrics []string
	nodes   map[string]string // of each fabric, all of them
}

// read adds a file, as package simbench writes it.
func (t *table) read(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	if t.rows == nil {
		t.rows, t.nodes = map[key]row{}, map[string]string{}
	}
	for i, line := range lines {
		if i == 0 {
			if !slices.Equal(line[:min(9, len(line))], columns) {
				return fmt.Errorf("the columns are %q, expected %q and more", line, columns)
			}
			continue
		}
		if err := t.add(line); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

// columns are those that are used, the first of the table.
var columns = []string{"fabric", "nodes", "sma_us", "queue", "dead", "loss_percent", "policy", "time_us", "bound_us"}

func (t *table) add(line []string) (err error) {
	var r row
	if r.time, err = strconv.ParseFloat(line[7], 64); err != nil {
		return err
	}
	if r.bound, err = strconv.ParseFloat(line[8], 64); err != nil {
		return err
	}
	t.rows[key{line[0], line[2], line[3], line[4], line[5], line[6]}] = r
	if line[4] == "0" {
		t.nodes[line[0]] = line[1]
	}
	if !slices.Contains(t.fabrics, line[0]) {
		t.fabrics = append(t.fabrics, line[0])
	}
	return nil
}
