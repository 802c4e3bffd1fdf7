package propose

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
)

// scratch moves a local array or make of constant size that escapes into the
// receiver's struct.
type scratch struct{}

// Name is the kind of the changes.
func (scratch) Name() string { return "scratch-to-field" }

// Doc describes the transformation.
func (scratch) Doc() string {
	return "A local array or constant-size make that the compiler moves to the heap becomes a field of the method's receiver."
}

// maxScratch is the largest array that a struct is made to carry, in bytes.
const maxScratch = 64 << 10

// A local is a declaration that could become a field.
type local struct {
	m        *method
	v        *types.Var
	stmt     ast.Stmt       // the declaration
	spec     *ast.ValueSpec // in a group of declarations, else nil
	name     *ast.Ident
	array    *types.Array
	typeText string
	init     ast.Expr      // initial value of an array, or nil
	made     *ast.CallExpr // the make, for a slice
	length   int64         // of the slice made
}

// Propose looks at the declarations on the target's lines.
func (s scratch) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	var changes []model.Change
	var refusals []Refusal
	for _, at := range places(t, false) {
		fn := p.functionAt(at)
		if fn == nil {
			continue
		}
		for _, l := range p.localsAt(fn, at.Line) {
			if !escapes(t, at, l.name.Name) {
				continue
			}
			c, why := s.propose(p, fn, l)
			if why != "" {
				refusals = append(refusals, Refusal{s.Name(), at, fmt.Sprintf("%s stays a local variable: %s", l.name.Name, why)})
				continue
			}
			c.Targets = []model.Target{t}
			c.Hypothesis = hypothesis(t)
			changes = append(changes, *c)
		}
	}
	return changes, refusals
}

// escapes reports whether the compiler's notes for a line, if there are any,
// speak of the variable or of a make.
func escapes(t model.Target, at model.Pos, name string) bool {
	any := false
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape || len(n.Chain) == 0 || n.At().File != at.File || n.At().Line != at.Line {
			continue
		}
		any = true
		for _, word := range strings.FieldsFunc(n.Message, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if word == name || word == "make" {
				return true
			}
		}
	}
	return !any
}

// hypothesis says what should fall.
func hypothesis(t model.Target) string {
	if t.Benchmark.Name == "" || t.PerOp == 0 {
		return "allocs/op falls"
	}
	return fmt.Sprintf("allocs/op of %s falls by %.3g", t.Benchmark, t.PerOp)
}

// localsAt returns the declarations of the right shape that cover a line.
func (p *Program) localsAt(fn *function, line int) []*local {
	var found []*local
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		if n == nil || !p.covers(n, line) {
			return n == nil || within(n, fn.decl.Body)
		}
		switch n := n.(type) {
		case *ast.DeclStmt:
			gen, _ := n.Decl.(*ast.GenDecl)
			for _, s := range gen.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if ok && gen.Tok == token.VAR && p.covers(spec, line) && len(spec.Names) == 1 && len(spec.Values) <= 1 {
					l := &local{stmt: n, name: spec.Names[0]}
					if len(gen.Specs) > 1 || gen.Lparen.IsValid() {
						l.spec = spec
					}
					if len(spec.Values) == 1 {
						l.init = spec.Values[0]
					}
					if p.shape(fn, l, spec.Type) {
						found = append(found, l)
					}
				}
			}
		case *ast.AssignStmt:
			id, ok := n.Lhs[0].(*ast.Ident)
			if ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				l := &local{stmt: n, name: id, init: n.Rhs[0]}
				if p.shape(fn, l, nil) {
					found = append(found, l)
				}
			}
		}
		return true
	})
	return found
}

