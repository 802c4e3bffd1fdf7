package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A begun slice is declared with elements, and has no room for those that later statements append.
type begun struct {
	*growing
	v     *types.Var
	names []*types.Var // it, and w of w := append(v, …) where nothing uses v any more
	n     ast.Expr     // of make([]T, n), whose type is typed, or nil
	start joining      // what else it begins with
	grows []*ast.CallExpr
	from  int       // index of the statement before which it is made; made for where it is now
	last  token.Pos // where the last of these ends
	more  total     // what is appended, as far as it is known where the slice is made
	exact bool      // as many are appended as are known, or more than there is room for
	clip  int       // index of the statement behind which it is cut to its length, 0 where it is not
}

// begunAt returns the begun slices of a function that are made or extended on the site's line.
func begunAt(s *prove.Site) []*begun {
	var found []*begun
	for a := range code.All[*ast.AssignStmt](s.Fn.Decl.Body) {
		b := beginning(s.Program, s.Fn, a)
		if b != nil && (s.Covers(a, s.At.Line) || slices.ContainsFunc(b.grows, func(c *ast.CallExpr) bool { return s.Covers(c, s.At.Line) })) {
			found = append(found, b)
		}
	}
	return found
}

// beginning reads v := make([]T, n) and the like, where v is then extended; nil for other statements.
func beginning(p *prove.Program, fn *prove.Function, a *ast.AssignStmt) *begun {
	info := fn.Info()
	name, _, value := code.Declared(a)
	if name == nil {
		return nil
	}
	b := &begun{growing: &growing{counter: counter{p: p, fn: fn}, value: value}}
	b.v, _ = info.Defs[name].(*types.Var)
	if b.v == nil || !b.reads(ast.Unparen(value)) {
		return nil
	}
	b.list, b.typ = code.StmtList(fn.File.Parent(a)), b.v.Type()
	if b.made = slices.Index(b.list, ast.Stmt(a)); b.made < 0 {
		return nil
	}
	b.follow(b.v, b.list[b.made+1:])
	if b.to == nil {
		return nil
	}
	return b
}

// follow notes what extends a name of the slice in the statements behind its declaration.
func (b *begun) follow(v *types.Var, list []ast.Stmt) {
	b.names = append(b.names, v)
	for call := range code.All[*ast.CallExpr](&ast.BlockStmt{List: list}) {
		slice, _ := b.p.Appending(b.fn.Info(), call)
		if to, ok := slice.(*ast.Ident); ok && b.fn.Info().Uses[to] == v {
			if b.to == nil {
				b.to = to
			}
			b.grow(call)
		}
	}
	for i, s := range list {
		name, _, value := code.Declared(s)
		later := &ast.BlockStmt{List: list[i+1:]}
		if w, ok := b.fn.Info().Defs[name].(*types.Var); ok && b.extends(value) && types.Identical(w.Type(), b.typ) && !code.Mentions(b.fn.Info(), later, v) {
			b.follow(w, later.List)
			return
		}
	}
}

// grow notes an extension, and those of what it returns.
func (b *begun) grow(call *ast.CallExpr) {
	b.grows = append(b.grows, call)
	b.last = max(b.last, call.End())
	if outer, ok := b.fn.File.Parent(call).(*ast.CallExpr); ok && code.Builtin(b.fn.Info(), outer) == "append" && outer.Args[0] == ast.Expr(call) {
		b.grow(outer)
	}
}

// reads takes the value apart that the slice is declared with. It is false for an empty one.
func (b *begun) reads(value ast.Expr) bool {
	info := b.fn.Info()
	b.start = joining{p: b.p, fn: b.fn}
	call, ok := value.(*ast.CallExpr)
	switch {
	case !ok:
		_, lit := value.(*ast.CompositeLit)
		return lit && b.start.begins(value) && len(b.start.parts) > 0
	case code.Builtin(info, call) == "make":
		if _, slice := code.Core(info.TypeOf(call)).(*types.Slice); !slice || len(call.Args) != 2 || code.MadeEmpty(info, call) != nil {
			return false
		}
		b.typed, b.n = call.Args[0], ast.Unparen(call.Args[1])
		return true
	case code.Builtin(info, call) == "append":
		return b.start.read(call)
	}
	return b.start.begins(call) && len(b.start.parts) > 0
}

