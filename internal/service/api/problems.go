package api

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

func (a *API) problems(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	var fit []fabric.Problem
	for _, p := range r.index.fabric.Problems() {
		if kind := r.text("kind"); (kind == "" || kind == string(p.Kind)) && r.wants("loss", p.Kind.IsLoss) {
			fit = append(fit, p)
		}
	}
	from, to, next := r.window(len(fit))
	head := Page[Problem]{Schema: "ibscope.api.problems", Total: len(fit), Offset: from, Next: next}
	return list(r, head, each(fit[from:to], r.index.problem))
}

// problem is a problem as an item of a list.
func (x *index) problem(p fabric.Problem) Problem {
	out := Problem{
		Kind: string(p.Kind), Message: p.Error(), Loss: p.Kind.IsLoss(), LID: p.Target.LID, File: p.File, Detail: p.Detail, Error: errorText(p.Err),
	}
	if p.GUID != 0 {
		out.GUID = &p.GUID
		if n, ok := x.fabric.NodeByGUID(p.GUID); ok {
			out.Name = x.name(n)
		}
		if p.Port >= 0 {
			out.Port = &p.Port
		}
	}
	if p.Target.IsDirected() && p.File == "" {
		out.Path = p.Target.Path.String()
	}
	if p.Attr != 0 {
		out.Attribute, out.Modifier = fmt.Sprintf("0x%04x", uint16(p.Attr)), &p.Modifier
	}
	return out
}
