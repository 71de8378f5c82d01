package testenv

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
)

// ibsimPortCount is how many UDP ports an ibsim takes: one for control, and one
// for the data of each client.
const ibsimPortCount = 11

// freeUDPPorts finds the first of enough free ports below the range from which
// the kernel serves other programs.
func freeUDPPorts(t testing.TB) int {
	t.Helper()
	for range 100 {
		first := 10000 + rand.IntN(20000)
		if allFree(first) {
			return first
		}
	}
	t.Fatal("no free UDP ports for ibsim")
	return 0
}

func allFree(first int) bool {
	for port := first; port < first+ibsimPortCount; port++ {
		c, err := net.ListenUDP("udp4", &net.UDPAddr{Port: port})
		if err != nil {
			return false
		}
		c.Close()
	}
	return true
}

// boundUDP looks the port up in the kernel's table: to try and bind it would
// take it away from the program that is just starting.
func boundUDP(port int) bool {
	table, err := os.ReadFile("/proc/net/udp")
	return err == nil && strings.Contains(string(table), fmt.Sprintf(":%04X ", port))
}
