package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// reuse gives an append-style call whose result is stored in a field of the
// receiver the storage of its last result to append to.
type reuse struct{ savesAllocs }

// Name is the kind of the changes.
func (reuse) Name() string { return "reuse-buffer" }

// Doc describes the transformation.
func (reuse) Doc() string {
	return "x.f = append-style call with a nil destination: the storage is kept in a field beside f and used again for the next result."
}

// Evidence is the proof that it pays.
func (reuse) Evidence() *rule.Evidence {
	return proof("reuse-buffer", "BenchmarkSend", "allocs", "no allocation for a frame", 0)
}

// A stored is an assignment x.f = call(nil, …) in a method of x.
type stored struct {
	m      *method
	stmt   *ast.AssignStmt
	lhs    *ast.SelectorExpr
	field  *types.Var
	call   *ast.CallExpr
	dest   ast.Expr       // the nil destination
	slice  *ast.SliceExpr // around the call, or nil
	append *appendInfo
}

// Propose looks at the assignments on the target's line and on the lines of
// the module's frames around it: the storage may be made in a callee.
// A value of the module's own that escapes is not that storage, however many
// such calls lie around it.
func (r reuse) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	if t.Leaf.Module && ownValue(t) {
		return nil, nil
	}
	o := offers{kind: r.Name(), target: t}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		for _, s := range p.storedAt(fn, at.Line) {
			ch, why := r.propose(p, fn, s)
			if ch != nil {
				ch.Retains = s.figure(t, ch.Retains)
			}
			o.add(at, types.ExprString(s.lhs)+" gets a new slice every time", ch, why)
		}
	})
	return o.changes, o.refusals
}

// figure says how much a value keeps, as far as the profile tells: the size of
// what is made anew without the change. Where that is much, it offers a pool.
func (s *stored) figure(t model.Target, retains string) string {
	if t.PerOp == 0 || t.Bytes == 0 {
		return retains
	}
	size, struc := t.Bytes/t.PerOp, s.m.named.Obj().Name()
	text := fmt.Sprintf("%.0f bytes per %s in %s: %s", size, struc, t.Benchmark, retains)
	if size >= largeField {
		text += fmt.Sprintf("; where there are many, a sync.Pool would hold that per processor instead: taken in %s, put back where all of %s has been used",
			s.m.obj.Name(), s.field.Name())
	}
	return text
}

// ownValue reports whether the compiler names what escapes at t, and none of it
// is the storage that an append makes.
func ownValue(t model.Target) bool {
	escapes := false
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape {
			continue
		}
		if strings.HasPrefix(n.Message, "append(") {
			return false
		}
		escapes = true
	}
	return escapes
}

// storedAt returns the assignments of the right shape that cover a line.
func (p *Program) storedAt(fn *function, line int) []*stored {
	var found []*stored
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN && len(a.Rhs) == 1 && p.covers(a, line) {
			if s := p.stored(fn, a); s != nil {
				found = append(found, s)
			}
		}
		return true
	})
	return found
}

func (p *Program) stored(fn *function, a *ast.AssignStmt) *stored {
	info, s := fn.info(), &stored{stmt: a}
	rhs := ast.Unparen(a.Rhs[0])
	if sl, ok := rhs.(*ast.SliceExpr); ok {
		s.slice, rhs = sl, ast.Unparen(sl.X)
	}
	var ok bool
	if s.call, ok = rhs.(*ast.CallExpr); !ok || len(s.call.Args) == 0 {
		return nil
	}
	if builtin(info, s.call) == "append" {
		s.append = &appendInfo{full: len(s.call.Args) > 1 && !s.call.Ellipsis.IsValid()}
	} else if callee := callee(info, s.call); callee != nil {
		s.append = p.appendStyle(callee)
	}
	if s.append == nil || s.append.param >= len(s.call.Args) || s.append.result >= len(a.Lhs) {
		return nil
	}
	s.dest = s.call.Args[s.append.param]
	if s.lhs, ok = ast.Unparen(a.Lhs[s.append.result]).(*ast.SelectorExpr); !ok || !isNil(info, s.dest) {
		return nil
	}
	sel := info.Selections[s.lhs]
	if sel == nil || sel.Kind() != types.FieldVal {
		return nil
	}
	s.field = sel.Obj().(*types.Var)
	return s
}