func proposeBegun(b *begun) (*model.Change, *prove.Reason) {
	f := b.fn.File
	switch elem := code.Core(b.typ).(*types.Slice).Elem(); {
	case code.Jumps(b.fn.Decl.Body):
		return nil, prove.Refuse(b.fn.Obj.Name() + " uses goto")
	case f.Commented(b.value) && ast.Expr(b.start.lit) != b.value:
		return nil, prove.Refuse("there is a comment where it is made")
	case code.Generic(elem) || f.Pkg.TypesSizes.Sizeof(elem) == 0:
		return nil, prove.Refuse("its elements take no memory, or are of any type")
	}
	if why := cmp.Or(b.again(), b.count()); why != nil {
		return nil, why
	}
	if at := b.list[b.from]; !code.Predeclared(b.fn.Obj.Pkg(), at.Pos(), "len", "append") {
		return nil, prove.Refuse("len or append means something else there")
	} else if why := b.predeclared(b.more.size(), at); why != nil {
		return nil, why
	}
	obligations, why := b.argue()
	if why != nil {
		return nil, why
	}
	ch := model.Change{
		Kind:        "append-new",
		Title:       fmt.Sprintf("%s: make %s in %s with room for what is appended to it", f.Pkg.Name, b.v.Name(), b.fn.Obj.Name()),
		Obligations: obligations,
	}
	if b.more.fewer != "" {
		ch.Retains = fmt.Sprintf("room for %s more elements as long as %s lives, however few are added", b.more.size(), b.v.Name())
	}
	return b.p.Change(b.fn, b.edits(), ch)
}

func (b *begun) edits() []model.Edit {
	f, s := b.fn.File, b.list[b.made]
	var edits []model.Edit
	if b.clip > 0 {
		_, end := b.p.LineOf(f, b.list[b.clip])
		edits = []model.Edit{b.p.Edit(f, end, end, strings.ReplaceAll("v = v[:len(v):len(v)]\n", "v", b.names[len(b.names)-1].Name()))}
	}
	if b.from == b.made {
		return append(edits, b.p.Put(f, b.value.Pos(), b.value.End(), b.text()))
	}
	start, end := b.p.LineOf(f, s)
	rest := strings.TrimRight(string(f.Src[b.p.Offset(s.End()):end]), "\n")
	return append(edits, b.p.Edit(f, start, end, ""), b.p.Insert(f, b.list[b.from].Pos(), b.v.Name()+" := "+b.text()+rest+"\n"))
}

// text writes the slice with the room: make([]T, n, n+more), or calls of append.
func (b *begun) text() string {
	if b.n == nil {
		return b.start.room(b.more)
	}
	n, all := b.p.Source(b.fn.File, b.n), b.more
	_, digits := b.n.(*ast.BasicLit) // a named constant may be another elsewhere
	if k, known := prove.ConstInt(b.fn.Info(), b.n); digits && known {
		all.fixed += int(k)
		return fmt.Sprintf("make(%s, %s, %s)", b.p.Source(b.fn.File, b.typed), n, all.size())
	}
	return fmt.Sprintf("make(%s, %s, %s+%s)", b.p.Source(b.fn.File, b.typed), n, n, all.size())
}

// again says why what the slice begins with cannot be counted where it is made.
func (b *begun) again() *prove.Reason {
	info := b.fn.Info()
	for _, a := range b.start.parts {
		if a.all != nil && !b.start.plain(a.all) {
			return prove.Refuse(prove.Short(types.ExprString(a.all)) + " would be evaluated twice")
		}
	}
	if b.n == nil || info.Types[b.n].Value != nil {
		return nil
	}
	if !types.Identical(info.TypeOf(b.n), types.Typ[types.Int]) || !b.sum(b.n) {
		return prove.Refuse(prove.Short(types.ExprString(b.n)) + " would be evaluated twice")
	}
	return nil
}

// sum reports whether an expression adds up and multiplies variables, lengths and constants alone.
func (b *begun) sum(e ast.Expr) bool {
	info := b.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.MUL || e.Op == token.SUB) && b.sum(e.X) && b.sum(e.Y)
	case *ast.CallExpr:
		return code.Builtin(info, e) == "len" && code.Countable(info, e.Args[0]) != nil
	default:
		return info.Types[e].Value != nil || code.Place(e)
	}
}

// count adds up what the statements behind the declaration append, as far as that is known there, or before the first that
// uses the slice.
func (b *begun) count() *prove.Reason {
	b.from = b.made
	why := b.known()
	if why != nil && b.later() {
		if b.known() == nil {
			why = nil
		}
	}
	if why == nil {
		why = (&sized{growing: b.growing, total: b.more}).integer()
	}
	return why
}

// known adds up what is known where the slice is made. It must be known of the first statement that appends to it.
func (b *begun) known() *prove.Reason {
	b.exact, b.more = true, total{}
	for i := b.from; i < len(b.list); i++ {
		one, why := b.appends(b.list[i])
		if why != nil {
			one = total{}
		} else {
			one, why = b.there(one, i)
		}
		switch {
		case one.fixed > 0 || len(one.parts) > 0:
			b.more.add(one)
		case why != nil && b.more.fixed == 0 && len(b.more.parts) == 0:
			return why
		}
	}
	if b.more.fixed == 0 && len(b.more.parts) == 0 {
		return prove.Refuse("the number of elements that are appended is not known")
	}
	b.exact = b.exact && b.more.fewer == ""
	return nil
}