// shape fills in what a declaration declares, and reports whether that is an
// array or a slice made with a constant size.
func (p *Program) shape(fn *function, l *local, typ ast.Expr) bool {
	info := fn.info()
	v, ok := info.Defs[l.name].(*types.Var)
	if !ok {
		return false
	}
	l.v = v
	if arr, ok := v.Type().Underlying().(*types.Array); ok {
		l.array, l.typeText = arr, p.typeText(fn, v.Type(), typ)
		return true
	}
	call, ok := l.init.(*ast.CallExpr)
	slice, isSlice := v.Type().(*types.Slice)
	if !ok || !isSlice || builtin(info, call) != "make" || len(call.Args) < 2 {
		return false
	}
	n, ok1 := constInt(info, call.Args[1])
	size, ok2 := constInt(info, call.Args[len(call.Args)-1])
	if !ok1 || !ok2 {
		return false
	}
	l.made, l.length, l.array = call, n, types.NewArray(slice.Elem(), size)
	elem := p.typeText(fn, slice.Elem(), call.Args[0].(*ast.ArrayType).Elt)
	sizeText := fmt.Sprint(size)
	if global(info, call.Args[len(call.Args)-1]) {
		sizeText = p.source(fn.file, call.Args[len(call.Args)-1])
	}
	l.typeText = "[" + sizeText + "]" + elem
	return true
}

func constInt(info *types.Info, e ast.Expr) (int64, bool) {
	v := info.Types[e].Value
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// typeText writes a type the way the source does, unless that refers to names
// that only the function knows.
func (p *Program) typeText(fn *function, t types.Type, e ast.Expr) string {
	if e != nil && global(fn.info(), e) {
		if arr, ok := e.(*ast.ArrayType); !ok || arr.Len == nil || !isEllipsis(arr.Len) {
			return p.source(fn.file, e)
		}
	}
	return types.TypeString(t, func(other *types.Package) string {
		if other == fn.obj.Pkg() {
			return ""
		}
		return other.Name()
	})
}

func isEllipsis(e ast.Expr) bool { _, ok := e.(*ast.Ellipsis); return ok }

// global reports whether all names in e mean the same outside the function.
func global(info *types.Info, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent {
			obj := info.Uses[id]
			switch obj.(type) {
			case nil, *types.PkgName:
			default:
				if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
					ok = false
				}
			}
		}
		return ok
	})
	return ok
}

// propose works out the change for one declaration, or why there is none.
func (s scratch) propose(p *Program, fn *function, l *local) (*model.Change, string) {
	m, why := p.methodOf(fn)
	if why != "" {
		return nil, why
	}
	l.m = m
	if why := l.declaration(p); why != "" {
		return nil, why
	}
	uses, whole, why := l.follow(p)
	if why != "" {
		return nil, why
	}
	obligations, why := l.argue(p, uses)
	if why != "" {
		return nil, why
	}
	facts := p.structUses(m)
	if facts.why != "" {
		return nil, facts.why
	}
	struc := m.named.Obj().Name()
	obligations = append(obligations, model.Obligation{Text: "nothing can tell that " + struc + " has one more field", How: outsideHow(m),
		Why: "in what was read, it is not compared, converted, measured, written without field names or shown with all its fields"})
	field := p.fieldName(m, m.obj.Name(), l.name.Name)
	if field == "" {
		return nil, "no name is free for the field"
	}
	edits, err := p.settle(l.edits(p, field, whole))
	if err != nil {
		return nil, err.Error()
	}
	retains := fmt.Sprintf("%d bytes per %s", m.file.pkg.TypesSizes.Sizeof(l.array), struc)
	if facts.copied != "" {
		retains += fmt.Sprintf(", also in each copy of it (%s)", facts.copied)
	}
	return &model.Change{
		ID: changeID(s.Name(), fn.obj.FullName(), edits), Kind: s.Name(), Class: "B",
		Title: fmt.Sprintf("%s: keep %s's %s in %s", m.file.pkg.Name, m.obj.Name(), l.name.Name, struc),
		Edits: edits, Obligations: obligations, Retains: retains,
	}, ""
}

// outsideHow is "assumed" where packages that were not read can name the type.
func outsideHow(m *method) string {
	if m.named.Obj().Exported() && m.file.pkg.Name != "main" && types.Comparable(m.named) {
		return "assumed"
	}
	return "proven"
}

// declaration checks the declaration itself.
func (l *local) declaration(p *Program) string {
	if b, ok := l.array.Elem().Underlying().(*types.Basic); !ok || b.Info()&types.IsString != 0 || b.Kind() == types.UnsafePointer {
		return "its elements hold pointers or are composite"
	}
	if size := l.m.file.pkg.TypesSizes.Sizeof(l.array); size > maxScratch {
		return fmt.Sprintf("%d bytes are too many for a field", size)
	}
	if l.m.file.literal(l.stmt) != nil {
		return "it is declared in a function literal"
	}
	if stmtList(l.m.file.parent(l.stmt)) == nil {
		return "it is declared in the head of a statement"
	}
	if assigned(l.m.info(), l.m.decl.Body, l.m.recv) {
		return "the receiver is assigned to or its address is taken"
	}
	if hasGoto(l.m.decl.Body) {
		return l.m.obj.Name() + " uses goto"
	}
	if l.spec != nil {
		return l.grouped()
	}
	return ""
}

