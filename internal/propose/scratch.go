package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// scratch moves a local array or make of constant size that escapes into the
// receiver's struct.
type scratch struct{ savesAllocs }

// Name is the kind of the changes.
func (scratch) Name() string { return "scratch-to-field" }

// Doc describes the transformation.
func (scratch) Doc() string {
	return "A local array or constant-size make that the compiler moves to the heap becomes a field of the method's receiver."
}

// Evidence is the proof that it pays.
func (scratch) Evidence() *rule.Evidence {
	return proof("scratch-to-field", "BenchmarkNext", "allocs", "no allocation for the head of a record", 0)
}

// maxScratch is the largest array that a struct is made to carry, in bytes.
const maxScratch = 64 << 10

// Propose looks at the declarations on the target's lines.
func (s scratch) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: s.Name(), target: t}
	p.eachPlace(places(t, false), func(fn *function, at model.Pos) {
		for _, l := range p.localsAt(fn, at.Line) {
			if !escapes(t, at, l.name.Name) {
				continue
			}
			ch, why := s.propose(p, fn, l)
			o.add(at, l.name.Name+" stays a local variable", ch, why)
		}
	})
	return o.changes, o.refusals
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
	if t.Resource == model.CPU {
		return hotHypothesis(t)
	}
	if t.Benchmark.Name == "" || t.PerOp == 0 {
		return "allocs/op falls"
	}
	return fmt.Sprintf("allocs/op of %s falls by %.3g", t.Benchmark, t.PerOp)
}

func hotHypothesis(t model.Target) string {
	if t.Benchmark.Name == "" || t.Share == 0 {
		return "CPU time falls"
	}
	return fmt.Sprintf("CPU time of %s falls by up to %.0f %%", t.Benchmark, 100*t.Share)
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
	obligations, why := p.argue(m, l.name.Name, l.stmt, uses)
	if why != "" {
		return nil, why
	}
	field := p.fieldName(m, m.obj.Name(), l.name.Name)
	if field == "" {
		return nil, "no name is free for the field"
	}
	edits, err := p.settle(l.edits(p, field, whole))
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(s.Name(), fn.obj.FullName(), edits), Kind: s.Name(), Class: "B",
		Title: fmt.Sprintf("%s: keep %s's %s in %s", m.file.pkg.Name, m.obj.Name(), l.name.Name, m.named.Obj().Name()),
		Edits: edits, Obligations: obligations, Retains: p.retained(m, l.array),
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
	if stmtList(l.m.file.parent(l.stmt)) == nil {
		return "it is declared in the head of a statement"
	}
	if why := p.receiverAt(l.m, l.stmt); why != "" {
		return why
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
	fl = &flow{p: p, fn: l.m.function, wide: l.wide}
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

// argue collects the obligations on how the method is called when storage of
// a call, which the flow has followed, lives in the receiver.
func (p *Program) argue(m *method, name string, at ast.Node, fl *flow) ([]model.Obligation, string) {
	kept := model.Obligation{Text: "nothing refers to " + name + " after the call", How: "proven",
		Why: "it is only indexed, copied and passed to functions that do not keep it"}
	if len(fl.assumed) > 0 {
		kept.How, kept.Why = "assumed", strings.Join(fl.assumed, "; ")
	}
	alone, why := p.oneAtATime(m, at)
	if why != "" {
		return nil, why
	}
	once, why := p.notReentered(m.function)
	if why != "" {
		return nil, why
	}
	struc := m.named.Obj().Name()
	if at := p.overwritesWhole(m); at != "" {
		return nil, "a whole " + struc + " is overwritten at " + at + ", which may happen while it is in use"
	}
	notNil, why := p.notNil(m, at)
	if why != "" {
		return nil, why
	}
	facts := p.structUses(m)
	if facts.why != "" {
		return nil, facts.why
	}
	unseen := model.Obligation{Text: "nothing can tell that " + struc + " has one more field", How: outsideHow(m),
		Why: "in what was read, it is not compared, converted, measured, written without field names or shown with all its fields"}
	return []model.Obligation{kept, alone, once, notNil, unseen}, ""
}

// retained says what a field of a type costs per value of the receiver's type.
func (p *Program) retained(m *method, t types.Type) string {
	text := fmt.Sprintf("%d bytes per %s", m.file.pkg.TypesSizes.Sizeof(t), m.named.Obj().Name())
	if rest, one := strings.CutPrefix(text, "1 bytes "); one {
		text = "1 byte " + rest
	}
	if facts := p.structUses(m); facts.copied != "" {
		text += fmt.Sprintf(", also in each copy of it (%s)", facts.copied)
	}
	if m.file.pkg.TypesSizes.Sizeof(t) >= largeField {
		text += "; a pool, which is proposed too where it can be, would hold them per processor instead"
	}
	return text
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
	return p.edit(m.home, at, at, fmt.Sprintf("%s\t// %s\n\t%s %s\n", gap, comment, name, typ))
}
