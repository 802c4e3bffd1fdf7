package storage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

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
			if one := singleOf(s.Program, s.Fn, e); one != nil && one.count(s.Target) > 0 {
				ch, why := proposeSlab(one, one.count(s.Target))
				s.Add(one.typ.Obj().Name()+" is made one by one", ch, why)
			}
		}
	}),
}

// How many structs an array has where nothing is measured, at least and at most; and how many
// bytes a struct and an array have at most.
const (
	usualSlab, leastSlab, mostSlab = 16, 4, 32
	largestStruct, largestSlab     = 256, 4 << 10
)

// A single is &T{…} or new(T) in a method.
type single struct {
	p    *prove.Program
	m    *prove.Method
	expr ast.Expr
	lit  *ast.CompositeLit // nil for new(T)
	typ  *types.Named
	size int64
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
	s.typ, _ = types.Unalias(ptr.Elem()).(*types.Named)
	m, why := p.MethodOf(fn)
	if why != nil || s.typ == nil || s.typ.TypeParams().Len() > 0 || s.typ.Obj().Pkg() != fn.Obj.Pkg() || s.typ.Obj().Parent() != fn.Obj.Pkg().Scope() {
		return nil
	}
	if _, ok := s.typ.Underlying().(*types.Struct); !ok || m.Named == s.typ {
		return nil
	}
	s.m, s.size = m, fn.File.Pkg.TypesSizes.Sizeof(s.typ)
	return s
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
	own, why := s.p.PointersFree(s.typ)
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
	return append([]model.Obligation{
		{Text: "each is handed out once, and is what it was", How: "proven", Why: "it is cut off the array, which is new, and nothing else uses the array"},
		own,
		{Text: "those that were made together live about as long", How: "assumed", Why: "one that is kept keeps its array; measurement and the reader decide"},
	}, others...), nil
}

// forgotten says where the package deletes values of the type from a map: a cache holds on to them one by one.
func (s *single) forgotten() string {
	info := s.m.Info()
	for _, f := range s.m.File.Pkg.Files {
		for call := range code.All[*ast.CallExpr](f.Syntax) {
			if code.Builtin(info, call) != "delete" {
				continue
			}
			m, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Map)
			if !ok {
				continue
			}
			if ptr, ok := m.Elem().Underlying().(*types.Pointer); ok && types.Identical(ptr.Elem(), s.typ) {
				return s.p.Pos(call.Pos()).String()
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
			fieldEdit(p, m, field, "[]"+name, fmt.Sprintf("%s are those that %s has left.", field, method))), nil
	}
	return nil, prove.Refuse("no name is free for the field or the method")
}

// handing writes the method.
func (s *single) handing(method, field string, n int) string {
	recv, name := s.m.Recv.Name(), s.typ.Obj().Name()
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
	if s.lit == nil {
		return []model.Edit{p.Put(f, s.expr.Pos(), s.expr.End(), call+s.typ.Obj().Name()+"{})")}
	}
	return []model.Edit{
		p.Put(f, s.expr.Pos(), s.lit.Pos(), call),
		p.Insert(f, s.expr.End(), ")"),
	}
}