// grouped checks that the declaration can leave its group: later ones must not
// refer to it.
func (l *local) grouped() string {
	why := ""
	ast.Inspect(l.stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.m.info().Uses[id] == l.v {
			why = "other declarations of its group refer to it"
		}
		return true
	})
	if l.init != nil && why == "" {
		why = "it has an initial value in a group of declarations"
	}
	return why
}

// follow traces the memory. whole lists the uses of the array as one value.
func (l *local) follow(p *Program) (fl *flow, whole []*ast.Ident, why string) {
	fl = &flow{p: p, fn: l.m.function}
	if l.made != nil {
		fl.track(l.v)
	} else {
		fl.uses(l.v, func(id *ast.Ident) {
			if l.use(fl, id) {
				whole = append(whole, id)
			}
		})
		ast.Inspect(l.m.decl.Body, func(n ast.Node) bool { // uses leaves out assignments to it
			if id, ok := n.(*ast.Ident); ok && l.m.info().Uses[id] == l.v && fl.assignedTo(id) {
				whole = append(whole, id)
			}
			return true
		})
	}
	fl.drain()
	if len(fl.leaks) > 0 {
		return nil, nil, fmt.Sprintf("it is %s (%s)", fl.leaks[0].why, p.pos(fl.leaks[0].at.Pos()))
	}
	if fl.results != 0 {
		return nil, nil, "it is returned"
	}
	return fl, whole, l.iterations(p, fl)
}

// use classifies a use of the array variable and reports whether it is one of
// the array as a whole.
func (l *local) use(fl *flow, id *ast.Ident) bool {
	switch up := l.m.file.parent(id).(type) {
	case *ast.SliceExpr:
		fl.expr(up)
		return false
	case *ast.IndexExpr:
		if up.X == id {
			fl.element(up)
			return false
		}
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			fl.leak(up, "used by its address")
			return false
		}
	case *ast.SelectorExpr:
		fl.leak(up, "used through the method %s", up.Sel.Name)
		return false
	case *ast.CallExpr:
		if b := builtin(l.m.info(), up); b == "len" || b == "cap" {
			return false
		}
	case *ast.ParenExpr:
		fl.leak(up, "used in parentheses, which pawl does not follow")
		return false
	}
	return true
}

// iterations checks that a variable of a loop body stays within one
// iteration: each has its own.
func (l *local) iterations(p *Program, fl *flow) string {
	loop := l.m.file.loop(l.stmt)
	if loop == nil {
		return ""
	}
	for _, v := range fl.vars {
		if def := fl.definition(v); !within(loop, def) || l.m.file.loop(def) != loop && def.Pos() < l.stmt.Pos() {
			return "a slice of it is kept in " + v.Name() + " from one iteration to the next"
		}
	}
	captured := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.m.info().Uses[id] == l.v && l.m.file.literal(id) != nil {
			captured = true
		}
		if d, ok := n.(*ast.DeferStmt); ok {
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && l.m.info().Uses[id] == l.v {
					captured = true
				}
				return true
			})
		}
		return true
	})
	if captured {
		return "a deferred call in a loop uses it"
	}
	return ""
}

