package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// setups asks for work that was moved to where no timer runs.
type setups struct{ *pair }

// setup names work that runs outside the timed region in the candidate: before
// main, in a constructor, or on the first call only.
func (p setups) setup(u *unit) {
	for _, n := range u.nodes {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				if p.isNewText(u, n) && !p.lessText(u, n) {
					p.add(model.SuspectSetup, n.Name, "func init is new or differs: it runs before the benchmark")
				}
				continue
			}
			p.onFirstCall(u, n)
		case *ast.ValueSpec:
			if u.init && p.isNewText(u, n) {
				p.initialised(u, n)
			}
		}
	}
	p.constructor(u)
}

// lessText reports whether an init function is one of the base's without the statements that gave package variables
// that are gone a literal: what is left does what it did.
func (p setups) lessText(u *unit, n *ast.FuncDecl) bool {
	old := p.base.units[u.key]
	return old != nil && n.Body != nil && slices.ContainsFunc(old.nodes, func(o ast.Node) bool {
		was, ok := o.(*ast.FuncDecl)
		if !ok || was.Body == nil {
			return false
		}
		var left []string
		for _, s := range was.Body.List {
			if !makesGone(old, u, s) {
				left = append(left, p.base.text(s))
			}
		}
		return slices.EqualFunc(left, n.Body.List, func(text string, s ast.Stmt) bool { return text == p.cand.text(s) })
	})
}

// makesGone reports whether a statement gives a package variable that the candidate does not have a literal in which
// nothing is called.
func makesGone(old, u *unit, s ast.Stmt) bool {
	set, ok := s.(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
		return false
	}
	id, ok := set.Lhs[0].(*ast.Ident)
	_, lit := set.Rhs[0].(*ast.CompositeLit)
	calls := code.Any(set.Rhs[0], func(*ast.CallExpr) bool { return true })
	return ok && lit && !calls && old.pkg.Types.Scope().Lookup(id.Name) == old.info().Uses[id] &&
		u.pkg.Types.Scope().Lookup(id.Name) == nil
}

// bigTable is how many elements, or kilobytes, a literal may have before it
// counts as work that was done beforehand.
const bigTable = 1024

// initialised names a package variable whose initialiser runs code. Error
// values and tables that the compiler lays out cost nothing.
func (p setups) initialised(u *unit, s *ast.ValueSpec) {
	for _, v := range s.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if p.runs(u.info(), n) && !p.paidEachCall(u, n) {
					p.add(model.SuspectSetup, s, s.Names[0].Name+" is worked out before the benchmark")
				}
			case *ast.CompositeLit:
				_, isMap := typeOf(u.info(), n).(*types.Map)
				if len(n.Elts) >= bigTable || isMap && len(n.Elts) > 64 {
					p.add(model.SuspectSetup, s, "a large table: what is in it was worked out beforehand")
				}
			case *ast.BasicLit:
				if len(n.Value) >= bigTable*4 {
					p.add(model.SuspectSetup, s, "a large table: what is in it was worked out beforehand")
				}
			}
			return true
		})
	}
}

