package difftest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostThrough is how many callers stand for one function.
const mostThrough = 3

// stuck reports whether a changed function cannot be driven itself, while what
// calls it could be, with either version of it.
func (s *subject) stuck() bool { return s.of == nil && s.skipped != "" && (s.redirect || s.retyped) }

// closed reports whether callers cannot choose what a method works on: its receiver
// is a struct of the package's own, and nothing that they can call makes one.
func (s *subject) closed() bool {
	if s.cand.fn.Recv == nil || ast.IsExported(words.Receiver(s.cand.fn)) {
		return false
	}
	_, isStruct := code.Pointee(s.cand.obj.Type().(*types.Signature).Recv().Type()).Underlying().(*types.Struct)
	return isStruct && len(s.c.makersFor(s)) == 0
}

// keepsState reports whether a method's receiver is no struct, or one with fields that only its package sees: what one side
// has left there means nothing to the other, where they differ inside.
func (s *subject) keepsState() bool {
	recv := s.base.obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return false
	}
	str, ok := code.Pointee(recv.Type()).Underlying().(*types.Struct)
	return !ok || slices.ContainsFunc(slices.Collect(str.Fields()), func(f *types.Var) bool { return !f.Exported() })
}

// through adds to the subjects of packages the exported functions by which other
// code gets to those that are stuck or closed, and that are as they were: driven in both
// versions, they show what those do. With inner, those of a few that are not exported are added, too: the time is shared by
// all. It reports whether more would be welcome.
func through(among []*comparison, inner bool) (more bool) {
	hidden := 0
	for _, c := range among {
		for _, s := range c.subjects {
			if s.of == nil && !s.base.fn.Name.IsExported() {
				hidden++
			}
		}
	}
	inner = inner && hidden <= mostThrough
	for _, c := range among {
		for _, s := range slices.Clone(c.subjects) {
			if s.stuck() {
				more = !s.through(among) || more
			} else if s.of == nil && s.skipped == "" && (s.closed() || inner && !s.base.fn.Name.IsExported()) {
				s.through(among)
			}
		}
	}
	return more
}

// through finds the callers that stand for one function, and reports whether these
// are as many as may be. For one that could be driven alone these are the nearest, and of them those without a state.
func (s *subject) through(among []*comparison) bool {
	n, closed := 0, s.closed()
	nearest := math.MaxInt
	var stateful []*subject
	visit := func(c *comparison, d *decl, level int) bool {
		at := slices.IndexFunc(c.subjects, func(x *subject) bool { return x.base == d })
		now := c.cand.decls[d.key]
		switch {
		case at >= 0:
			x := c.subjects[at]
			if x.of == nil {
				return x.stuck()
			}
			if !slices.Contains(x.of, s) && n < mostThrough {
				n++
				x.of = append(x.of, s)
			}
			return false
		case n == mostThrough || level > nearest || now == nil || now.kind != funcDecl || !alike(d, now):
			return false
		}
		caller := &subject{c: c, base: d, cand: now, of: []*subject{s}}
		if !d.fn.Name.IsExported() || closed && caller.closed() || caller.whyNot() != "" {
			return true
		}
		if !closed && !s.stuck() {
			nearest = level
			if caller.keepsState() {
				stateful = append(stateful, caller)
				return false
			}
		}
		c.subjects = append(c.subjects, caller)
		n++
		return false
	}
	climb(s.base, false, among, visit)
	if n == 0 {
		for _, caller := range stateful[:min(len(stateful), mostThrough)] {
			caller.c.subjects = append(caller.c.subjects, caller)
			n++
		}
	}
	if closed && n < mostThrough { // then those that have to do with its receiver
		climb(s.base, true, among, visit)
	}
	return n == mostThrough
}

