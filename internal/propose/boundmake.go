package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// boundMake makes a buffer of a size that the compiler can see.
type boundMake struct{ savesAllocs }

// Name is the kind of the changes.
func (boundMake) Name() string { return "constant-make" }

// Doc describes the transformation.
func (boundMake) Doc() string {
	return "A local buffer goes to the heap only since its size is not constant: it is made for a constant bound of the size, or takes an array on the stack where it fits."
}

// Evidence is the proof that it pays.
func (boundMake) Evidence() *rule.Evidence {
	return proof("constant-make", "BenchmarkReverse", "allocs", "a buffer of constant size stays on the stack", 2)
}

// Sizes of buffers on the stack, in bytes: what a bound may come to, what is
// taken for the usual size where nothing is measured, and the most where it is.
const (
	maxStack   = 1024
	usualStack = 64
	mostStack  = 256
)

// A buffer is v := make([]T, n) or v := make([]T, 0, n) with a size that is
// not constant.
type buffer struct {
	p     *Program
	fn    *function
	v     *types.Var
	name  *ast.Ident
	stmt  *ast.AssignStmt
	make  *ast.CallExpr
	size  ast.Expr // n
	empty bool     // its length is 0
	elem  types.Type
}

// Propose looks at the makes on the target's line.
func (c boundMake) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	if escapesAnyway(t) {
		return nil, nil
	}
	o := offers{kind: c.Name(), target: t}
	p.eachPlace([]model.Pos{t.At}, func(fn *function, at model.Pos) {
		for _, b := range p.buffersAt(fn, at.Line) {
			ch, why := c.propose(b, t)
			o.add(at, b.name.Name+" goes to the heap for its size", ch, why)
		}
	})
	return o.changes, o.refusals
}

// escapesAnyway reports whether the compiler names a make at the target that
// goes to the heap for another reason than its size.
func escapesAnyway(t model.Target) bool {
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape || !strings.HasPrefix(n.Message, "make(") || len(n.Chain) == 0 || n.At().Line != t.At.Line {
			continue
		}
		size := strings.Contains(n.Message, "non-constant size")
		for _, step := range n.Flow {
			size = size || strings.Contains(step.Text, "non-constant size")
		}
		if !size {
			return true
		}
	}
	return false
}

// buffersAt returns the buffers that are made on a line.
func (p *Program) buffersAt(fn *function, line int) []*buffer {
	var found []*buffer
	info := fn.info()
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !p.covers(a, line) {
			return true
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok || builtin(info, call) != "make" || len(call.Args) < 2 {
			return true
		}
		b := &buffer{p: p, fn: fn, stmt: a, make: call, name: a.Lhs[0].(*ast.Ident), size: call.Args[len(call.Args)-1]}
		slice, isSlice := info.TypeOf(call).Underlying().(*types.Slice)
		b.v, _ = info.Defs[b.name].(*types.Var)
		if !isSlice || b.v == nil || info.Types[b.size].Value != nil || stmtList(fn.file.parent(a)) == nil {
			return true
		}
		b.elem = slice.Elem()
		if len(call.Args) == 3 {
			zero, ok := constInt(info, call.Args[1])
			b.empty = ok && zero == 0
			if !b.empty {
				return true
			}
		}
		found = append(found, b)
		return true
	})
	return found
}

