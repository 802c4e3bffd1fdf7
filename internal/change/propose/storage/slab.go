package storage

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

// Slab takes structs that a method makes one by one from an array that the receiver holds.
var Slab = prove.Transformation{
	Name:     "slab",
	Doc:      "A small struct that a method of a parser or the like makes on the heap, again and again, is taken from an array of several that the receiver holds.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "slab", "BenchmarkParse", "allocs", "one allocation for sixteen nodes of a tree", 0),
	// It looks at the structs that are made on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for e := range prove.On[ast.Expr](s) {
			singleOf(s.Program, s.Fn, e).offer(s)
		}
		for stmt := range prove.On[ast.Stmt](s) {
			variableOf(s.Program, s.Fn, stmt, s.Target).offer(s)
		}
	}),
}

// How many structs an array has where nothing is measured, at least and at most; and how many
// bytes a struct and an array have at most.
const (
	usualSlab, leastSlab, mostSlab = 16, 4, 32
	largestStruct, largestSlab     = 256, 4 << 10
)

// A single is &T{…} or new(T) in a method, or a variable of it that goes to the heap.
type single struct {
	p    *prove.Program
	m    *prove.Method
	expr ast.Node          // the expression, or the statement that declares the variable
	lit  *ast.CompositeLit // nil for new(T)
	v    *types.Var        // the variable; nil for an expression
	init ast.Expr          // what it is at first, nil for zero
	typ  *types.Named
	text string // the type as it is written in the method
	size int64
}

// offer proposes the change; s is nil where there is nothing to change.
func (s *single) offer(at *prove.Site) {
	if s == nil || s.count(at.Target) == 0 {
		return
	}
	ch, why := proposeSlab(s, s.count(at.Target))
	at.Add(s.typ.Obj().Name()+" is made one by one", ch, why)
}

// singleOf reads an expression that makes a struct of the package's.
func singleOf(p *prove.Program, fn *prove.Function, e ast.Expr) *single {
	info := fn.Info()
	s := &single{p: p, expr: e}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		s.lit, _ = e.X.(*ast.CompositeLit)
		if e.Op != token.AND || s.lit == nil || s.lit.Type == nil {
			return nil
		}
	case *ast.CallExpr:
		if code.Builtin(info, e) != "new" {
			return nil
		}
	default:
		return nil
	}
	ptr, _ := info.TypeOf(e).(*types.Pointer)
	if !s.of(fn, ptr.Elem()) {
		return nil
	}
	return s
}

// variableOf reads a statement that declares a struct. Its address is taken, and the compiler does not say that it stays
// on the stack.
func variableOf(p *prove.Program, fn *prove.Function, stmt ast.Stmt, t model.Target) *single {
	name, _, init := code.Declared(stmt)
	if name == nil || !slices.Contains(code.StmtList(fn.File.Parent(stmt)), stmt) || !prove.Escapes(t, p.Pos(stmt.Pos()), name.Name) {
		return nil
	}
	v, ok := fn.Info().Defs[name].(*types.Var)
	s := &single{p: p, expr: stmt, v: v, init: init}
	if !ok || !code.AddressTaken(fn.Info(), fn.File.Parent(stmt), v) || !s.of(fn, v.Type()) {
		return nil
	}
	return s
}

// of reports whether a method makes structs of a type of the module's, whose name can be written there.
func (s *single) of(fn *prove.Function, t types.Type) bool {
	m, why := s.p.MethodOf(fn)
	s.typ, _ = types.Unalias(t).(*types.Named)
	if why != nil || s.typ == nil || s.typ.TypeParams().Len() > 0 || m.Named == s.typ {
		return false
	}
	if _, ok := s.typ.Underlying().(*types.Struct); !ok || s.typ.Obj().Parent() != s.typ.Obj().Pkg().Scope() || !s.p.InModule(s.typ.Obj()) {
		return false
	}
	s.m, s.size = m, fn.File.Pkg.TypesSizes.Sizeof(s.typ)
	s.text = s.written(fn.File, s.expr.Pos())
	return s.text != ""
}

