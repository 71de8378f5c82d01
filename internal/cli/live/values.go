package live

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/rdma"
)

// Each function gives what a value may be that begins with what was typed, each
// with a description after a tab.

// LIDs are those of the nodes of the last sweep of a fabric.
func LIDs(e *env.Env, uri, typed string) []string {
	var list []string
	for _, n := range recall(e, uri) {
		list = add(list, typed, n.lid, n.description)
	}
	return list
}

// GUIDs are those of the ports of the last sweep of a fabric.
func GUIDs(e *env.Env, uri, typed string) []string {
	var list []string
	for _, n := range recall(e, uri) {
		list = add(list, typed, n.guid, n.description)
	}
	return list
}

// Devices are the RDMA devices of this machine.
func Devices(e *env.Env, typed string) []string {
	var list []string
	for _, d := range devices(e) {
		list = add(list, typed, d.Name, d.HCAType)
	}
	return list
}

// Ports are the ports of a device of this machine, or of all devices for "".
func Ports(e *env.Env, device, typed string) []string {
	var list []string
	for _, d := range devices(e) {
		for _, p := range d.Ports {
			if device == "" || device == d.Name {
				list = add(list, typed, fmt.Sprint(p.Num), d.Name+" "+p.State.String())
			}
		}
	}
	return list
}

// URIs are the forms of a fabric's URI, and the ports of this machine.
func URIs(e *env.Env, typed string) []string {
	var list []string
	for _, d := range devices(e) {
		for _, p := range d.Ports {
			list = add(list, typed, fmt.Sprintf("umad:%s/%d", d.Name, p.Num), "port of this machine")
		}
	}
	for _, form := range [][2]string{
		{"umad:", "first active port"},
		{"sim:", "simulated fabric: a topology file, or a generator"},
		{"ibsim:", "running ibsim or ibscope sim serve"},
		{"file:", "stored fabric"},
	} {
		list = add(list, typed, form[0], form[1])
	}
	return list
}

func devices(e *env.Env) []*rdma.Device {
	list, _ := rdma.Host{Sys: e.Sys, Dev: e.Dev}.Devices(context.Background()) // a broken device is not offered
	return list
}

func add(list []string, typed, value, description string) []string {
	if !strings.HasPrefix(value, typed) {
		return list
	}
	return append(list, value+"\t"+description)
}