func (c boundMake) propose(b *buffer, t model.Target) (*model.Change, string) {
	p, fn := b.p, b.fn
	if why := editable(fn.file); why != "" {
		return nil, why
	}
	if hasGoto(fn.decl.Body) {
		return nil, fn.obj.Name() + " uses goto"
	}
	local, why := b.local()
	if why != "" {
		return nil, why
	}
	limit := bounder{p, fn, b.stmt, 0}.of(b.size)
	width := fn.file.pkg.TypesSizes.Sizeof(b.elem)
	obligations, edits := []model.Obligation{local}, []model.Edit(nil)
	title := ""
	if limit.known && (b.empty && limit.least || !limit.assumed) && limit.max >= 0 && limit.max*width <= maxStack {
		text := b.constant(limit)
		obligations = append(obligations, bounded(b, limit))
		edits = b.boundEdits(text)
		title = fmt.Sprintf("%s: make %s in %s for %s elements at most", fn.file.pkg.Name, b.name.Name, fn.obj.Name(), text)
	} else {
		size, o, why := b.usual(limit, t, width)
		if why != "" {
			return nil, why
		}
		obligations = append(obligations, o)
		edits = b.arrayEdits(size)
		title = fmt.Sprintf("%s: keep %s in %s on the stack up to %d bytes", fn.file.pkg.Name, b.name.Name, fn.obj.Name(), size)
	}
	edits, err := p.settle(edits)
	if err != nil {
		return nil, err.Error()
	}
	return &model.Change{
		ID: changeID(c.Name(), fn.obj.FullName(), edits), Kind: c.Name(), Class: "B",
		Title: title, Edits: edits, Obligations: obligations,
	}, ""
}

// local argues that the buffer could be on the stack, and that nothing can
// tell how much room it has.
func (b *buffer) local() (model.Obligation, string) {
	o := model.Obligation{Text: "nothing refers to " + b.name.Name + " after the call, or can tell how much room it has", How: "proven",
		Why: "it is indexed, sliced within its length, copied, converted and grown by append into itself"}
	fl := b.p.follow(b.fn, b.v)
	switch {
	case len(fl.leaks) > 0:
		return o, fmt.Sprintf("it is %s (%s)", fl.leaks[0].why, b.p.pos(fl.leaks[0].at.Pos()))
	case fl.results != 0:
		return o, "it is returned"
	case fl.capSeen:
		return o, "its capacity is asked for"
	}
	if why := b.resliced(fl); why != "" {
		return o, why
	}
	if loop := b.fn.file.loop(b.stmt); loop != nil {
		for _, v := range fl.vars {
			if !within(loop, fl.definition(v)) {
				return o, v.Name() + " keeps it from one iteration to the next"
			}
		}
	}
	if why := (&growing{counter: counter{b.p, b.fn, b.use()}}).elsewhere(); why != "" {
		return o, why
	}
	if len(fl.assumed) > 0 {
		o.How, o.Why = "assumed", strings.Join(fl.assumed, "; ")
	}
	return o, ""
}

// use returns a use of the buffer's variable.
func (b *buffer) use() ast.Expr {
	var use ast.Expr = b.name
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && b.fn.info().Uses[id] == b.v {
			use = id
		}
		return use == ast.Expr(b.name)
	})
	return use
}

// resliced says where the buffer may be sliced beyond its length: how far that
// works depends on its room.
func (b *buffer) resliced(fl *flow) string {
	at := ""
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SliceExpr)
		if !ok || s.High == nil || at != "" {
			return at == ""
		}
		id, ok := ast.Unparen(s.X).(*ast.Ident)
		if !ok || !isTracked(fl, b.fn.info(), id) {
			return true
		}
		if n, ok := constInt(b.fn.info(), s.High); ok && n == 0 && !s.Slice3 || !b.empty && !s.Slice3 && !b.appended() {
			return true
		}
		at = "it may be sliced beyond its length at " + b.p.pos(s.Pos()).String()
		return false
	})
	return at
}

// appended reports whether anything is appended to the buffer.
func (b *buffer) appended() bool {
	found := false
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok {
			found = found || len(s.Lhs) == 1 && s != b.stmt && code.Var(b.fn.info(), s.Lhs[0]) == b.v
		}
		return !found
	})
	return found
}

// constant writes the bound: in the words of the source where these name
// something and come to the value that was worked out, else as that number.
func (b *buffer) constant(limit bound) string {
	tv, err := types.Eval(b.p.fset, b.fn.obj.Pkg(), b.stmt.Pos(), limit.text)
	named := strings.ContainsFunc(limit.text, unicode.IsLetter)
	if err == nil && named && tv.Value != nil && tv.Value.ExactString() == fmt.Sprint(limit.max) {
		return limit.text
	}
	return fmt.Sprint(limit.max)
}

