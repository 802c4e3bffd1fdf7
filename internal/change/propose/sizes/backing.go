package sizes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Backing makes one array for what a loop makes one by one.
var Backing = prove.Transformation{
	Name: "backing-array",
	Doc: "A loop of known length that makes a struct on the heap in each iteration, or a slice of one length, and stores them together takes them from one array that is made before it. " +
		"So does one that makes a slice as long as the element that it is at, or as a field of that: a loop before it adds up the lengths. Two slices of one type and length that are made in a row are halves of one array.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "backing-array", "BenchmarkParse", "allocs", "one allocation instead of one for each element", 0),
	// It looks at what is made on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, e := range elementsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeBacking(s.Program, e)
			s.Add(e.typeText()+" is made one by one", ch, why)
		}
		for _, e := range rowsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeRows(e)
			s.Add(prove.Short(types.ExprString(e.expr))+" is made in each iteration", ch, why)
		}
		for _, h := range pairsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposePair(h)
			s.Add(prove.Short(types.ExprString(h.first.expr))+" is made twice in a row", ch, why)
		}
	}),
}

// maxElement is the largest struct, in bytes, for which one allocation instead
// of several saves more than it costs to keep all alive together.
const maxElement = 512

// An element is a struct, or a row of a matrix, that a statement of a loop's body makes.
type element struct {
	counter
	expr  ast.Expr          // &T{…} or new(T)
	lit   *ast.CompositeLit // of &T{…} with fields; nil if all are zero
	typ   ast.Expr          // T
	stmt  ast.Stmt          // in which it is made
	store *ast.AssignStmt   // that keeps the pointer; may be stmt
	v     *types.Var        // the variable that it is, whose address is kept; else nil
	value string            // the name that the loop's variable gets, where v was it
	loop  ast.Stmt
	body  *ast.BlockStmt
}

// elementsAt returns the structs that are made on a line, within a loop, and
// whose pointers a statement of its body stores.
func elementsAt(p *prove.Program, fn *prove.Function, line int) []*element {
	var found []*element
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		e := &element{counter: counter{p: p, fn: fn}, stmt: s}
		if loop, ok := s.(*ast.RangeStmt); ok && p.Pos(s.Pos()).Line == line && e.ranged(loop) {
			found = append(found, e)
			continue
		}
		body, ok := fn.File.Parent(s).(*ast.BlockStmt)
		if !p.Covers(s, line) || !ok || !e.in(body) {
			continue
		}
		a, ok := s.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && e.made(a) && e.stored(a) || e.variable(s) {
			found = append(found, e)
		}
	}
	return found
}

// in reads the loop that a block is the body of.
func (e *element) in(body *ast.BlockStmt) bool {
	e.body = body
	e.loop, _ = e.fn.File.Parent(body).(ast.Stmt)
	return e.loop != nil && e.fn.File.Loop(e.stmt) == body
}

// made reads what the statement makes: on its right, or as what it appends.
func (e *element) made(s *ast.AssignStmt) bool {
	info := e.fn.Info()
	x := appended(info, s)
	e.expr = x
	switch x := x.(type) {
	case *ast.UnaryExpr:
		lit, ok := x.X.(*ast.CompositeLit)
		if !ok || x.Op != token.AND || lit.Type == nil {
			return false
		}
		if e.typ = lit.Type; len(lit.Elts) > 0 {
			e.lit = lit
		}
	case *ast.CallExpr:
		if code.Builtin(info, x) != "new" || !info.Types[x.Args[0]].IsType() {
			return false
		}
		e.typ = x.Args[0]
	default:
		return false
	}
	_, isStruct := info.TypeOf(e.typ).Underlying().(*types.Struct)
	return isStruct
}

// appended returns the one element that a statement appends, else what it assigns.
func appended(info *types.Info, s *ast.AssignStmt) ast.Expr {
	x := ast.Unparen(s.Rhs[0])
	if a, ok := additionIn(info, s); ok && a.key == nil && a.n == 1 {
		x = ast.Unparen(x.(*ast.CallExpr).Args[1])
	}
	return x
}

