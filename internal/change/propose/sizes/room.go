package sizes

import (
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

// FirstRoom gives a slice that grows to a length that nobody knows room for several
// elements at its first.
var FirstRoom = prove.Transformation{
	Name:     "first-room",
	Doc:      "A slice that append fills from nothing or from a few, with as many elements as nobody knows before, gets room for as many as the benchmark's slices come to hold. It is made when the first is added, or where it is declared or made empty.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "first-room", "BenchmarkParse", "allocs", "one allocation for the words of a line", 0),
	// It looks at the appends on the target's line, which growth is attributed to.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		if Hinted(s.Program)[s.At] {
			return // how many there will be is known
		}
		for _, o := range openingsAt(s.Program, s.Fn, s.At.Line) {
			if room := o.room(s.Target); room > max(1, o.begins()) {
				ch, why := proposeFirstRoom(o, room)
				s.Add(types.ExprString(o.to)+" grows while it is filled", ch, why)
			}
		}
	}),
}

// The room that a slice gets: for how many elements where nothing is measured, or where what is
// measured has other allocations in it, and how many bytes it takes at most.
const (
	usualRoom = 8
	mixedRoom = 4
	mostRoom  = 1 << 10
)

// An opening is a statement that appends to a slice, which may be its first elements.
type opening struct {
	*growing
	stmt  *ast.AssignStmt
	call  *ast.CallExpr
	field *types.Var        // that the slice is, or nil
	entry bool              // it is an element of a map
	empty bool              // it is made empty, and never nil
	begin *ast.CompositeLit // with elements, that it begins as; nil where it begins empty

	makes []emptyField // where the field is made empty
}

// openingsAt returns the appends on a line that may be the first to a slice of several elements.
func openingsAt(p *prove.Program, fn *prove.Function, line int) (found []*opening) {
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if s := openingOf(p, fn, a); s != nil && p.Covers(a, line) && s.opens() {
			found = append(found, s)
		}
	}
	return found
}

// openingOf reads x = append(x, …); nil for other statements.
func openingOf(p *prove.Program, fn *prove.Function, a *ast.AssignStmt) *opening {
	info := fn.Info()
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 || code.StmtList(fn.File.Parent(a)) == nil {
		return nil
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "append" || len(call.Args) < 2 {
		return nil
	}
	to := ast.Unparen(a.Lhs[0])
	s := &opening{growing: &growing{counter: counter{p, fn, to}, typ: info.TypeOf(to)}, stmt: a, call: call}
	if m, key := mapElement(info, to); m != nil {
		_, again := mapElement(info, call.Args[0])
		s.entry = again != nil && code.SameVariable(info, m, m) && !code.Acts(info, key) && types.ExprString(to) == types.ExprString(call.Args[0])
		return only(s, s.entry)
	}
	if sel, ok := to.(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		s.field, _ = info.Uses[sel.Sel].(*types.Var)
	}
	return only(s, code.SameVariable(info, to, call.Args[0]))
}

func only(s *opening, ok bool) *opening {
	if !ok {
		return nil
	}
	return s
}

// opens reports whether the slice may be nil or empty at the statement, and have many elements later.
func (s *opening) opens() bool {
	if _, slice := code.Core(s.typ).(*types.Slice); !slice || s.roomy(s.field == nil && !s.entry) {
		return false
	}
	if s.entry || s.field != nil {
		return true
	}
	v := code.Var(s.fn.Info(), s.to)
	if v == nil || !code.Local(v) {
		return false
	}
	loop, lit := s.fn.File.Loop(s.stmt), s.fn.File.Literal(s.stmt)
	if (loop == nil || code.Declares(loop, v)) && (lit == nil || code.Declares(lit, v)) {
		return false // one element for each variable
	}
	if s.find(s.stmt) {
		s.empty = s.value != nil && !code.IsNil(s.fn.Info(), s.value)
		return true
	}
	for result := range s.fn.Obj.Signature().Results().Variables() {
		if result == v {
			return true
		}
	}
	spec, ok := s.fn.File.Parent(s.fn.Declaration(v)).(*ast.ValueSpec)
	return ok && len(spec.Values) == 0 || s.started(v)
}

// room returns for how many elements the slice is to have room at first. From a slice with room
// for one to one for 2^k, append makes k+1 slices with room for 2^(k+1)-1 in all: what the
// benchmark's slices have on average gives k. The first of a local variable is twice what the
// compiler puts on the stack, 32 bytes as of Go 1.26.
func (s *opening) room(t model.Target) int64 {
	elem := code.Core(s.typ).(*types.Slice).Elem()
	if code.Generic(elem) {
		return 0
	}
	size := s.fn.File.Pkg.TypesSizes.Sizeof(elem)
	if size == 0 {
		return 0
	}
	n := int64(usualRoom)
	switch {
	case s.call.Ellipsis.IsValid() && t.Bytes > 0: // half of the bytes are in the last array
		if n = t.Block / size; n*size <= 2*fewBytes {
			return 0
		}
	case s.call.Ellipsis.IsValid():
		n = max(n, 2*fewBytes/size)
	case t.Bytes > 0 && t.PerOp > 0:
		first := max(8/size, 1)
		if !s.entry && s.field == nil {
			first = max(64/size, 1)
		}
		first = max(first, int64(len(s.call.Args)-1)) // append makes room for what it adds
		each := t.Bytes / t.PerOp / float64(first*size)
		k := 0
		for float64(int64(1)<<(k+2)-1)/float64(k+2) <= each {
			k++
		}
		if k == 0 {
			return 0
		}
		n = first << k
	}
	if !s.call.Ellipsis.IsValid() && s.mixed(elem) {
		n = min(n, mixedRoom)
	}
	return min(n, mostRoom/size)
}

// mixed reports whether what is appended may be allocated on the line, too.
func (s *opening) mixed(elem types.Type) bool {
	info := s.fn.Info()
	return slices.ContainsFunc(s.call.Args[1:], func(a ast.Expr) bool {
		return types.IsInterface(elem) && !types.IsInterface(info.TypeOf(a)) || allocates(info, a)
	})
}

// allocates reports whether an expression may allocate outright, and not in what it calls.
func allocates(info *types.Info, e ast.Node) bool {
	return code.Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			return true
		case *ast.BinaryExpr:
			return code.IsString(info.TypeOf(n))
		case *ast.CallExpr:
			return info.Types[n.Fun].IsType() || code.Builtin(info, n) != ""
		}
		return false
	})
}

