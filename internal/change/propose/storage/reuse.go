package storage

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

// Reuse gives an append-style call whose result is stored in a field of the
// receiver the storage of its last result to append to.
var Reuse = prove.Transformation{
	Name:     "reuse-buffer",
	Doc:      "x.f = append-style call with a nil destination: the storage is kept in a field beside f and used again for the next result.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "reuse-buffer", "BenchmarkSend", "allocs", "no allocation for a frame", 0),
	// It looks at the assignments on the target's line and on the lines of
	// the module's frames around it: the storage may be made in a callee.
	// A value of the module's own that escapes is not that storage, however many
	// such calls lie around it.
	Propose: prove.At(prove.Unless(func(t model.Target) bool { return t.Leaf.Module && ownValue(t) }, prove.Frames), func(s *prove.Site) {
		for _, st := range storedAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeReuse(s.Program, s.Fn, st)
			if ch != nil {
				ch.Retains = st.figure(s.Target, ch.Retains)
			}
			s.Add(types.ExprString(st.lhs)+" gets a new slice every time", ch, why)
		}
	}),
}

// A stored is an assignment x.f = call(nil, …) in a method of x.
type stored struct {
	m      *prove.Method
	stmt   *ast.AssignStmt
	lhs    *ast.SelectorExpr
	field  *types.Var
	call   *ast.CallExpr
	dest   ast.Expr       // the nil destination
	slice  *ast.SliceExpr // around the call, or nil
	append *prove.AppendInfo
}

// figure says how much a value keeps, as far as the profile tells: the size of
// what is made anew without the change. Where that is much, it offers a pool.
func (s *stored) figure(t model.Target, retains string) string {
	if t.PerOp == 0 || t.Bytes == 0 {
		return retains
	}
	size, struc := t.Bytes/t.PerOp, s.m.Named.Obj().Name()
	text := fmt.Sprintf("%.0f bytes per %s in %s: %s", size, struc, t.Benchmark, retains)
	if size >= prove.LargeField {
		text += fmt.Sprintf("; where there are many, a sync.Pool would hold that per processor instead: taken in %s, put back where all of %s has been used",
			s.m.Obj.Name(), s.field.Name())
	}
	return text
}

// ownValue reports whether the compiler names what escapes at t, and none of it
// is the storage that an append makes.
func ownValue(t model.Target) bool {
	return !prove.OnHeap(t, model.Pos{}, func(n model.Note) bool { return strings.HasPrefix(n.Message, "append(") })
}

// storedAt returns the assignments of the right shape that cover a line.
func storedAt(p *prove.Program, fn *prove.Function, line int) []*stored {
	var found []*stored
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if a.Tok == token.ASSIGN && len(a.Rhs) == 1 && p.Covers(a, line) {
			if s := storedBy(p, fn, a); s != nil {
				found = append(found, s)
			}
		}
	}
	return found
}

func storedBy(p *prove.Program, fn *prove.Function, a *ast.AssignStmt) *stored {
	info, s := fn.Info(), &stored{stmt: a}
	rhs := ast.Unparen(a.Rhs[0])
	if sl, ok := rhs.(*ast.SliceExpr); ok {
		s.slice, rhs = sl, ast.Unparen(sl.X)
	}
	var ok bool
	if s.call, ok = rhs.(*ast.CallExpr); !ok {
		return nil
	}
	if s.dest, s.append = p.Appending(info, s.call); s.append == nil {
		return nil
	}
	if s.lhs, ok = ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr); !ok || !code.IsNil(info, s.dest) {
		return nil
	}
	sel := info.Selections[s.lhs]
	if sel == nil || sel.Kind() != types.FieldVal {
		return nil
	}
	s.field = sel.Obj().(*types.Var)
	return s
}