// argue collects the obligations on how the method is called.
func (l *local) argue(p *Program, fl *flow) ([]model.Obligation, string) {
	kept := model.Obligation{Text: "nothing refers to " + l.name.Name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	if len(fl.assumed) > 0 {
		kept.How, kept.Why = "assumed", strings.Join(fl.assumed, "; ")
	}
	alone, why := p.oneAtATime(l.m, l.stmt)
	if why != "" {
		return nil, why
	}
	once, why := p.notReentered(l.m.function)
	if why != "" {
		return nil, why
	}
	if at := p.overwritesWhole(l.m); at != "" {
		return nil, "a whole " + l.m.named.Obj().Name() + " is overwritten at " + at + ", which may happen while it is in use"
	}
	notNil, why := p.notNil(l.m, l.stmt)
	if why != "" {
		return nil, why
	}
	return []model.Obligation{kept, alone, once, notNil}, ""
}

// edits makes the field, the pointer or slice that takes the variable's name,
// and the dereferences.
func (l *local) edits(p *Program, field string, whole []*ast.Ident) []model.Edit {
	recv, name := l.m.recv.Name(), l.name.Name
	edits := []model.Edit{p.fieldEdit(l.m, field, l.typeText,
		fmt.Sprintf("%s is scratch space of %s: nothing in it outlives a call.", field, l.m.obj.Name()))}
	var text string
	switch {
	case l.made != nil:
		text = fmt.Sprintf("%s.%s = %s{}\n%s := %s.%s[:]", recv, field, l.typeText, name, recv, field)
		if l.length != l.array.Len() {
			text = strings.TrimSuffix(text, ":]") + fmt.Sprintf(":%s]", p.source(l.m.file, l.made.Args[1]))
		}
	case l.init != nil:
		text = fmt.Sprintf("%s := &%s.%s\n*%s = %s", name, recv, field, name, p.source(l.m.file, l.init))
	case l.overwritten(p):
		text = fmt.Sprintf("%s := &%s.%s", name, recv, field)
	default:
		text = fmt.Sprintf("%s := &%s.%s\n*%s = %s{}", name, recv, field, name, l.typeText)
	}
	if l.spec == nil {
		edits = append(edits, p.edit(l.m.file, p.offset(l.stmt.Pos()), p.offset(l.stmt.End()), text))
	} else {
		start, end := p.lineOf(l.m.file, l.spec)
		edits = append(edits, p.edit(l.m.file, start, end, ""),
			p.edit(l.m.file, p.offset(l.stmt.End()), p.offset(l.stmt.End()), "\n"+text))
	}
	for _, id := range whole {
		at := p.offset(id.Pos())
		edits = append(edits, p.edit(l.m.file, at, at, "*"))
	}
	return edits
}

// lineOf returns the whole lines of a node, the line break included.
func (p *Program) lineOf(f *file, n ast.Node) (start, end int) {
	start, end = p.offset(n.Pos()), p.offset(n.End())
	for start > 0 && f.src[start-1] != '\n' {
		start--
	}
	for end < len(f.src) && f.src[end] != '\n' {
		end++
	}
	return start, min(end+1, len(f.src))
}

// overwritten reports whether the statement after the declaration certainly
// writes the whole array: binary.ByteOrder.PutUint64(x[:], v) for eight bytes.
func (l *local) overwritten(p *Program) bool {
	list := stmtList(l.m.file.parent(l.stmt))
	for i, s := range list {
		if s != l.stmt || i+1 >= len(list) {
			continue
		}
		next, ok := list[i+1].(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := next.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || l.reads(call.Args[1]) {
			return false
		}
		sl, ok := call.Args[0].(*ast.SliceExpr)
		fn := callee(l.m.info(), call)
		if !ok || sl.Low != nil || sl.High != nil || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "encoding/binary" {
			return false
		}
		id, ok := sl.X.(*ast.Ident)
		sizes := map[string]int64{"PutUint16": 2, "PutUint32": 4, "PutUint64": 8}
		b, isByte := l.array.Elem().Underlying().(*types.Basic)
		return ok && l.m.info().Uses[id] == l.v && isByte && b.Kind() == types.Uint8 && sizes[fn.Name()] == l.array.Len()
	}
	return false
}

// reads reports whether e refers to the variable.
func (l *local) reads(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && l.m.info().Uses[id] == l.v
		return !found
	})
	return found
}

// fieldEdit adds a field with a comment at the end of the receiver's struct.
func (p *Program) fieldEdit(m *method, name, typ, comment string) model.Edit {
	at := p.offset(m.shape.Fields.Closing)
	gap := "\n"
	if m.shape.Fields.NumFields() == 0 {
		gap = ""
	}
	if p.fset.Position(m.shape.Fields.Opening).Line == p.fset.Position(m.shape.Fields.Closing).Line {
		gap = "\n\n"
	}
	return p.edit(m.home, at, at, fmt.Sprintf("%s// %s\n%s %s\n", gap, comment, name, typ))
}