// stored finds the statement of the body that stores the pointer in a slice or
// a map from outside the loop.
func (e *element) stored(s *ast.AssignStmt) bool {
	if s.Tok == token.ASSIGN {
		e.store = s
		return e.keeps(s, e.expr)
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || s.Tok != token.DEFINE || e.fn.Info().Defs[id] == nil {
		return false
	}
	return e.storedAs(func(x ast.Expr) bool { return prove.IsUseOf(e.fn.Info(), x, e.fn.Info().Defs[id]) })
}

// storedAs finds the statement of the body that stores what is asks for.
func (e *element) storedAs(is func(ast.Expr) bool) bool {
	for _, s := range e.body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.ASSIGN {
			continue
		}
		if x := appended(e.fn.Info(), a); (is(x) || fieldOf(x, is)) && e.keeps(a, x) {
			e.store = a
			return true
		}
	}
	return false
}

// fieldOf reports whether an expression is a struct, or the address of one, with a field that is set to what is asks for.
func fieldOf(x ast.Expr, is func(ast.Expr) bool) bool {
	if ref, ok := x.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		x = ref.X
	}
	lit, ok := x.(*ast.CompositeLit)
	return ok && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		field, ok := e.(*ast.KeyValueExpr)
		return ok && is(field.Value)
	})
}

// keeps reports whether a statement stores x as an element of something that
// was there before the loop.
func (e *element) keeps(a *ast.AssignStmt, x ast.Expr) bool {
	info := e.fn.Info()
	to := a.Lhs[0]
	if add, ok := additionIn(info, a); ok {
		to = add.to
	} else if index, ok := ast.Unparen(to).(*ast.IndexExpr); ok && ast.Unparen(a.Rhs[0]) == x {
		to = index.X
	} else {
		return false
	}
	root := code.RootIdent(to)
	if root == nil || info.Uses[root] == nil {
		return false
	}
	at := info.Uses[root].Pos()
	return at < e.loop.Pos() || at >= e.loop.End()
}

func proposeBacking(p *prove.Program, e *element) (*model.Change, *prove.Reason) {
	info, fn := e.fn.Info(), e.fn
	if code.StmtList(fn.File.Parent(e.loop)) == nil || code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse("the loop has a label, or the function uses goto")
	}
	t := info.TypeOf(e.typ)
	if code.IsTypeParam(t) || hasTypeParams(fn) {
		return nil, prove.Refuse("its size depends on a type parameter")
	}
	size := fn.File.Pkg.TypesSizes.Sizeof(t)
	switch {
	case size == 0:
		return nil, prove.Refuse("it takes no memory")
	case size > maxElement:
		return nil, prove.Refusef("%d bytes are too many to keep with others", size)
	}
	_, count, why := e.each()
	if why != nil {
		return nil, why
	}
	single, why := p.PointersFreeInArray(t)
	if why != nil {
		return nil, why
	}
	if why := e.ordered(); why != nil {
		return nil, why
	}
	if why := p.SetAgain(fn, e.body, e.v); e.v != nil && why != nil {
		return nil, why
	}
	name := e.typeText()
	return p.Change(fn, e.edits(count), model.Change{
		Kind:  "backing-array",
		Title: fmt.Sprintf("%s: make every %s of %s in one array", fn.File.Pkg.Name, name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "every iteration makes one " + name, How: "proven", Why: "it is made by a statement of the loop's body, and the loop ends early for errors only"},
			single,
			{Text: "the elements live and die together", How: "assumed", Why: "all are stored in " + types.ExprString(e.store.Lhs[0]) +
				"; a single one that is kept keeps the memory of all"},
		},
		Retains: fmt.Sprintf("all %s elements of %d bytes as long as one of them is referred to", count, size),
	})
}

func hasTypeParams(fn *prove.Function) bool {
	sig := fn.Obj.Signature()
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
}

// each returns what the loop's number of iterations comes from and its text,
// if every iteration makes an element.
func (e *element) each() (of ast.Expr, count string, why *prove.Reason) {
	early, exact := code.Exits(e.fn.Info(), e.body, e.stmt.Pos())
	if early {
		return nil, "", prove.Refuse("an iteration may end before it, or the loop may end early")
	}
	of, count, why = e.iterations(e.loop)
	if why != nil {
		return nil, "", why
	}
	if !e.bounded() {
		return nil, "", prove.Refuse(count + " may change in the loop: a call in it could set that")
	}
	if !exact && code.IsInteger(e.fn.Info().TypeOf(of)) {
		return nil, "", prove.Refuse(count + " may be much larger than what is made before an error")
	}
	if n, ok := (&sized{growing: &growing{counter: e.counter}}).length(of); ok && n <= fewElements {
		return nil, "", prove.Refusef("there are %d only", n)
	}
	return of, count, e.predeclared(count, e.loop)
}