func proposeFirstRoom(s *opening, room int64) (*model.Change, *prove.Reason) {
	f, p := s.fn.File, s.p
	if code.Jumps(s.fn.Decl.Body) {
		return nil, prove.Refuse(s.fn.Obj.Name() + " uses goto")
	}
	if f.Commented(s.stmt) {
		return nil, prove.Refuse("there is a comment within the statement")
	}
	if !code.Predeclared(s.fn.Obj.Pkg(), s.stmt.Pos(), "make", "nil", "append", "len") {
		return nil, prove.Refuse("make, nil, append or len means something else there")
	}
	if s.begin != nil {
		return s.proposeStarted(room)
	}
	s.makes = s.emptyFields()
	obligations, why := s.argue(room)
	if why != nil {
		return nil, why
	}
	edits, why := s.edits(room)
	if why != nil {
		return nil, why
	}
	what := types.ExprString(s.to)
	return p.Change(s.fn, edits, model.Change{
		Kind:        "first-room",
		Title:       fmt.Sprintf("%s: give %s room for %d elements at its first in %s", f.Pkg.Name, what, room, s.fn.Obj.Name()),
		Obligations: obligations,
		Retains:     fmt.Sprintf("room for %d elements as long as %s lives, however few are added", room, what),
	})
}

// argue collects the obligations.
func (s *opening) argue(room int64) ([]model.Obligation, *prove.Reason) {
	what := types.ExprString(s.to)
	switch known := s.empty || len(s.makes) > 0 || s.unseen(); {
	case !known && s.entry && s.call.Ellipsis.IsValid():
		return nil, prove.Refuse("it stays nil where nothing is appended")
	case !known && texts(append(s.others(), s)):
		return nil, prove.Refuse("a string is appended to it at one of several places")
	}
	null := model.Obligation{Text: what + " is nil where it was nil before", How: "proven", Why: "it is made right before its first element is added"}
	switch {
	case s.empty, len(s.makes) > 0:
		null.Why = "it is made empty where it was made empty before"
	case s.unseen():
		null = model.Obligation{Text: what + " is empty where it was nil before", How: "proven", Why: "nothing can tell nil from empty"}
	}
	if why := s.shows(); why != nil {
		return nil, why
	}
	if at := s.copied(); at != "" {
		return nil, prove.Refuse("two values have the slice, as one is copied at " + at + ": both would append to the same room")
	}
	return []model.Obligation{
		null,
		{Text: "how much room " + what + " has does not show", How: "assumed", Why: "what append leaves is unspecified, so that nobody can rely on it"},
		{Text: what + fmt.Sprintf(" comes to hold about %d elements", room), How: "assumed", Why: "measurement decides whether that pays"},
	}, nil
}