func typeOf(info *types.Info, e ast.Expr) types.Type {
	t := info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

// runs reports whether a call runs code worth naming: no conversion, no
// builtin, and no making of an error value.
func (p setups) runs(info *types.Info, c *ast.CallExpr) bool {
	if tv, ok := info.Types[c.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return false
	}
	name := calleeName(info, c)
	return !errorMakers[name] && name != "errors.Join" && name != "reflect.TypeOf" && name != "reflect.TypeFor"
}

// errorMakers are functions that make an error of a text.
var errorMakers = map[string]bool{
	"errors.New": true, "fmt.Errorf": true, "github.com/pkg/errors.New": true, "github.com/pkg/errors.Errorf": true,
	"golang.org/x/xerrors.New": true, "golang.org/x/xerrors.Errorf": true,
	"github.com/cockroachdb/errors.New": true, "github.com/cockroachdb/errors.Newf": true,
}

// fixedMakers are functions that make, of constants, what nobody changes and several goroutines may use.
var fixedMakers = map[string]bool{
	"regexp.MustCompile": true, "regexp.MustCompilePOSIX": true, "strings.NewReplacer": true,
	"net/netip.MustParseAddr": true, "net/netip.MustParsePrefix": true, "net/netip.MustParseAddrPort": true,
}

// paidEachCall reports whether a function of the base's package makes the same of the same constants whenever it is
// called: start-up then pays what one call paid.
func (p setups) paidEachCall(u *unit, call *ast.CallExpr) bool {
	name := calleeName(u.info(), call)
	if !fixedMakers[name] || call.Ellipsis.IsValid() {
		return false
	}
	for _, old := range p.base.units {
		if old.fn == nil || old.fn.Body == nil || old.pkg.PkgPath != u.pkg.PkgPath || old.fn.Recv == nil && (old.fn.Name.Name == "init" || old.fn.Name.Name == "main") {
			continue
		}
		same := func(c *ast.CallExpr) bool {
			return calleeName(old.info(), c) == name && slices.EqualFunc(c.Args, call.Args, func(a, b ast.Expr) bool {
				x, y := old.info().Types[a].Value, u.info().Types[b].Value
				return x != nil && y != nil && x.ExactString() == y.ExactString()
			})
		}
		if code.Any(old.fn.Body, same) {
			return true
		}
	}
	return false
}

// calleeName names the function that a call names, or "".
func calleeName(info *types.Info, c *ast.CallExpr) string {
	if o := typeutil.Callee(info, c); o != nil && o.Pkg() != nil {
		return objectName(o)
	}
	return ""
}

// onFirstCall names a branch that runs once: its condition asks for state
// that it sets itself, and it calls something.
func (p setups) onFirstCall(u *unit, fn *ast.FuncDecl) {
	for s := range code.All[*ast.IfStmt](fn) {
		state := p.stateIn(u, s.Cond)
		if state == nil || !p.isNew(u, s) || !unset(u.info(), s.Cond) {
			continue
		}
		sets, works := false, false
		for n := range code.All[ast.Node](s.Body) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					sets = sets || n.Tok == token.ASSIGN && refersTo(u.info(), l, state)
				}
			case *ast.CallExpr:
				name := calleeName(u.info(), n)
				works = works || p.runs(u.info(), n) && name != ""
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Store" {
					sets = sets || refersTo(u.info(), sel.X, state)
				}
			case *ast.ForStmt, *ast.RangeStmt:
				works = true
			}
		}
		if sets && works {
			p.add(model.SuspectSetup, s.Cond, "work that only the first call does: the benchmark's other calls do without")
		}
	}
}

// unset reports whether a condition asks whether something is still nil,
// false or zero.
func unset(info *types.Info, cond ast.Expr) bool {
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return c.Op == token.NOT
	case *ast.BinaryExpr:
		if c.Op == token.LAND || c.Op == token.LOR {
			return unset(info, c.X) || unset(info, c.Y)
		}
		if c.Op != token.EQL {
			return false
		}
		for _, side := range []ast.Expr{c.X, c.Y} {
			if tv := info.Types[side]; tv.IsNil() || tv.Value != nil && (tv.Value.String() == "0" || tv.Value.String() == "false" || tv.Value.String() == `""`) {
				return true
			}
		}
	}
	return false
}

// stateIn returns a package variable or field that an expression reads and
// that the base does not have, or does not read here.
func (p setups) stateIn(u *unit, e ast.Expr) types.Object {
	for id := range code.All[*ast.Ident](e) {
		if v, ok := u.info().Uses[id].(*types.Var); ok && !isLocal(v) && p.isNewState(v) {
			return v
		}
	}
	return nil
}

var constructorName = regexp.MustCompile(`^(New|new|Make|make|Open|open|Must|Compile|Load|load|Build|Prepare|prepare|SetUp|Setup|setup|Init|init|Create|Dial|With)([A-Z0-9_].*)?$`)

// constructor names work that moved into a function which only runs in the
// set-up: as the benchmarks' coverage says, or as its name does.
func (p setups) constructor(u *unit) {
	old := p.base.units[u.key]
	if old == nil || u.fn == nil || old.fn == nil {
		return
	}
	from := p.base.pos(old.fn.Pos())
	to := p.base.pos(old.fn.End())
	if p.Timed != nil && p.Timed(from.File, from.Line, to.Line) {
		return // what it does is paid for
	}
	covered := p.SetUp != nil && p.SetUp(from.File, from.Line, to.Line)
	if !covered && !(constructorName.MatchString(u.fn.Name.Name) && p.makesValue(u)) {
		return
	}
	inPlace := !covered && len(u.facts["calls"]) < len(old.facts["calls"]) && p.alone(u) // as a loop of a call: nothing moved here
	again := func(key string) bool { return !inPlace && u.turns(u.facts[key]) > old.turns(old.facts[key]) }
	if loops := u.facts["loop"]; len(loops) > len(old.facts["loop"]) && !inPlace || again("loop") {
		p.add(model.SuspectSetup, loops[len(loops)-1].node, u.name+" has a loop that it did not have: work that is done before the timed calls")
		return
	}
	parted := p.parted(u, old)
	more := len(u.facts["calls"]) > len(old.facts["calls"]) // one call in the place of another is no more work
	for key, facts := range u.facts {
		name, ok := strings.CutPrefix(key, "use ")
		repeated := len(facts) <= len(old.facts[key]) && again(key)
		if !ok || len(facts) <= len(old.facts[key]) && !repeated || !isFunction(u, facts[0].node) {
			continue
		}
		moved := p.spare[key] > 0
		fresh := p.cand.decls[name] != nil && p.base.decls[name] == nil && !parted
		if covered && more || moved || fresh || repeated {
			if c := p.stmtOf(u, facts[0].node); !errorMakers[name] {
				often := ""
				if repeated {
					often = " in a loop"
				}
				p.add(model.SuspectSetup, c, u.name+" calls "+plainName(name)+often+", which it did not: work that is done before the timed calls")
			}
		}
	}
}

