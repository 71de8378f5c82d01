package saquery

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/saclient"
)

// showNodes prints what -N, -D, -L, -l, -G, -O or -U asks for.
func (s *session) showNodes(ctx context.Context) error {
	begun := false
	for node, err := range saclient.Table[sa.NodeRecord](ctx, s.sa, saclient.Query{}) {
		if err != nil {
			return s.failed(err)
		}
		if !begun {
			begun = true
			if err := s.nodesHeading(); err != nil {
				return err
			}
		}
		if !s.wanted(&node) {
			continue
		}
		if err := s.printNode(&node); err != nil || s.print == 'l' {
			return err
		}
	}
	if !begun {
		return s.nodesHeading()
	}
	return nil
}

func (s *session) nodesHeading() error {
	if s.print != 'D' || s.document != nil {
		return nil
	}
	return s.printf("   LID \"name\"\n================\n")
}

// wanted reports whether the operand means a node.
func (s *session) wanted(node *sa.NodeRecord) bool {
	switch s.print {
	case 'D':
		return node.Node.NodeType == ib.NodeCA
	case 'O':
		return uint16(node.LID) == uint16(diags.LeadingUint(s.operand()))
	case 'U':
		return node.Node.PortGUID == ib.GUID(diags.LeadingUint(s.operand()))
	}
	return len(s.operands) == 0 || s.operand() == string(untilNUL(node.Desc.Raw())) || s.operand() == s.nameOf(node)
}

func (s *session) nameOf(node *sa.NodeRecord) string {
	return s.nodeName(node.Node.NodeGUID, node.Desc.Raw())
}

func (s *session) printNode(node *sa.NodeRecord) error {
	if s.document != nil {
		return s.recordItem(node)
	}
	switch s.print {
	case 'D':
		return s.printf("%6d  \"%s\"\n", node.LID, s.nameOf(node))
	case 'L', 'l':
		return s.printf("%d\n", node.LID)
	case 'G':
		return s.printf("0x%016x\n", uint64(node.Node.PortGUID))
	case 'O', 'U':
		return s.printf("%s\n", s.nameOf(node))
	}
	row, err := node.AppendBinary(nil)
	if err != nil {
		return err
	}
	return s.printRecord(sa.AttrNodeRecord, row)
}