// bounded reports whether the loop's condition compares with the same number in
// each iteration: one more of them would have no element. A range loop
// evaluates its number once.
func (e *element) bounded() bool {
	s, ok := e.loop.(*ast.ForStmt)
	if !ok {
		return true
	}
	n := ast.Unparen(s.Cond.(*ast.BinaryExpr).Y)
	if call, ok := n.(*ast.CallExpr); ok && code.Builtin(e.fn.Info(), call) == "len" {
		n = call.Args[0]
	}
	same, _ := (&prove.Invariant{Prog: e.p, Fn: e.fn, Stmt: s}).Same(n)
	return same
}

// ordered refuses statements in which making the element first would change
// the order of calls.
func (e *element) ordered() *prove.Reason {
	a, ok := e.stmt.(*ast.AssignStmt)
	if !ok || e.lit == nil {
		return nil
	}
	index, ok := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	if code.Acts(e.fn.Info(), index) && code.Acts(e.fn.Info(), e.lit) {
		return prove.Refuse("the place where it is stored and its fields are both worked out by calls")
	}
	return nil
}

// index returns the loop's index and the edits that name it; "" where the
// loop has none.
func (e *element) index() (string, []model.Edit) {
	info, f := e.fn.Info(), e.fn.File
	switch s := e.loop.(type) {
	case *ast.ForStmt:
		if id := s.Init.(*ast.AssignStmt).Lhs[0].(*ast.Ident); e.visible(id) {
			return id.Name, nil
		}
	case *ast.RangeStmt:
		if _, isMap := code.Core(info.TypeOf(s.X)).(*types.Map); isMap {
			return "", nil
		}
		id, ok := s.Key.(*ast.Ident)
		switch {
		case s.Key == nil:
			name := code.FreeLocal(e.loop, "i")
			return name, []model.Edit{e.p.Insert(f, s.Range, name+" := ")}
		case ok && id.Name == "_" && s.Tok == token.DEFINE:
			name := code.FreeLocal(e.loop, "i")
			return name, []model.Edit{e.p.Put(f, id.Pos(), id.End(), name)}
		case ok && s.Tok == token.DEFINE && !code.WrittenIn(info, s.Body, info.Defs[id]) && e.visible(id):
			return id.Name, nil
		}
	}
	return "", nil
}

// visible reports whether a name means the loop's index where the element is
// made.
func (e *element) visible(id *ast.Ident) bool {
	scope := e.fn.Obj.Pkg().Scope().Innermost(e.stmt.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(id.Name, e.stmt.Pos())
	return obj == e.fn.Info().Defs[id]
}

// typeText writes the element's type.
func (e *element) typeText() string {
	if e.value != "" {
		return e.p.TypeText(e.fn, e.v.Type(), nil)
	}
	return e.p.Source(e.fn.File, e.typ)
}

// edits makes the array before the loop and takes an element of it in each
// iteration: by the loop's index, or by appending to it within its capacity.
func (e *element) edits(count string) []model.Edit {
	f, p := e.fn.File, e.p
	all := code.FreeLocal(e.fn.Decl, "backing")
	typ := e.typeText()
	i, edits := e.index()
	value := typ + "{}"
	switch {
	case e.lit != nil:
		value = p.Source(f, e.lit)
	case e.value != "":
		value = e.value
	}
	made := fmt.Sprintf("%s := make([]%s, %s) // one allocation for all\n", all, typ, count)
	first, use := "", fmt.Sprintf("&%s[%s]", all, i)
	switch {
	case i == "":
		made = fmt.Sprintf("%s := make([]%s, 0, %s) // one allocation for all\n", all, typ, count)
		first, use = fmt.Sprintf("%s = append(%s, %s)\n", all, all, value), fmt.Sprintf("&%s[len(%s)-1]", all, all)
	case e.lit != nil || e.value != "":
		first = fmt.Sprintf("%s[%s] = %s\n", all, i, value)
	}
	edits = append(edits, p.Insert(f, e.loop.Pos(), made))
	if e.v != nil {
		return append(edits, e.pointed(first+e.v.Name()+" := "+use)...)
	}
	edits = append(edits, p.Put(f, e.expr.Pos(), e.expr.End(), use))
	if first != "" {
		edits = append(edits, p.Insert(f, e.stmt.Pos(), first))
	}
	return edits
}