// copied says where the struct whose field the slice is comes from another, or becomes another, which has the slice, too.
func (s *opening) copied() string {
	if s.field == nil {
		return ""
	}
	sel := s.to.(*ast.SelectorExpr)
	v := code.Var(s.fn.Info(), sel.X)
	if v == nil || !code.Local(v) || s.fn.Info().Selections[sel].Indirect() {
		return s.p.CopiedAt(s.fn.File.Pkg, s.field, nil)
	}
	switch at := s.fn.File.Parent(s.fn.Declaration(v)).(type) {
	case *ast.ValueSpec:
		if len(at.Values) == 0 {
			return ""
		}
	case *ast.AssignStmt:
		i := slices.IndexFunc(at.Lhs, func(l ast.Expr) bool { return l == s.fn.Declaration(v) })
		if len(at.Lhs) == len(at.Rhs) && i >= 0 {
			if _, literal := ast.Unparen(at.Rhs[i]).(*ast.CompositeLit); literal {
				return ""
			}
		}
	}
	return s.p.Pos(v.Pos()).String()
}

// isField reports whether an expression selects the field, be it from another check of its package.
func (s *opening) isField(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && s.isTheField(info.Uses[sel.Sel])
}

func (s *opening) isTheField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField() && v.Pos() == s.field.Pos() && v.Name() == s.field.Name()
}

// unseen reports whether the slice is declared alone, and nobody can tell whether it is nil: then it can be made
// where it is declared, on the stack if it does not escape.
func (s *opening) unseen() bool {
	v := code.Var(s.fn.Info(), s.to)
	if v == nil || s.made < 0 || s.made >= len(s.list) || s.value != nil || s.group {
		return false
	}
	_, declared := s.list[s.made].(*ast.DeclStmt)
	return declared && s.fn.Declaration(v) != nil && code.Declares(s.list[s.made], v) && outside(s.p.FlowOf(s.fn, v)) == ""
}

// edits write the make before the append, and before that what is appended where a call comes to it: the
// call may look at the slice.
func (s *opening) edits(room int64) ([]model.Edit, *prove.Reason) {
	p, f, what := s.p, s.fn.File, types.ExprString(s.to)
	made := fmt.Sprintf("make(%s, 0, %d)", p.TypeText(s.fn, s.typ, s.typed), room)
	if s.empty {
		return []model.Edit{p.Put(f, s.value.Pos(), s.value.End(), made)}, nil
	}
	if s.entry {
		list := code.FirstFree(s.fn.Decl, "list", "found", "all")
		if list == "" {
			return nil, prove.Refuse("no name is free for the slice")
		}
		before, edits, why := "", []model.Edit(nil), (*prove.Reason)(nil)
		if slices.ContainsFunc(s.call.Args[1:], s.runs) { // it may add to the entry, which is read after that
			before, edits, why = s.hoistedFor()
		}
		if why != nil {
			return nil, why
		}
		of := s.call.Args[0]
		return append(edits,
			p.Insert(f, s.stmt.Pos(), before+fmt.Sprintf("%[1]s := %[2]s\nif %[1]s == nil {\n\t%[1]s = %[3]s\n}\n", list, p.Source(f, of), made)),
			p.Put(f, of.Pos(), of.End(), list)), nil
	}
	switch {
	case len(s.makes) > 1:
		return nil, prove.Refusef("it is made empty at %d places", len(s.makes))
	case len(s.makes) == 1:
		return s.roomThere(s.makes[0], room)
	case s.unseen():
		decl := s.list[s.made]
		return []model.Edit{p.Put(f, decl.Pos(), decl.End(), what+" := "+made)}, nil
	}
	if sites := s.others(); len(sites) > 0 {
		return s.adderEdits(append(sites, s), room), nil
	}
	before, edits, why := s.hoisted()
	if why != nil {
		return nil, why
	}
	return append(edits, p.Insert(f, s.stmt.Pos(), fmt.Sprintf("%sif %s == nil%s {\n\t%s = %s\n}\n", before, what, s.any(before), what, made))), nil
}