func (r reuse) propose(p *Program, fn *function, s *stored) (*model.Change, string) {
	m, why := p.methodOf(fn)
	if why != "" {
		return nil, why
	}
	s.m = m
	if why := s.site(p); why != "" {
		return nil, why
	}
	holder, why := s.onlyHolder(p)
	if why != "" {
		return nil, why
	}
	facts := p.structUses(m)
	struc := m.named.Obj().Name()
	switch {
	case facts.why != "":
		return nil, facts.why
	case facts.copied != "":
		return nil, fmt.Sprintf("%s is copied at %s: the copies would share the storage", struc, facts.copied)
	}
	once, why := p.notReentered(fn)
	if why != "" {
		return nil, why
	}
	buf := p.fieldName(m, s.field.Name(), "buf")
	if buf == "" {
		return nil, "no name is free for the field"
	}
	edits, err := p.settle(s.edits(p, buf))
	if err != nil {
		return nil, err.Error()
	}
	unseen := outsideHow(m)
	if m.named.Obj().Exported() && m.file.pkg.Name != "main" {
		unseen = "assumed" // a copy that another package makes would share the storage
	}
	obligations := append(holder,
		model.Obligation{Text: "two goroutines never store and reuse at the same time", How: "proven",
			Why: s.lhs.Sel.Name + " itself is written by the same statement: whatever keeps those writes and the reads apart keeps the storage safe"},
		once,
		model.Obligation{Text: "nothing can tell that " + struc + " has one more field", How: unseen,
			Why: "in what was read, it is not copied, compared, converted, written without field names or shown with all its fields"})
	return &model.Change{
		ID: changeID(r.Name(), fn.obj.FullName(), edits), Kind: r.Name(), Class: "B",
		Title:       fmt.Sprintf("%s: reuse the storage of %s.%s", m.file.pkg.Name, struc, s.field.Name()),
		Edits:       edits,
		Obligations: obligations,
		Retains:     fmt.Sprintf("the largest %s that %s has made, per %s", s.field.Name(), m.obj.Name(), struc),
	}, ""
}

// site checks the assignment itself.
func (s *stored) site(p *Program) string {
	info := s.m.info()
	if id, ok := ast.Unparen(s.lhs.X).(*ast.Ident); !ok || info.Uses[id] != s.m.recv || len(info.Selections[s.lhs].Index()) != 1 {
		return "it is not a field of the receiver itself"
	}
	if s.field.Exported() {
		return s.field.Name() + " is exported: other packages may keep what it holds"
	}
	if assigned(info, s.m.decl.Body, s.m.recv) {
		return "the receiver is assigned to or its address is taken"
	}
	if stmtList(s.m.file.parent(s.stmt)) == nil {
		return "it is assigned in the head of a statement"
	}
	if s.m.file.literal(s.stmt) != nil {
		return "it is assigned in a function literal"
	}
	for _, a := range s.call.Args {
		if a != s.dest && s.mentions(a) {
			return "another argument of the call mentions " + s.field.Name() + ": it could be overwritten while it is read"
		}
	}
	for i, l := range s.stmt.Lhs {
		if i != s.append.result && s.mentions(l) {
			return "the assignment mentions " + s.field.Name() + " twice"
		}
	}
	if s.slice != nil && (s.mentions(s.slice) && s.mentionsIn(s.slice.Low, s.slice.High, s.slice.Max) || s.slice.Slice3) {
		return "the bounds of the slice mention " + s.field.Name()
	}
	if slice, ok := s.field.Type().Underlying().(*types.Slice); !ok || !plain(slice.Elem()) {
		return "its elements hold pointers: they would be kept alive"
	}
	return ""
}

// plain reports whether a type holds no pointers: numbers and booleans.
func plain(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString == 0 && b.Kind() != types.UnsafePointer
}

// mentions reports whether e reads the field, of any value.
func (s *stored) mentions(e ast.Node) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.m.info().Uses[id] == s.field {
			found = true
		}
		return !found
	})
	return found
}

func (s *stored) mentionsIn(list ...ast.Expr) bool {
	for _, e := range list {
		if e != nil && s.mentions(e) {
			return true
		}
	}
	return false
}

// sameVariable reports whether two expressions are the same identifier or the
// same fields of one.
func sameVariable(info *types.Info, a, b ast.Expr) bool {
	switch a := ast.Unparen(a).(type) {
	case *ast.Ident:
		b, ok := ast.Unparen(b).(*ast.Ident)
		return ok && info.Uses[a] != nil && info.Uses[a] == info.Uses[b]
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(b).(*ast.SelectorExpr)
		return ok && info.Uses[a.Sel] == info.Uses[b.Sel] && sameVariable(info, a.X, b.X)
	}
	return false
}

// edits turns x.f = call(nil) into x.fBuf = call(x.fBuf[:0]); x.f = x.fBuf.
func (s *stored) edits(p *Program, buf string) []model.Edit {
	f, name := s.m.file, s.m.recv.Name()+"."+buf
	edits := []model.Edit{
		p.fieldEdit(s.m, buf, p.typeText(s.m.function, s.field.Type(), nil),
			fmt.Sprintf("%s is the storage of %s, which %s uses again.", buf, s.field.Name(), s.m.obj.Name())),
		p.edit(f, p.offset(s.lhs.Pos()), p.offset(s.lhs.End()), name),
		p.edit(f, p.offset(s.dest.Pos()), p.offset(s.dest.End()), name+"[:0]"),
	}
	result := name
	if s.slice != nil {
		tail := string(f.src[p.offset(s.slice.Lbrack):p.offset(s.slice.End())])
		edits = append(edits, p.edit(f, p.offset(s.slice.Lbrack), p.offset(s.slice.End()), ""))
		result += tail
	}
	end := p.offset(s.stmt.End())
	store := fmt.Sprintf("\n%s = %s", types.ExprString(s.lhs), result)
	return append(edits, p.edit(f, end, end, store))
}
