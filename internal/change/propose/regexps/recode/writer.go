package recode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/sorted"
)

// A writer writes statements that walk along one sequence. In guard style a
// condition that fails ends the walk by the statement guard; else conditions
// open if statements, and what comes after the last of them is passed over
// when one fails.
type writer struct {
	g     *generator
	text  strings.Builder
	guard string
	open  int // if statements to close
	live  map[string]bool
	own   []string // variables that this writer declared
	mine  string   // the variable that may be moved on, in guard style

	conds []cond // not yet written
	from  at     // where the bytes begin that conds look at
	width int    // how many they are
	init  string // the statement before them, "" for none

	header   *string // where the first condition of a loop goes
	starts   []at    // of groups that are open
	captures []capture
	dirty    bool // a part has assigned captures, so this attempt must not fail any more
}

type capture struct {
	index    int
	from, to at
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.text, format+"\n", args...)
}

// fresh declares a name for a position.
func (w *writer) fresh() string {
	for n := 0; ; n++ {
		name := fmt.Sprintf("p%d", n)
		if n < 6 {
			name = string(rune('i' + n))
		}
		if name != "l" && !w.live[name] {
			w.live[name] = true
			w.own = append(w.own, name)
			return name
		}
	}
}

func (w *writer) release() {
	for _, name := range w.own {
		delete(w.live, name)
	}
}

// whole writes the function's body.
func (w *writer) whole(t *tree) {
	if !t.begins {
		w.anywhere(t)
		return
	}
	w.seq(t.nodes, at{}, func(p at) {
		if t.ends {
			w.conds = append([]cond{endsAt(p)}, w.conds...)
			w.width = 0
		}
		if w.g.spec.Kind == Match {
			w.answer()
			return
		}
		w.flush()
		if t.ends {
			w.line("groups[0] = s")
		} else {
			w.capture(0, at{}, p)
		}
		w.assign()
		w.line("return groups[:]")
	})
}

// answer returns the conditions that are left as the result.
func (w *writer) answer() {
	w.bound()
	var all []string
	for _, c := range w.conds {
		if len(w.conds) == 1 {
			all = append(all, c.pos)
			break
		}
		all = append(all, c.operand(true))
	}
	if len(all) == 0 {
		all = []string{"true"}
	}
	w.line("return %s", strings.Join(all, " && "))
}

func (w *writer) capture(index int, from, to at) {
	w.captures = append(w.captures, capture{index, from, to})
}

// seq writes a sequence from p on, and calls done where it has ended.
func (w *writer) seq(nodes []*node, p at, done func(at)) {
	for i, n := range nodes {
		p = w.node(n, p, i+1 < len(nodes))
	}
	done(p)
}

// node writes one node and returns where it ends.
func (w *writer) node(n *node, p at, more bool) at {
	switch n.op {
	case opText:
		w.look(p, len(n.text), textAt(n.text, p))
		return p.plus(len(n.text))
	case opClass:
		w.look(p, 1, w.g.is(n.set, index(p)))
		return p.plus(1)
	case opRun:
		return w.run(n, p)
	case opGroup:
		w.starts = append(w.starts, p)
		var to at
		w.seq(n.seqs[0], p, func(q at) { to = q })
		w.starts = w.starts[:len(w.starts)-1]
		w.capture(n.index, p, to)
		return to
	case opMaybe:
		return w.maybe(n, p)
	case opStar:
		return w.star(n, p)
	}
	q := at{v: w.fresh()}
	if w.g.spec.Kind == Find && captures(n.seqs) {
		w.g.fail("an alternative of %s has a group", n.source)
	}
	w.declare("%s := %s(s, %s)", q, w.g.choice(n), p)
	w.conds = append(w.conds, cond{pos: q.v + " >= 0", neg: q.v + " < 0"})
	w.from, w.width = q, 0
	return q
}

