package snapshot_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/sim/gen"
)

// Keep a fabric, and read it again.
func Example() {
	model, err := gen.Parse("star?hosts=2")
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := snapshot.Write(&file, &snapshot.Snapshot{Tool: "example", Fabric: model}); err != nil {
		log.Fatal(err)
	}
	s, err := snapshot.Read(&file, "example.json.gz")
	if err != nil {
		log.Fatal(err)
	}
	for n := range s.Fabric.Nodes() {
		fmt.Println(n.Type(), n.Description())
	}
	// Output:
	// CA node0001 mlx5_0
	// Switch MF0;switch01:MQM8700/U1
	// CA node0002 mlx5_0
}