// life is the list of statements in which the variable is known.
func (s *single) life() ast.Node { return s.m.File.Parent(s.expr) }

// written returns how the type is written at a place of a file, "" where it cannot be.
func (s *single) written(f *prove.File, at token.Pos) string {
	obj, pkg := s.typ.Obj(), s.m.Obj.Pkg()
	if _, found := pkg.Scope().Innermost(at).LookupParent(obj.Name(), at); found == obj { // as by import .
		return obj.Name()
	}
	text, ok := s.p.Reads(f, s.typ, at)
	if !ok {
		return ""
	}
	return text
}

// count returns how many the array has; 0 where too few are made, or they are too large. What is
// left of the last array is an eighth of what an operation makes, at most. Of the sizes in question it is the largest for which the
// allocator rounds up next to nothing: 32 structs of 64 bytes with pointers take 2304 bytes, and 31 take 2048.
func (s *single) count(t model.Target) int {
	if s.size == 0 || s.size > largestStruct {
		return 0
	}
	n := usualSlab
	if t.Bytes > 0 {
		for n = mostSlab; n > leastSlab && float64(8*n) > t.PerOp; {
			n /= 2
		}
		if t.PerOp < 2*leastSlab {
			return 0
		}
	}
	if n = min(n, largestSlab/int(s.size)); t.Bytes == 0 || n < leastSlab {
		return n
	}
	least := s.each(n)
	for less := n - 1; less > n/2 && less >= leastSlab; less-- {
		least = min(least, s.each(less))
	}
	for s.each(n) > 1.01*least {
		n--
	}
	return n
}

// each is how many bytes one of n structs takes in an array of them, as the allocator rounds its size up. Where there are pointers,
// objects of more than 512 bytes have a header of eight (runtime/malloc.go).
func (s *single) each(n int) float64 {
	bytes := int64(n) * s.size
	if code.HasPointers(s.typ) && bytes > 512 {
		bytes += 8
	}
	return float64(cap(append([]byte(nil), make([]byte, bytes)...))) / float64(n)
}

func proposeSlab(one *single, n int) (*model.Change, *prove.Reason) {
	p, m, f := one.p, one.m, one.m.File
	name, struc := one.typ.Obj().Name(), m.Named.Obj().Name()
	if code.Locks(one.typ) {
		return nil, prove.Refuse("it holds a lock, which must not be copied")
	}
	if why := receiverAt(p, m, one.expr); why != nil {
		return nil, why
	}
	if one.v != nil {
		if why := p.SetAgain(m.Function, one.life(), one.v); why != nil {
			return nil, why
		}
	}
	if !code.Predeclared(m.Obj.Pkg(), one.expr.Pos(), "make", "len") {
		return nil, prove.Refuse("make or len means something else there")
	}
	obligations, why := one.argue()
	if why != nil {
		return nil, why
	}
	edits, why := one.edits(n)
	if why != nil {
		return nil, why
	}
	return p.Change(m.Function, edits, model.Change{
		Kind:        "slab",
		Title:       fmt.Sprintf("%s: take %s of %s's %s from arrays of %d", f.Pkg.Name, name, struc, m.Obj.Name(), n),
		Obligations: obligations,
		Retains:     fmt.Sprintf("%d bytes for each %s, and as long as one of the %d of an array lives", one.size*int64(n), struc, n),
	})
}

// argue collects the obligations.
func (s *single) argue() ([]model.Obligation, *prove.Reason) {
	name := s.typ.Obj().Name()
	own, why := s.p.PointersFreeInArray(s.typ)
	if why != nil {
		return nil, why
	}
	others, why := held(s.p, s.m, s.expr, "both would hand out the same "+name)
	if why != nil {
		return nil, why
	}
	if at := s.forgotten(); at != "" {
		return nil, prove.Refuse(name + " is taken out of a map at " + at + ": those that were made together need not live as long")
	}
	all := []model.Obligation{
		{Text: "each is handed out once, and is what it was", How: "proven", Why: "it is cut off the array, which is new, and nothing else uses the array"},
		own,
		{Text: "those that were made together live about as long", How: "assumed", Why: "one that is kept keeps its array; measurement and the reader decide"},
	}
	if s.v != nil {
		all = append(all, model.Obligation{Text: s.v.Name() + " is one struct from its declaration on, as it was", How: "proven",
			Why: "each use of it goes through a pointer that is set there, and nowhere else"})
	}
	return append(all, others...), nil
}