// later moves the place where the slice is made to the first statement that uses it, and reports whether that can be: it begins
// with constants.
func (b *begun) later() bool {
	info, s := b.fn.Info(), b.list[b.made]
	i := slices.IndexFunc(b.list[b.made+1:], func(s ast.Stmt) bool { return b.named(s) > 0 })
	constant := func(e ast.Expr) bool { return info.Types[e].Value != nil }
	if i <= 0 || b.n != nil && !constant(b.n) || !ownLine(b.p, b.fn.File, s) || code.Hidden(info, b.fn.Obj.Pkg(), b.value, b.list[b.made+1+i].Pos()) != "" {
		return false
	}
	for _, a := range b.start.parts {
		if a.all != nil && !constant(a.all) || slices.ContainsFunc(a.elems, func(e ast.Expr) bool { return !constant(e) }) {
			return false
		}
	}
	b.from = b.made + 1 + i
	return true
}

// appends counts what a statement appends: as other slices are filled, or by what it returns, or by a function that appends
// a number.
func (b *begun) appends(s ast.Stmt) (total, *prove.Reason) {
	info := b.fn.Info()
	for _, v := range b.names {
		for id := range prove.UsesIn(info, s, v) {
			b.to = id
		}
	}
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ReturnStmt:
		for _, r := range s.Results {
			if b.extends(r) {
				e = r
			}
		}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			e = s.Rhs[0]
		}
	}
	if !b.extends(e) {
		return b.stmt(s)
	}
	call := e.(*ast.CallExpr)
	if n := numberSize(info, call); n > 0 {
		return total{fixed: n, least: n}, nil
	}
	if a, ok := appendIn(info, b.to, call); ok {
		return b.direct(s, a)
	}
	return total{}, prove.Refuse("how many elements " + prove.Short(types.ExprString(call.Fun)) + " appends is not known")
}

// numberSize is how many bytes a method of package binary appends, 0 for other calls.
func numberSize(info *types.Info, call *ast.CallExpr) int {
	if fn := code.Callee(info, call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "encoding/binary" {
		return map[string]int{"AppendUint16": 2, "AppendUint32": 4, "AppendUint64": 8}[fn.Name()]
	}
	return 0
}

// there leaves out what is not known where the slice is made, of what a statement of the list appends.
func (b *begun) there(one total, i int) (total, *prove.Reason) {
	var parts []part
	var missing *prove.Reason
	for _, p := range one.parts {
		why := b.at(p.of, b.from, i)
		if p.found {
			why = prove.Refuse("only " + types.ExprString(p.of) + " tells how many elements are appended")
		}
		if why != nil {
			missing = cmp.Or(missing, why)
			continue
		}
		b.exact = b.exact && p.stmt == b.list[i] && b.counts(p) && (!b.shared(p.of) || b.straight(b.from, i))
		parts = append(parts, p)
	}
	one.parts = parts
	return one, missing
}

// counts reports whether as much is added as a part says: a loop over a map may delete entries, and one with a condition may
// go in steps.
func (b *begun) counts(p part) bool {
	_, loop := p.stmt.(*ast.ForStmt)
	_, isMap := code.Core(b.fn.Info().TypeOf(p.of)).(*types.Map)
	return !loop && !isMap
}

// argue collects the obligations.
func (b *begun) argue() ([]model.Obligation, *prove.Reason) {
	what := b.v.Name()
	fl := b.p.FlowOf(b.fn, b.v)
	seen := outside(fl)
	room := model.Obligation{Text: "how much room it has does not show", How: "assumed", Why: "what append leaves is unspecified, so that nobody can rely on it"}
	if seen != "" && !b.exact && b.more.least == 0 {
		if !b.clips(fl) {
			return nil, prove.Refusef("%s, and has more room than before where nothing is appended", seen)
		}
		room.How, room.Why = "proven", "it is cut to its length before anything else has it"
	}
	null := model.Obligation{Text: what + " is never nil, as before", How: "proven", Why: "it begins with an element, or is made"}
	if b.n == nil && !b.start.never && !slices.ContainsFunc(b.start.parts, func(a joined) bool { return len(a.elems) > 0 }) {
		if seen != "" {
			return nil, prove.Refuse("it is nil where all that is appended is empty")
		}
		null = model.Obligation{Text: what + " is empty where it was nil before", How: "proven", Why: "nothing can tell nil from empty"}
	}
	if why := b.alone(fl); why != nil {
		return nil, why
	}
	full := model.Obligation{Text: fmt.Sprintf("%s comes to hold %s more elements", what, b.more.size()), How: "proven", Why: "the statements behind it append as many"}
	if !b.exact {
		full.How, full.Why = "assumed", cmp.Or(b.more.fewer, "lengths seldom change until then")+"; measurement decides whether that pays"
	}
	return []model.Obligation{
		null,
		{Text: "nothing else has its memory before all is appended", How: "proven",
			Why: "until then it is one variable's alone, so that nobody sees whether append moves it"},
		room,
		full,
	}, nil
}