// parted reports whether the new functions that u calls do no more, all together, than what u did itself in the base, or called
// functions for that are gone.
func (p setups) parted(u, old *unit) bool {
	now, work := p.cand.whole(u, p.base)
	before, _ := p.base.whole(old, p.cand)
	return now != nil && !oneIs(work, func(key string) bool { return work[key] && now[key] > before[key] })
}

// whole counts the facts of a function with those of the functions that it calls and that the other program does not have. It also
// returns which facts of the latter are work. Who gets such a function may call it again and again: then nothing is counted.
func (p *program) whole(u *unit, other *program) (counts map[string]int, work map[string]bool) {
	called := make(map[ast.Node]bool)
	for c := range all[*ast.CallExpr](u) {
		called[calledIdent(c)] = true
	}
	counts, work = map[string]int{inTurns: u.turns(slices.Concat(u.facts["calls"], u.facts["loop"]))}, map[string]bool{inTurns: true}
	for key, facts := range u.facts {
		counts[key] += len(facts)
		name, _ := strings.CutPrefix(key, "use ")
		helper := p.decls[name]
		if helper == nil || other.decls[name] != nil || !isFunction(u, facts[0].node) {
			continue
		}
		if slices.ContainsFunc(facts, func(f fact) bool { return !called[f.node] }) {
			return nil, nil
		}
		counts["calls"] -= len(facts)
		counts[inTurns] += u.turns(facts)*(helper.work()-1) + len(facts)*helper.turns(slices.Concat(helper.facts["calls"], helper.facts["loop"]))
		for key, of := range helper.facts {
			counts[key] += len(facts) * len(of)
			work[key] = work[key] || key == "calls" || key == "loop" || strings.HasPrefix(key, "use ") && isFunction(helper, of[0].node)
		}
	}
	return counts, work
}

// inTurns counts calls and loops for each loop around them.
const inTurns = "in turns"

// work is how many calls and loops a unit has.
func (u *unit) work() int { return len(u.facts["calls"]) + len(u.facts["loop"]) }

// turns counts facts for each loop that runs them again and again.
func (u *unit) turns(facts []fact) (n int) {
	for _, l := range u.facts["loop"] {
		again := []ast.Node{l.node}
		switch l := l.node.(type) {
		case *ast.ForStmt:
			again = []ast.Node{l.Body, l.Cond, l.Post}
		case *ast.RangeStmt:
			again = []ast.Node{l.Body}
		}
		for _, f := range facts {
			if f.node != l.node && slices.ContainsFunc(again, func(part ast.Node) bool { return part != nil && part.Pos() <= f.at && f.at < part.End() }) {
				n++
			}
		}
	}
	return n
}

// calledIdent returns the name that a call calls, or nil.
func calledIdent(c *ast.CallExpr) ast.Node {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

// alone reports whether a function is all of its package that the change touches,
// imports aside.
func (p setups) alone(u *unit) bool {
	for key, old := range p.base.units {
		if key != u.key && old.name != "imports" && (p.cand.units[key] == nil || p.cand.units[key].text != old.text) {
			return false
		}
	}
	for key, now := range p.cand.units {
		if p.base.units[key] == nil && now.name != "imports" {
			return false
		}
	}
	return true
}

// isFunction reports whether a node names a function, or a package variable that holds one.
func isFunction(u *unit, n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	if !ok {
		return false
	}
	switch o := u.info().Uses[id].(type) {
	case *types.Func:
		return true
	case *types.Var:
		_, ok = o.Type().Underlying().(*types.Signature)
		return ok && !isLocal(o) && !o.IsField()
	}
	return false
}

// makesValue reports whether a function returns a type of the module.
func (p setups) makesValue(u *unit) bool {
	if u.obj == nil {
		return false
	}
	for r := range u.obj.Signature().Results().Variables() {
		if named, ok := types.Unalias(code.Pointee(r.Type())).(*types.Named); ok && p.cand.mine(named.Obj()) {
			return true
		}
	}
	return false
}
