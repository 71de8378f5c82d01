// Package testenv tells tests what the machine offers and runs the C tools
// that serve as oracles.
//
// A test that needs something states it with [Need] or [Corpus] and is skipped,
// with the reason, where that is missing. The variable IBSCOPE_REQUIRE turns
// such a skip into a failure: "all" covers everything that a package manager
// installs; "root", "mount-namespace", "fuse", "containers" and "corpus", which a machine may well lack,
// must be named ("all,root,corpus"). Single names work as well ("ibsim,opensm").
//
//	func TestAgainstC(t *testing.T) {
//		testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
//		sim := testenv.StartIbsim(t, "testdata/fabric.net")
//		stdout, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover", "-p")
//		…
//		testenv.Golden(t, "fabric.golden", got) // go test -update writes it
//	}
package testenv
