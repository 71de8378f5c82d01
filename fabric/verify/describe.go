package verify

import (
	"fmt"
	"strings"
)

func (c *checker) reportMissing(w *wire) {
	f := Finding{Kind: Missing, Cables: cablesOf(w), What: upper(c.cable(w)) + " is not there."}
	var dark []string
	for _, s := range w.ends {
		if text := c.light(s); text != "" {
			dark = append(dark, text)
		}
	}
	f.Do = append(f.Do, "Plug it in, or reseat both plugs if it is there; then try another cable.")
	if len(dark) > 0 {
		f.Do = append(f.Do, strings.Join(dark, ", ")+".")
	}
	for _, s := range w.ends {
		if c.node(s) == nil {
			f.Do = append(f.Do, fmt.Sprintf("Nothing is seen of %s: look whether it has power.", c.nodeName(s)))
		}
	}
	c.add(f)
}

func (c *checker) reportExtra(w *wire) {
	do := "Take it out, or put it into the plan."
	c.add(Finding{
		Kind: Extra, Links: linksOf(w), Do: []string{do},
		What: fmt.Sprintf("The plan has no cable from %s to %s.", c.place(w.ends[0]), c.place(w.ends[1])),
	})
}

// reportMoved is of a planned cable and a link that share an end, in either order.
func (c *checker) reportMoved(v, w *wire) {
	planned, there := v, w
	if v.cable == nil {
		planned, there = w, v
	}
	right, wrong := apart(planned, there)
	c.add(Finding{
		Kind: Moved, Cables: cablesOf(planned), Links: linksOf(there),
		What: fmt.Sprintf("%s has its end in %s.", upper(c.cable(planned)), c.place(wrong)),
		Do:   []string{c.move(planned, wrong, right)},
	})
}

// move says to which port an end belongs.
func (c *checker) move(w *wire, from, to spot) string {
	if from.node == to.node {
		return fmt.Sprintf("At %s, move the plug of %s from %s to %s.", c.nodeName(from), label(w), c.socket(from), c.socket(to))
	}
	return fmt.Sprintf("Take the plug of %s out of %s and put it into %s.", label(w), c.place(from), c.place(to))
}

// reportSwapped is of a chain that closes: plan and fabric in turn.
func (c *checker) reportSwapped(list []*wire) {
	if list[0].cable == nil {
		list = append(list[1:], list[0])
	}
	f := Finding{Kind: Swapped, Cables: cablesOf(list...), Links: linksOf(list...)}
	var names []string
	for i := 0; i < len(list); i += 2 {
		names = append(names, c.cable(list[i]))
	}
	f.What = upper(strings.Join(names, ", and ")) + " are in each other's places."
	if len(list) > 4 {
		f.What = fmt.Sprintf("%d cables are in each other's places: %s.", len(list)/2, strings.Join(names, "; "))
	}
	shift := c.side(list)
	if len(list) == 4 {
		p, _ := c.moveOf(list, 0, shift)
		q, _ := c.moveOf(list, 2, shift)
		f.Do = []string{c.exchange(p, q)}
	} else {
		for i := 0; i < len(list); i += 2 {
			from, to := c.moveOf(list, i, shift)
			f.Do = append(f.Do, c.move(list[i], from, to))
		}
	}
	c.add(f)
}

// moveOf is where an end of a planned cable of a closed chain is, and where it
// belongs: the cable keeps the end that it shares with the link after it, or with
// the one before it.
func (c *checker) moveOf(list []*wire, i int, before bool) (from, to spot) {
	neighbour := list[i+1]
	if before {
		neighbour = list[(i+len(list)-1)%len(list)]
	}
	to, from = apart(list[i], neighbour)
	return from, to
}

// side tells which ends of a closed chain are best moved: those that stay at their
// node, and else those at switches.
func (c *checker) side(list []*wire) (before bool) {
	var score [2]int
	for k := range score {
		for i := 0; i < len(list); i += 2 {
			from, to := c.moveOf(list, i, k == 1)
			if from.node == to.node {
				score[k] += 4
			}
			if c.isSwitch(from) && c.isSwitch(to) {
				score[k]++
			}
		}
	}
	return score[1] > score[0]
}

func (c *checker) exchange(p, q spot) string {
	if p.node == q.node {
		return fmt.Sprintf("At %s, exchange the plugs in %s and %s.", c.nodeName(p), c.socket(p), c.socket(q))
	}
	return fmt.Sprintf("Exchange the plugs in %s and %s.", c.place(p), c.place(q))
}
