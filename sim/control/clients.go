package control

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/scenario"
)

// Client is a program that has a port open, in the result of list clients.
type Client struct {
	ID   uint64       `json:"id"`
	At   scenario.End `json:"at"`
	LID  ib.LID       `json:"lid,omitempty"`
	IsSM bool         `json:"sm"`
}

func listClients(_ context.Context, s *Server, args []string) (any, string, error) {
	if err := none("list clients", args); err != nil {
		return nil, "", err
	}
	var b strings.Builder
	list := []Client{}
	for _, p := range s.runner.Fabric().Clients() {
		c := Client{p.ID(), s.runner.End(sim.Place{Node: p.Node(), Port: p.Num()}), p.LID(), p.IsSM()}
		list = append(list, c)
		fmt.Fprintf(&b, "client %d at %s lid %d", c.ID, c.At, c.LID)
		if c.IsSM {
			b.WriteString(" SM")
		}
		b.WriteString("\n")
	}
	return list, b.String(), nil
}

func detach(_ context.Context, s *Server, args []string) (any, string, error) {
	if len(args) == 1 {
		id, err := strconv.ParseUint(args[0], 10, 64)
		for _, p := range s.runner.Fabric().Clients() {
			if err == nil && p.ID() == id {
				return nil, fmt.Sprintf("client %d is detached\n", id), p.Close()
			}
		}
		if err == nil {
			return nil, "", refuse(os.ErrNotExist, "detach: there is no client %d", id)
		}
	}
	return nil, "", usage("detach", args, "the number of a client, as list clients has it")
}

func getCounter(_ context.Context, s *Server, args []string) (any, string, error) {
	if len(args) != 2 {
		return nil, "", usage("get", args, "NODE/PORT COUNTER")
	}
	values, err := s.runner.Counter(args[0], args[1])
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%s %s %d\n", v.At, v.Counter, v.Value)
	}
	return values, b.String(), nil
}
