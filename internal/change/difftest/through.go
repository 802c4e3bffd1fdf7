package difftest

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// mostThrough is how many callers stand for one function.
const mostThrough = 3

// stuck reports whether a changed function cannot be driven itself, while what
// calls it could be, with either version of it.
func (s *subject) stuck() bool { return s.of == nil && s.skipped != "" && s.redirect }

// through adds to the subjects of packages the exported functions by which other
// code gets to those that are stuck, and that are as they were: driven in both
// versions, they show what those do. It reports whether more would be welcome.
func through(among []*comparison) (more bool) {
	for _, c := range among {
		for _, s := range slices.Clone(c.subjects) {
			if s.stuck() {
				more = !s.through(among) || more
			}
		}
	}
	return more
}

// through finds the callers that stand for one function, and reports whether these
// are as many as may be.
func (s *subject) through(among []*comparison) bool {
	n := 0
	climb(s.base, among, func(c *comparison, d *decl) bool {
		at := slices.IndexFunc(c.subjects, func(x *subject) bool { return x.base == d })
		now := c.cand.decls[d.key]
		switch {
		case at >= 0:
			if c.subjects[at].of == s {
				n++
			}
			return false
		case n == mostThrough || now == nil || now.kind != funcDecl || !alike(d, now):
			return false
		}
		caller := &subject{c: c, base: d, cand: now, of: s}
		if !d.fn.Name.IsExported() || caller.whyNot() != "" {
			return true
		}
		c.subjects = append(c.subjects, caller)
		n++
		return false
	})
	return n == mostThrough
}

// climb shows the functions that name one, those that name them, and so on, the
// nearest first. Above one of which visit reports false it goes no further.
func climb(from *decl, among []*comparison, visit func(*comparison, *decl) bool) {
	seen := map[*decl]bool{from: true}
	for level := map[string]bool{from.fullName(): true}; len(level) > 0; {
		next := make(map[string]bool)
		for _, c := range among {
			for _, d := range c.base.sorted(funcDecl) {
				if seen[d] || !c.base.names(d, level) {
					continue
				}
				if seen[d] = true; visit(c, d) {
					next[d.fullName()] = true
				}
			}
		}
		level = next
	}
}

// fullName returns what a function is called in all packages.
func (d *decl) fullName() string { return d.obj.(*types.Func).Origin().FullName() }

// names reports whether a function names one of some others, of any package.
func (s *side) names(d *decl, others map[string]bool) (found bool) {
	if d.fn.Body == nil {
		return false
	}
	ast.Inspect(d.fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f, ok := s.info.Uses[id].(*types.Func)
			found = found || ok && others[f.Origin().FullName()]
		}
		return !found
	})
	return found
}

// calledAs returns what a caller is called in what is said of the function that it
// stands for.
func (s *subject) calledAs() string {
	if s.c == s.of.c {
		return s.cand.key
	}
	return s.c.cand.pkg.Name() + "." + s.cand.key
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
			from.Differences[i].Where = fmt.Sprintf("in its caller %s: %s", s.calledAs(), from.Differences[i].Where)
		}
		only := fmt.Sprintf("what else than %s may call it with: %s", s.calledAs(), to.Skipped)
		if to.Skipped == "" { // another caller stands for it, too
			only = "what else than " + s.calledAs() + " may call it with"
			from.Pairs, from.Inputs = from.Pairs+to.Pairs, from.Inputs+to.Inputs
			from.Differences = append(to.Differences, from.Differences...)
			from.Uncompared = append(to.Uncompared, from.Uncompared...)
		}
		from.Func, from.At, from.Uncompared = to.Func, to.At, append(from.Uncompared, only)
		*to = from
	}
	return out
}
