package recode

import "slices"

// run writes a repetition of a class and returns where it ends.
func (w *writer) run(n *node, p at) at {
	if q, ok := w.loop(n, p); ok {
		return q
	}
	q := at{v: w.fresh()}
	w.declare("%s := %s(s, %s)", q, w.g.skip(n.set), p)
	switch {
	case n.min == n.max:
		w.conds = append(w.conds, cond{pos: q.v + " == " + p.plus(n.min).String(), neg: q.v + " != " + p.plus(n.min).String()})
	case n.min == 1:
		w.conds = append(w.conds, moved(p, q))
	case n.min > 1:
		least := p.plus(n.min).String()
		w.conds = append(w.conds, cond{pos: q.v + " >= " + least, neg: q.v + " < " + least})
	}
	if n.max > n.min {
		most := p.plus(n.max).String()
		w.conds = append(w.conds, cond{pos: q.v + " <= " + most, neg: q.v + " > " + most})
	}
	if n.last != nil {
		w.conds = append(w.conds, w.g.is(n.last, index(q.plus(-1))))
	}
	return q
}

// moved is the condition that q is behind p.
func moved(p, q at) cond {
	return cond{pos: q.String() + " > " + p.String(), neg: q.String() + " == " + p.String()}
}

// loop writes a repetition in place where it is the only one of its class and
// may be empty.
func (w *writer) loop(n *node, p at) (at, bool) {
	if w.guard == "" || n.min > 0 || n.max >= 0 || n.last != nil || w.g.runs(n.set) > 1 {
		return at{}, false
	}
	v := w.movable(p)
	w.line("for %s < len(s) && %s {\n%s++\n}", v, w.g.is(n.set, index(at{v: v})).operand(true), v)
	return at{v: v}, true
}

// movable returns a variable that holds p and may be moved on.
func (w *writer) movable(p at) string {
	w.flush()
	isOpen := func(start at) bool { return start.v == w.mine }
	if w.mine != "" && p == (at{v: w.mine}) && !slices.ContainsFunc(w.starts, isOpen) {
		w.assign()
		return w.mine
	}
	v := w.fresh()
	w.statement(v + " := " + p.String())
	if w.guard != "" && w.guard != "break" {
		w.mine = v
	}
	return v
}

// maybe writes an optional part and returns where it ends.
func (w *writer) maybe(n *node, p at) at {
	w.settle(n)
	v := w.movable(p)
	w.comment(n)
	sub := &writer{g: w.g, live: w.live}
	sub.seq(n.seqs[0], at{v: v}, func(q at) {
		sub.behind(n.looks[0], q)
		sub.flush()
		w.commit(sub, n, v, q)
	})
	sub.close()
	w.text.WriteString(sub.text.String())
	return at{v: v}
}

// settle assigns the captures so far where n may capture the same groups
// again: those of n are assigned in n.
func (w *writer) settle(n *node) {
	again := func(c capture) bool { return capturesGroup(n.seqs, c.index) }
	if !slices.ContainsFunc(w.captures, again) {
		return
	}
	w.flush()
	w.assign()
	w.dirty = w.dirty || w.guard != w.g.none()
}

// comment says what the next statements match, in functions where that is not
// plain.
func (w *writer) comment(n *node) {
	if len(n.source) < 60 {
		w.line("// %s", n.source)
	}
}

// commit ends an attempt: its captures are taken and v moves on.
func (w *writer) commit(sub *writer, n *node, v string, q at) {
	sub.assign()
	switch {
	case q.v != v:
		sub.line("%s = %s", v, q)
	case q.n == 1:
		sub.line("%s++", v)
	default:
		sub.line("%s += %d", v, q.n)
	}
	if captures(n.seqs) && w.guard != w.g.none() {
		w.dirty = true
	}
}

// star writes a repeated part and returns where it ends.
func (w *writer) star(n *node, p at) at {
	w.settle(n)
	if n.min > 0 {
		w.mine = "" // p is asked for below
	}
	v := w.movable(p)
	w.comment(n)
	var header string
	sub := &writer{g: w.g, live: w.live, guard: "break", header: &header}
	sub.seq(n.seqs[0], at{v: v}, func(q at) {
		sub.behind(n.looks[0], q)
		sub.flush()
		w.commit(sub, n, v, q)
	})
	sub.close()
	w.line("for %s {\n%s}", header, sub.text.String())
	if n.min > 0 {
		w.conds = append(w.conds, moved(p, at{v: v}))
	}
	return at{v: v}
}

// anyGroup stands for a group of any index.
const anyGroup = -1

// captures reports whether there is a group in sequences.
func captures(seqs [][]*node) bool { return capturesGroup(seqs, anyGroup) }

func capturesGroup(seqs [][]*node, index int) bool {
	for _, seq := range seqs {
		for _, n := range seq {
			if n.op == opGroup && (index == anyGroup || index == n.index) || capturesGroup(n.seqs, index) {
				return true
			}
		}
	}
	return false
}

// runs returns how many repetitions of a class the pattern has.
func (g *generator) runs(s *set) int {
	count := 0
	var walk func([]*node)
	walk = func(nodes []*node) {
		for _, n := range nodes {
			if n.op == opRun && *n.set == *s {
				count++
			}
			for _, seq := range n.seqs {
				walk(seq)
			}
		}
	}
	walk(g.tree.nodes)
	return count
}