func proposeReuse(p *prove.Program, fn *prove.Function, s *stored) (*model.Change, *prove.Reason) {
	m, why := p.MethodOf(fn)
	if why != nil {
		return nil, why
	}
	s.m = m
	if why := s.site(p); why != nil {
		return nil, why
	}
	holder, why := s.onlyHolder(p)
	if why != nil {
		return nil, why
	}
	field, why := unseen(p, m, "the copies would share the storage")
	if why != nil {
		return nil, why
	}
	once, why := p.NotReentered(fn)
	if why != nil {
		return nil, why
	}
	if callee := code.Callee(fn.Info(), s.call); callee != nil && p.InModule(callee) {
		if why := p.Recovers(fn); why != nil {
			return nil, why
		}
	}
	buf := fieldName(p, m, s.field.Name(), "buf")
	if buf == "" {
		return nil, prove.Refuse("no name is free for the field")
	}
	obligations := append(holder,
		model.Obligation{Text: "two goroutines never store and reuse at the same time", How: "proven",
			Why: s.lhs.Sel.Name + " itself is written by the same statement: whatever keeps those writes and the reads apart keeps the storage safe"},
		once, field)
	return p.Change(fn, s.edits(p, buf), model.Change{
		Kind:        "reuse-buffer",
		Title:       fmt.Sprintf("%s: reuse the storage of %s.%s", m.File.Pkg.Name, m.Named.Obj().Name(), s.field.Name()),
		Obligations: obligations,
		Retains:     fmt.Sprintf("the largest %s that %s has made, per %s", s.field.Name(), m.Obj.Name(), m.Named.Obj().Name()),
	})
}

// site checks the assignment itself.
func (s *stored) site(p *prove.Program) *prove.Reason {
	info := s.m.Info()
	if id, ok := ast.Unparen(s.lhs.X).(*ast.Ident); !ok || info.Uses[id] != s.m.Recv || len(info.Selections[s.lhs].Index()) != 1 {
		return prove.Refuse("it is not a field of the receiver itself")
	}
	if s.field.Exported() {
		return prove.Refuse(s.field.Name() + " is exported: other packages may keep what it holds")
	}
	if code.WrittenIn(info, s.m.Decl.Body, s.m.Recv) {
		return prove.Refuse("the receiver is assigned to or its address is taken")
	}
	if code.StmtList(s.m.File.Parent(s.stmt)) == nil {
		return prove.Refuse("it is assigned in the head of a statement")
	}
	if s.m.File.Literal(s.stmt) != nil {
		return prove.Refuse("it is assigned in a function literal")
	}
	for _, a := range s.call.Args {
		if a != s.dest && s.mentions(a) {
			return prove.Refuse("another argument of the call mentions " + s.field.Name() + ": it could be overwritten while it is read")
		}
	}
	for i, l := range s.stmt.Lhs {
		if i > 0 && s.mentions(l) {
			return prove.Refuse("the assignment mentions " + s.field.Name() + " twice")
		}
	}
	if s.slice != nil && (s.mentions(s.slice) && s.mentionsIn(s.slice.Low, s.slice.High, s.slice.Max) || s.slice.Slice3) {
		return prove.Refuse("the bounds of the slice mention " + s.field.Name())
	}
	if slice, ok := s.field.Type().Underlying().(*types.Slice); !ok || !prove.Plain(slice.Elem()) {
		return prove.Refuse("its elements hold pointers: they would be kept alive")
	}
	return nil
}

// mentions reports whether e reads the field, of any value.
func (s *stored) mentions(e ast.Node) bool { return code.Mentions(s.m.Info(), e, s.field) }

func (s *stored) mentionsIn(list ...ast.Expr) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool { return e != nil && s.mentions(e) })
}

// edits turns x.f = call(nil) into x.fBuf = call(x.fBuf[:0]); x.f = x.fBuf.
func (s *stored) edits(p *prove.Program, buf string) []model.Edit {
	f, name := s.m.File, s.m.Recv.Name()+"."+buf
	edits := []model.Edit{
		fieldEdit(p, s.m, buf, p.TypeText(s.m.Function, s.field.Type(), nil),
			fmt.Sprintf("%s is the storage of %s, which %s uses again.", buf, s.field.Name(), s.m.Obj.Name())),
		p.Put(f, s.lhs.Pos(), s.lhs.End(), name),
		p.Put(f, s.dest.Pos(), s.dest.End(), name+"[:0]"),
	}
	result := name
	if s.slice != nil {
		tail := string(f.Src[p.Offset(s.slice.Lbrack):p.Offset(s.slice.End())])
		edits = append(edits, p.Put(f, s.slice.Lbrack, s.slice.End(), ""))
		result += tail
	}
	store := fmt.Sprintf("\n%s = %s", types.ExprString(s.lhs), result)
	return append(edits, p.Insert(f, s.stmt.End(), store))
}
