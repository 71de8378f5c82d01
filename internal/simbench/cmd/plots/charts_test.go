package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

const sample = `fabric,nodes,sma_us,queue,dead,loss_percent,policy,time_us,bound_us,smps
11664,13284,20.0,32,0,0,adaptive,3000,2000,1
11664,13284,20.0,32,0,0,libibnetdisc,40000,2000,1
11664,13263,20.0,32,100,0,adaptive,1000000,0,1
1407,1407,20.0,32,0,5,window 32,46000000,0,1
`

func TestCharts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "grid.csv")
	if err := os.WriteFile(name, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	var all table
	if err := all.read(name); err != nil {
		t.Fatal(err)
	}
	line := all.byWindow().Lines[0]
	if v := line.Values; line.Name != "13284 nodes" || v[0] != 20 || v[len(v)-1] != 1.5 || !math.IsNaN(v[1]) {
		t.Errorf("%+v", line)
	}
	if v := all.byDead("11664").Lines[4].Values; v[2] != 1 {
		t.Errorf("adaptive with 100 dead: %v", v)
	}
	if v := all.byLoss("1407").Lines[1].Values; v[3] != 46 {
		t.Errorf("window 32 with 5 %%: %v", v)
	}
}

func TestRefusesOtherTables(t *testing.T) {
	name := filepath.Join(t.TempDir(), "grid.csv")
	for _, text := range []string{"a,b\n", sample[:len(sample)-20] + "x,y,1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := new(table).read(name); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