// climb shows the functions that name one, those that name them, and so on, the
// nearest first. Where visit reports false for one, it goes no further up. With
// byType it begins with those that name a method's receiver, too: what is called through
// an interface is not named.
func climb(from *decl, byType bool, among []*comparison, visit func(c *comparison, d *decl, level int) bool) {
	seen := map[*decl]bool{from: true}
	first := map[string]bool{from.fullName(): true}
	if byType {
		first[types.TypeString(code.Pointee(from.obj.Type().(*types.Signature).Recv().Type()), nil)] = true
	}
	for level, at := first, 1; len(level) > 0; at++ {
		next := make(map[string]bool)
		for _, c := range among {
			for _, d := range c.base.sorted(funcDecl) {
				if seen[d] || !c.base.names(d, level) {
					continue
				}
				if seen[d] = true; visit(c, d, at) {
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
func (s *side) names(d *decl, others map[string]bool) bool {
	return d.fn.Body != nil && code.Any(d.fn.Body, func(id *ast.Ident) bool {
		switch o := s.info.Uses[id].(type) {
		case *types.Func:
			return others[o.Origin().FullName()]
		case *types.TypeName:
			return others[types.TypeString(o.Type(), nil)]
		}
		return false
	})
}

// calledAs returns what a caller is called in what is said of a function that it
// stands for.
func (s *subject) calledAs(of *subject) string {
	if s.sequence() {
		return "a sequence of calls (" + s.cand.key + ")"
	}
	if s.c == of.c {
		return s.cand.key
	}
	return s.c.cand.pkg.Name() + "." + s.cand.key
}

// fold puts what was seen through callers to the functions that they stand for,
// and leaves the callers out.
func (r *runner) fold(list []model.Driven) []model.Driven {
	var out []model.Driven
	at := make(map[*subject]int)
	for id, s := range r.subjects {
		if s.of == nil {
			at[s] = len(out)
			out = append(out, list[id])
		}
	}
	through := make(map[*subject]int)     // pairs of their callers that were alike; far below 0 where one was not
	shared := make(map[*subject]bool)     // a caller may have its receiver used at the same time, as far as is known
	callers := make(map[*subject][]*decl) // those that were driven
	missed := make(map[*subject][]string)
	for id, s := range r.subjects {
		for n, of := range s.of {
			callers[of] = append(callers[of], s.base)
			shared[of] = shared[of] || !list[id].Concurrent && !strings.HasPrefix(list[id].NoConcurrent, baseRaces) && !r.mustRace(id, n)
		}
		if list[id].Skipped != "" && list[id].OK() {
			continue
		}
		for n, of := range s.of {
			from := list[id]
			if from.Pairs = r.pairsOf(id, n, from.Pairs); from.Pairs == 0 && from.OK() {
				missed[of] = append(missed[of], s.calledAs(of))
				continue
			}
			if through[of] += from.Pairs; !from.OK() {
				through[of] = math.MinInt32
			}
			s.foldInto(of, &out[at[of]], from)
		}
	}
	for s, by := range missed {
		if d := &out[at[s]]; d.Skipped != "" {
			d.Skipped += "; no input of " + strings.Join(by, ", ") + " got to it"
		}
	}
	for s, pairs := range through {
		alone := !shared[s] && s.only(callers[s])
		s.outOfReach(&out[at[s]], pairs, r.cfg.Pairs, alone)
		if r.cfg.Callers && s.skipped == "" && !s.base.fn.Name.IsExported() && pairs >= r.cfg.Pairs/2 {
			s.inside(&out[at[s]], pairs, callers[s])
		}
	}
	return out
}

// mustRace reports whether calls of a caller at the same time, on one receiver, are a race in the base where they get to the
// function with number n: all write to one part of what the receiver leads to, and nothing in the package orders them.
func (r *runner) mustRace(caller, n int) bool {
	d, s := r.found[caller], r.subjects[caller]
	return d != nil && n < len(d.writes) && d.writes[n] && s.of[n].c == s.c && s.c.base.unordered()
}

// unordered reports whether nothing in a package orders what goroutines do: it has none itself, no channel and no lock, and
// calls nothing but the standard library, which has no lock around a value of the caller's in what is used here.
func (s *side) unordered() bool {
	own, _, _ := strings.Cut(s.pkg.Path(), "/")
	for _, p := range s.pkg.Imports() {
		first, _, _ := strings.Cut(p.Path(), "/")
		if strings.Contains(first, ".") || first == own || p.Path() == "sync" || p.Path() == "sync/atomic" || slices.Contains(loud, first) && p.Path() != "os" {
			return false
		}
	}
	return !slices.ContainsFunc(s.files, func(f *file) bool {
		return code.Any(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
				return true
			case *ast.UnaryExpr:
				return n.Op == token.ARROW
			}
			return false
		})
	})
}

// pairsOf returns how many of the pairs of a caller got to the function with number n of those that it stands for: all of them
// where that was not looked at.
func (r *runner) pairsOf(caller, n, all int) int {
	s, d := r.subjects[caller], r.found[caller]
	switch {
	case n >= mostWatched || s.of[n].c != s.c:
		return all
	case d == nil || n >= len(d.reached):
		return 0
	}
	return min(all, d.reached[n])
}

// only reports whether other packages get to a function that only its own can call
// through these functions alone: those that name it, or what names it. What is
// called through an interface is not named.
func (s *subject) only(callers []*decl) bool {
	for _, obj := range s.c.base.info.Defs {
		if f, ok := obj.(*types.Func); ok && f.Name() == s.base.fn.Name.Name {
			if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				return false
			}
		}
	}
	all := len(callers) > 0
	climb(s.base, false, []*comparison{s.c}, func(c *comparison, d *decl, _ int) bool {
		now := c.cand.decls[d.key]
		inner := !d.fn.Name.IsExported() || now != nil && now.kind == funcDecl && (&subject{c: c, base: d, cand: now}).closed()
		all = all && (inner || slices.Contains(callers, d))
		return inner
	})
	return all
}

// outOfReach takes back what of a function was seen on inputs alone that pawl made
// up, where nobody but its own package can call it, and enough pairs through its
// callers are alike: an edge that is added twice, say, which no caller does. With
// alone, it is also what calls with one receiver at the same time showed: all callers
// were called at the same time, or may not be, and none of them showed it.
func (s *subject) outOfReach(d *model.Driven, pairs, enough int, alone bool) {
	unreached := func(x model.Difference) bool {
		return x.Generated && x.Kind != model.DiffDeleted || alone && isConcurrent(x)
	}
	if s.skipped != "" || ast.IsExported(s.cand.fn.Name.Name) || !s.closed() || pairs < enough/2 ||
		slices.ContainsFunc(d.Differences, func(x model.Difference) bool { return !unreached(x) }) {
		return
	}
	for _, x := range d.Differences {
		what := "inputs that pawl made up, and that"
		if isConcurrent(x) {
			what = "calls with one receiver at the same time, which"
		}
		d.Uncompared = append(d.Uncompared, fmt.Sprintf("%s did not come up in %d pairs through its callers: %s of the base %s, the candidate's %s",
			what, pairs, x.Where, x.Base, x.Candidate))
	}
	d.Differences = nil
}

// inside marks what only the package can see of a function that others cannot call: it differs when it is called alone,
// and enough pairs through its callers are alike. A person may let that through.
func (s *subject) inside(d *model.Driven, pairs int, callers []*decl) {
	marked := false
	for i := range d.Differences {
		x := &d.Differences[i]
		if slices.Contains(seenInside, x.Kind) && x.Consent() == "" {
			x.Where, marked = x.Where+model.InternalState, true
		}
	}
	if marked {
		var names []string
		for _, c := range callers {
			names = append(names, c.fn.Name.Name)
		}
		d.Uncompared = append(d.Uncompared, fmt.Sprintf("what else may call it: alone it differs, and %d pairs of its callers (%s) are equal", pairs, strings.Join(names, ", ")))
	}
}

// seenInside are the kinds of differences that a function's own package may make up for.
var seenInside = []model.DifferenceKind{model.DiffResult, model.DiffArgument, model.DiffError, model.DiffPanic}

// foldInto puts what was seen through a caller to one function that it stands for.
func (s *subject) foldInto(of *subject, to *model.Driven, from model.Driven) {
	as := s.calledAs(of)
	from.Differences = slices.Clone(from.Differences)
	for i := range from.Differences {
		from.Differences[i].Where = fmt.Sprintf("in its caller %s: %s", as, from.Differences[i].Where)
	}
	if of.skipped == "" && to.Skipped == "" { // it was driven itself, too
		to.Pairs += from.Pairs
		to.Differences = append(to.Differences, from.Differences...)
		return
	}
	if s.sequence() {
		from.Concurrent, from.NoConcurrent = false, "each sequence of calls makes values of its own"
	}
	only := fmt.Sprintf("what else than %s may call it with: %s", as, to.Skipped)
	if to.Skipped == "" { // another caller stands for it, too
		only = "what else than " + as + " may call it with"
		from.Pairs, from.Inputs = from.Pairs+to.Pairs, from.Inputs+to.Inputs
		from.Differences = slices.Concat(to.Differences, from.Differences)
		from.Uncompared = slices.Concat(to.Uncompared, from.Uncompared)
	}
	from.Func, from.At, from.Uncompared = to.Func, to.At, append(slices.Clone(from.Uncompared), only)
	*to = from
}