func textAt(text string, p at) cond {
	if len(text) == 1 {
		c := fmt.Sprintf("%q", text[0])
		return cond{pos: index(p) + " == " + c, neg: index(p) + " != " + c}
	}
	s := slice(p, p.plus(len(text)))
	return cond{pos: fmt.Sprintf("%s == %q", s, text), neg: fmt.Sprintf("%s != %q", s, text)}
}

// look adds a condition on n bytes at p.
func (w *writer) look(p at, n int, c cond) {
	if w.width == 0 {
		w.from = p
		w.conds = append(w.conds, cond{}) // that there are so many bytes; see bound
	}
	w.width += n
	w.conds = append(w.conds, c)
}

// bound fills in the condition that all the bytes are there. Where the end of
// the text is asked for, that is one.
func (w *writer) bound() {
	for i, c := range w.conds {
		if c.pos != "" {
			continue
		}
		if w.width == 0 {
			w.conds = slices.Delete(w.conds, i, i+1)
		} else {
			w.conds[i] = has(w.from.plus(w.width - 1))
		}
		break
	}
	w.width = 0
}

// behind adds the look at the byte behind an optional part.
func (w *writer) behind(look *set, p at) {
	if look == nil {
		return
	}
	bytes := *look
	bytes.end = false
	is := w.g.is(&bytes, index(p))
	w.bound()
	if !look.end {
		w.conds = append(w.conds, has(p), is)
		return
	}
	if bytes.size() == 0 {
		w.conds = append(w.conds, endsAt(p))
		return
	}
	e := endsAt(p)
	w.conds = append(w.conds, cond{pos: e.pos + " || " + is.pos, neg: "(" + has(p).pos + " && " + is.operand(false) + ")", or: true})
}

// flush writes the conditions.
func (w *writer) flush() {
	w.bound()
	conds, init := w.conds, w.init
	w.conds, w.init = nil, ""
	if w.dirty && len(conds) > 0 {
		w.g.fail("a group within an optional part has its text before it is known whether that part is taken")
	}
	switch {
	case len(conds) > 0 && w.header != nil && w.text.Len() == 0:
		*w.header = join(conds, true)
	case w.guard != "":
		if len(conds) > 0 {
			w.line("if %s {\n%s\n}", join(conds, false), w.guard)
		}
	case len(conds) == 0 && init != "":
		w.statement(init)
	case len(conds) > 0:
		if init != "" {
			init += "; "
		}
		w.line("if %s%s {", init, join(conds, true))
		w.open++
	}
}

// join joins conditions by &&, or their opposites by ||.
func join(conds []cond, pos bool) string {
	if len(conds) == 1 && pos {
		return conds[0].pos
	}
	var all []string
	for _, c := range conds {
		all = append(all, c.operand(pos))
	}
	if pos {
		return strings.Join(all, " && ")
	}
	return strings.Join(all, " || ")
}

// close ends the if statements.
func (w *writer) close() {
	w.flush()
	for ; w.open > 0; w.open-- {
		w.line("}")
	}
	w.release()
}

// statement writes a statement that declares something. Attempts beside each
// other use the same names, so it needs a block.
func (w *writer) statement(text string) {
	if w.guard == "" && w.open == 0 {
		w.line("{")
		w.open++
	}
	w.line("%s", text)
}

// declare declares a variable; the condition that follows is about it.
func (w *writer) declare(format string, args ...any) {
	w.flush()
	text := fmt.Sprintf(format, args...)
	if w.guard != "" {
		w.line("%s", text)
		return
	}
	w.init = text
}

// assign writes the captures.
func (w *writer) assign() {
	sorted.By(w.captures, func(a, b capture) int { return a.index - b.index })
	for i, c := range w.captures {
		if i+1 == len(w.captures) || w.captures[i+1].index != c.index { // else it matched again
			w.line("groups[%d] = %s", c.index, slice(c.from, c.to))
		}
	}
	w.captures = nil
}
