package difftest

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostThrough is how many callers stand for one function.
const mostThrough = 3

// stuck reports whether a changed function cannot be driven itself, while what
// calls it could be, with either version of it.
func (s *subject) stuck() bool { return s.of == nil && s.skipped != "" && s.redirect }

// closed reports whether callers cannot choose what a method works on: its receiver
// is a struct of the package's own, and nothing that they can call makes one.
func (s *subject) closed() bool {
	if s.cand.fn.Recv == nil || ast.IsExported(words.Receiver(s.cand.fn)) {
		return false
	}
	_, isStruct := pointee(s.cand.obj.Type().(*types.Signature).Recv().Type()).Underlying().(*types.Struct)
	return isStruct && len(s.c.makersFor(s)) == 0
}

// pointee returns what a pointer type points to, and any other type as it is.
func pointee(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// through adds to the subjects of packages the exported functions by which other
// code gets to those that are stuck or closed, and that are as they were: driven in both
// versions, they show what those do. It reports whether more would be welcome.
func through(among []*comparison) (more bool) {
	for _, c := range among {
		for _, s := range slices.Clone(c.subjects) {
			if s.stuck() {
				more = !s.through(among) || more
			} else if s.of == nil && s.skipped == "" && s.closed() {
				s.through(among)
			}
		}
	}
	return more
}

// through finds the callers that stand for one function, and reports whether these
// are as many as may be.
func (s *subject) through(among []*comparison) bool {
	n, closed := 0, s.closed()
	climb(s.base, closed, among, func(c *comparison, d *decl) bool {
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
		if !d.fn.Name.IsExported() || closed && caller.closed() || caller.whyNot() != "" {
			return true
		}
		c.subjects = append(c.subjects, caller)
		n++
		return false
	})
	return n == mostThrough
}

// climb shows the functions that name one, those that name them, and so on, the
// nearest first. Above one of which visit reports false it goes no further. With
// byType it begins with those that name a method's receiver, too: what is called through
// an interface is not named.
func climb(from *decl, byType bool, among []*comparison, visit func(*comparison, *decl) bool) {
	seen := map[*decl]bool{from: true}
	first := map[string]bool{from.fullName(): true}
	if byType {
		first[types.TypeString(pointee(from.obj.Type().(*types.Signature).Recv().Type()), nil)] = true
	}
	for level := first; len(level) > 0; {
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
			switch o := s.info.Uses[id].(type) {
			case *types.Func:
				found = found || others[o.Origin().FullName()]
			case *types.TypeName:
				found = found || others[types.TypeString(o.Type(), nil)]
			}
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
		if s.of.skipped == "" { // it was driven itself, too
			to.Pairs += from.Pairs
			to.Differences = append(to.Differences, from.Differences...)
			continue
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
