package difftest

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// mostThrough is how many callers stand for one function.
const mostThrough = 3

// through returns the exported functions that call changed ones which cannot be
// driven themselves, and that are as they were: driven in both versions, they show
// what those do.
func (c *comparison) through(subjects []*subject) (out []*subject) {
	for _, s := range subjects {
		if s.skipped == "" || !s.redirect {
			continue
		}
		n := 0
		for _, d := range c.base.sorted(funcDecl) {
			now := c.cand.decls[d.key]
			if n == mostThrough || now == nil || now.kind != funcDecl || !d.fn.Name.IsExported() || !alike(d, now) || !c.base.calls(d, s.base) {
				continue
			}
			caller := &subject{c: c, base: d, cand: now, of: s}
			known := func(x *subject) bool { return x.base == d }
			if caller.whyNot() != "" || slices.ContainsFunc(subjects, known) || slices.ContainsFunc(out, known) {
				continue
			}
			out = append(out, caller)
			n++
		}
	}
	return out
}

// calls reports whether a function names another one.
func (s *side) calls(d, other *decl) (found bool) {
	if d.fn.Body == nil || d == other {
		return false
	}
	s.refs(d.fn.Body, func(_ *ast.Ident, to *decl) { found = found || to == other })
	return found
}

// fold puts what was seen through callers to the functions that they stand for,
// and leaves the callers out.
func (p *Plan) fold(list []model.Driven) []model.Driven {
	var out []model.Driven
	at := make(map[*subject]int)
	for id, s := range p.subjects {
		if s.of == nil {
			at[s] = len(out)
			out = append(out, list[id])
		}
	}
	for id, s := range p.subjects {
		if s.of == nil || list[id].Skipped != "" && list[id].OK() {
			continue
		}
		to, from := &out[at[s.of]], list[id]
		for i := range from.Differences {
			from.Differences[i].Where = fmt.Sprintf("in its caller %s: %s", s.cand.key, from.Differences[i].Where)
		}
		only := fmt.Sprintf("what else than %s may call it with: %s", s.cand.key, to.Skipped)
		if to.Skipped == "" { // another caller stands for it, too
			only = "what else than " + s.cand.key + " may call it with"
			from.Pairs, from.Inputs = from.Pairs+to.Pairs, from.Inputs+to.Inputs
			from.Differences = append(to.Differences, from.Differences...)
			from.Uncompared = append(to.Uncompared, from.Uncompared...)
		}
		from.Func, from.At, from.Uncompared = to.Func, to.At, append(from.Uncompared, only)
		*to = from
	}
	return out
}