// runs reports whether evaluating an expression runs code that may add to the slice.
func (s *opening) runs(e ast.Expr) bool {
	return code.Any(e, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !s.p.Harmless(s.fn.Info(), n)
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	})
}

// any is the condition that anything is appended at all, where that is open: what is spread may have been given a
// variable before.
func (s *opening) any(before string) string {
	if !s.call.Ellipsis.IsValid() {
		return ""
	}
	list, _, hoisted := strings.Cut(before, " := ")
	if !hoisted {
		list = s.p.Source(s.fn.File, s.call.Args[1])
	}
	return " && len(" + list + ") > 0"
}

// hoistedFor is hoisted for an entry of a map or an element, unless what is evaluated first may change which one it is: the
// compiler reads some keys before the call, and others behind it.
func (s *opening) hoistedFor() (before string, edits []model.Edit, why *prove.Reason) {
	info := s.fn.Info()
	if x, ok := s.to.(*ast.IndexExpr); ok && (code.Changeable(s.fn.File.Pkg.Index(), info, x.Index) || code.Any(x.Index, func(call *ast.CallExpr) bool {
		return !info.Types[call.Fun].IsType()
	})) {
		return "", nil, prove.Refusef("what is appended may change %s (%s)", types.ExprString(x.Index), s.p.Pos(x.Index.Pos()))
	} else if ok && s.replaced(x.X) {
		return "", nil, prove.Refusef("what is appended may change %s (%s)", types.ExprString(x.X), s.p.Pos(x.X.Pos()))
	}
	return s.hoisted()
}

// replaced reports whether what is appended may put another map in the place of one that a field or an element holds. The
// compiler reads that before the call; what holds a slice, and a variable, it reads behind it.
func (s *opening) replaced(m ast.Expr) bool {
	info := s.fn.Info()
	if _, ok := info.TypeOf(m).Underlying().(*types.Map); !ok || code.Var(info, m) != nil {
		return false
	}
	var through []*types.Var
	for n := range code.All[ast.Expr](m) {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.StarExpr, *ast.CallExpr:
			return true
		case *ast.Ident:
			if v := code.Var(info, n); v != nil {
				through = append(through, v)
			}
		}
	}
	return slices.ContainsFunc(s.call.Args[1:], func(a ast.Expr) bool {
		stores := code.Stores(info, a, through, true) != nil
		for fn := range s.p.Reached(s.p.EdgesIn(s.fn, a)) {
			stores = stores || code.Stores(fn.Info(), fn.Decl.Body, through, true) != nil
		}
		return stores
	})
}

// hoisted gives what calls come to, of what is appended, variables of their own, and what may panic where somebody
// would see then that the slice has been made.
func (s *opening) hoisted() (before string, edits []model.Edit, why *prove.Reason) {
	p, f, info := s.p, s.fn.File, s.fn.Info()
	args := s.call.Args[1:]
	names := [][]string{{"item", "next", "one"}}
	if len(args) > 1 {
		names = [][]string{{"first", "one"}, {"second", "another"}}
	}
	for i, a := range args {
		acts := code.Acts(info, a)
		if !acts && (s.entry || s.halfDone(a) == nil) {
			continue
		}
		name := ""
		if i < len(names) {
			name = code.FirstFree(s.fn.Decl, names[i]...)
		}
		switch ast.Unparen(a).(type) {
		case *ast.CallExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr,
			*ast.StarExpr, *ast.TypeAssertExpr:
		default:
			name = ""
		}
		for _, other := range args {
			if acts && !code.Acts(info, other) && info.Types[other].Value == nil {
				name = "" // which of the two is evaluated first is open
			}
		}
		if name == "" {
			return "", nil, prove.Refuse(types.ExprString(a) + " cannot be evaluated in a statement of its own")
		}
		before += name + " := " + p.Source(f, a) + "\n"
		edits = append(edits, p.Put(f, a.Pos(), a.End(), name))
	}
	return before, edits, nil
}