// forgotten says where the module deletes values of the type from a map: a cache holds on to them one by one.
func (s *single) forgotten() string {
	for _, k := range s.p.Packages {
		for _, f := range k.Files {
			for call := range code.All[*ast.CallExpr](f.Syntax) {
				if code.Builtin(k.TypesInfo, call) != "delete" {
					continue
				}
				m, ok := k.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Map)
				if !ok {
					continue
				}
				if ptr, ok := m.Elem().Underlying().(*types.Pointer); ok && types.Identical(ptr.Elem(), s.typ) {
					return s.p.Pos(call.Pos()).String()
				}
			}
		}
	}
	return ""
}

// edits declares the field and the method that hands them out, where they are not there yet, and calls it.
func (s *single) edits(n int) ([]model.Edit, *prove.Reason) {
	p, m, f := s.p, s.m, s.m.File
	recv, name := m.Recv.Name(), s.typ.Obj().Name()
	upper, field := code.UpperName(name), code.LowerName(name)+"Slab"
	if recv == "value" || recv == "one" {
		return nil, prove.Refuse("the receiver has the name of a variable that is needed")
	}
	typ := s.written(m.Home, m.Shape.Fields.Closing)
	if typ == "" {
		return nil, prove.Refusef("%s has another name, or none, where %s is declared", s.text, m.Named.Obj().Name())
	}
	for _, method := range []string{"new" + upper, "next" + upper, "take" + upper} {
		for _, size := range []int{4, 8, 16, 32, n} {
			if f.Declares(s.handing(method, field, size)) {
				return s.calling(method), nil
			}
		}
		if !p.Free(f.Pkg, method, field) {
			continue
		}
		return append(s.calling(method), p.Below(m.Function, s.handing(method, field, n)),
			fieldEdit(p, m, field, "[]"+typ, fmt.Sprintf("%s are those that %s has left.", field, method))), nil
	}
	return nil, prove.Refuse("no name is free for the field or the method")
}

// handing writes the method.
func (s *single) handing(method, field string, n int) string {
	recv, name := s.m.Recv.Name(), s.text
	return fmt.Sprintf(`// %[1]s returns a pointer to a %[3]s that is value: one allocation makes %[6]d.
func (%[2]s *%[5]s) %[1]s(value %[3]s) *%[3]s {
	if len(%[2]s.%[4]s) == 0 {
		%[2]s.%[4]s = make([]%[3]s, %[6]d)
	}
	one := &%[2]s.%[4]s[0]
	%[2]s.%[4]s = %[2]s.%[4]s[1:]
	*one = value
	return one
}
`, method, recv, name, field, s.m.Named.Obj().Name(), n)
}

// calling writes the expression anew.
func (s *single) calling(method string) []model.Edit {
	p, f := s.p, s.m.File
	call := s.m.Recv.Name() + "." + method + "("
	if s.v != nil {
		call = s.v.Name() + " := " + call
		edits := p.Pointed(s.m.Function, s.life(), s.v)
		if s.init != nil {
			return append(edits, p.Put(f, s.expr.Pos(), s.init.Pos(), call), p.Insert(f, s.init.End(), ")"))
		}
		return append(edits, p.Put(f, s.expr.Pos(), s.expr.End(), call+s.text+"{})"))
	}
	if s.lit == nil {
		return []model.Edit{p.Put(f, s.expr.Pos(), s.expr.End(), call+s.text+"{})")}
	}
	return []model.Edit{
		p.Put(f, s.expr.Pos(), s.lit.Pos(), call),
		p.Insert(f, s.expr.End(), ")"),
	}
}