func bounded(b *buffer, limit bound) model.Obligation {
	o := model.Obligation{Text: types.ExprString(b.size) + " is at most " + b.constant(limit), How: "proven", Why: limit.why}
	if limit.assumed {
		o.How, o.Why = "assumed", limit.why+"; append would grow it if there were more"
	}
	return o
}

// boundEdits gives the buffer a constant capacity.
func (b *buffer) boundEdits(text string) []model.Edit {
	f := b.fn.file
	if b.empty {
		return []model.Edit{b.p.edit(f, b.p.offset(b.size.Pos()), b.p.offset(b.size.End()), text)}
	}
	at := b.p.offset(b.size.End())
	return []model.Edit{b.p.edit(f, at, at, ", "+text)}
}

// usual decides how large an array on the stack should be where the size has
// no bound.
func (b *buffer) usual(limit bound, t model.Target, width int64) (int64, model.Obligation, string) {
	o := model.Obligation{How: "assumed"}
	switch {
	case width != 1:
		return 0, o, "no bound of " + types.ExprString(b.size) + " is known, and its elements are no bytes"
	case !types.Identical(types.Default(b.fn.info().TypeOf(b.size)), types.Typ[types.Int]):
		return 0, o, "no bound of " + types.ExprString(b.size) + " is known, and it is no int"
	case !limit.least:
		return 0, o, "no bound of " + types.ExprString(b.size) + " is known, and it may be negative"
	case limit.known && limit.max > mostStack && t.PerOp == 0:
		return 0, o, fmt.Sprintf("%d bytes are too many for the stack", limit.max)
	}
	size := int64(usualStack)
	o.Text = fmt.Sprintf("it usually needs no more than %d bytes", size)
	o.Why = "a larger one is made as before; measurement decides whether this pays"
	if t.Bytes > 0 && t.PerOp > 0 {
		each := t.Bytes / t.PerOp
		for size < mostStack && float64(size) < each {
			size *= 2
		}
		if float64(size) < each {
			return 0, o, fmt.Sprintf("no bound of %s is known, and its %.0f bytes are too many for the stack", types.ExprString(b.size), each)
		}
		o.Text = fmt.Sprintf("it usually needs no more than %d bytes", size)
		o.Why = fmt.Sprintf("the benchmark's needs %.0f; a larger one is made as before", each)
	}
	return size, o, ""
}

// arrayEdits lets the buffer start in an array where it fits.
func (b *buffer) arrayEdits(size int64) []model.Edit {
	f, name := b.fn.file, b.name.Name
	array := code.FreeLocal(b.fn.decl, "small")
	n := code.FreeLocal(b.fn.decl, "n")
	typ := b.p.source(f, b.make.Args[0])
	elem := b.p.typeText(b.fn, b.elem, nil)
	text := fmt.Sprintf("var %s [%d]%s // on the stack, large enough for most\n", array, size, elem)
	head := fmt.Sprintf("%s := %s; %s", n, b.p.source(f, b.size), n)
	if id, ok := b.size.(*ast.Ident); ok {
		n, head = id.Name, id.Name
	}
	if b.empty {
		start := array + "[:0]"
		if _, plain := b.make.Args[0].(*ast.ArrayType); !plain {
			start = typ + "(" + start + ")"
		}
		text += fmt.Sprintf("%s := %s\nif %s > len(%s) {\n\t%s = make(%s, 0, %s)\n}", name, start, head, array, name, typ, n)
	} else {
		text += fmt.Sprintf("var %s %s\nif %s <= len(%s) {\n\t%s = %s[:%s]\n} else {\n\t%s = make(%s, %s)\n}",
			name, typ, head, array, name, array, n, name, typ, n)
	}
	return []model.Edit{b.p.edit(f, b.p.offset(b.stmt.Pos()), b.p.offset(b.stmt.End()), text)}
}
