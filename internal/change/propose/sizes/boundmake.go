package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/sizes/bounds"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// BoundMake makes a buffer of a size that the compiler can see.
var BoundMake = prove.Transformation{
	Name: "constant-make",
	Doc: "A local slice goes to the heap only since its size is not constant: it is made for a constant bound of the size, or takes an array on the stack where it fits. " +
		"So does a copy of the bytes or runes of a text.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "constant-make", "BenchmarkReverse", "allocs", "a buffer of constant size stays on the stack", 2),
	// It looks at the makes and copies on the target's line.
	Propose: prove.At(prove.Unless(escapesAnyway, prove.Here), func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeBoundMake(b, s.Target)
			s.Add(b.name.Name+" goes to the heap for its size", ch, why)
		}
	}),
}

// Sizes of buffers on the stack, in bytes: what they may come to, and what is taken for the usual size where nothing is
// measured. Where the values do not fit, 1024 bytes for nothing take about as long as one allocation.
const (
	maxStack   = 1024
	usualStack = 64
)

// A buffer is v := make([]T, n) or v := make([]T, 0, n) with a size that is
// not constant, or v := []byte(s) or []rune(s). Other variables may be declared with it.
type buffer struct {
	p     *prove.Program
	fn    *prove.Function
	v     *types.Var
	name  *ast.Ident
	stmt  *ast.AssignStmt
	nth   int // its place in the statement
	make  *ast.CallExpr
	size  ast.Expr // n; nil for a copy
	text  ast.Expr // what it is a copy of; nil for a make
	empty bool     // its length is 0
	elem  types.Type
	exact bool // it must have the room that make gave it, since code may tell
}

// escapesAnyway reports whether the compiler names a make or a conversion at the target that
// goes to the heap for another reason than its size.
func escapesAnyway(t model.Target) bool {
	for _, n := range t.Notes {
		made := strings.HasPrefix(n.Message, "make(") || strings.HasPrefix(n.Message, "([]")
		if n.Kind != model.NoteEscape || !made || len(n.Chain) == 0 || n.At().Line != t.At.Line {
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
func buffersAt(p *prove.Program, fn *prove.Function, line int) []*buffer {
	var found []*buffer
	info := fn.Info()
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		alone := len(a.Lhs) == 1 && (a.Tok == token.DEFINE || a.Tok == token.ASSIGN)
		if len(a.Lhs) != len(a.Rhs) || !alone && !severable(info, a) || !p.Covers(a, line) || code.StmtList(fn.File.Parent(a)) == nil {
			continue
		}
		for i, x := range a.Rhs {
			call, ok := x.(*ast.CallExpr)
			name, isName := a.Lhs[i].(*ast.Ident)
			if !ok || !isName || len(call.Args) == 0 {
				continue
			}
			b := &buffer{p: p, fn: fn, stmt: a, nth: i, make: call, name: name}
			slice, isSlice := code.Core(info.TypeOf(call)).(*types.Slice)
			b.v, _ = info.ObjectOf(b.name).(*types.Var)
			if !isSlice || b.v == nil || !code.Local(b.v) || !types.Identical(b.v.Type(), info.TypeOf(call)) {
				continue
			}
			if b.elem = slice.Elem(); b.reads(info) {
				found = append(found, b)
			}
		}
	}
	return found
}

// severable reports whether declarations in one statement could be one after the other: all are of new variables, none
// reads a name that is declared before it, and no call could change what another reads.
func severable(info *types.Info, a *ast.AssignStmt) bool {
	declared := map[string]bool{}
	for i, x := range a.Rhs {
		if code.Any(x, func(n ast.Node) bool { return !still(info, n) }) || code.Any(x, func(id *ast.Ident) bool { return declared[id.Name] }) {
			return false
		}
		name, _ := a.Lhs[i].(*ast.Ident)
		if name == nil || info.Defs[name] == nil {
			return false
		}
		declared[name.Name] = true
	}
	return a.Tok == token.DEFINE
}

// still reports whether a part of an expression changes nothing, and cannot panic but for a size.
func still(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return info.Types[n.Fun].IsType() || code.Builtin(info, n) == "make" || code.Builtin(info, n) == "len"
	case *ast.SelectorExpr:
		return info.Selections[n] == nil
	case *ast.BinaryExpr:
		return n.Op == token.ADD || n.Op == token.SUB || n.Op == token.MUL
	case *ast.Ident, *ast.BasicLit, *ast.ArrayType, *ast.ParenExpr:
		return true
	}
	return false
}

// reads reports whether a buffer is of a size that is not constant, or a copy of such a text.
func (b *buffer) reads(info *types.Info) bool {
	args := b.make.Args
	if code.Builtin(info, b.make) != "make" {
		b.text, b.empty = args[0], true
		parts := code.IsBytes(b.v.Type()) || types.Identical(b.elem, types.Typ[types.Rune])
		return parts && info.Types[b.make.Fun].IsType() && code.IsString(info.TypeOf(b.text)) && info.Types[b.text].Value == nil
	}
	if len(args) == 3 {
		zero, ok := prove.ConstInt(info, args[1])
		if b.empty = ok && zero == 0; !b.empty {
			return false
		}
	}
	b.size = args[len(args)-1]
	return len(args) > 1 && info.Types[b.size].Value == nil
}

func proposeBoundMake(b *buffer, t model.Target) (*model.Change, *prove.Reason) {
	p, fn := b.p, b.fn
	if code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	local, why := b.local()
	if why != nil {
		return nil, why
	}
	var limit bounds.Bound
	if b.size != nil {
		limit = bounds.Bounder{Prog: p, Fn: fn, At: b.stmt, Depth: 0}.Of(b.size)
	}
	if code.Generic(b.elem) {
		return nil, prove.Refuse("how large an element is depends on a type parameter")
	}
	width := fn.File.Pkg.TypesSizes.Sizeof(b.elem)
	if width == 0 {
		return nil, prove.Refuse("its elements take no memory")
	}
	obligations, edits := []model.Obligation{local}, []model.Edit(nil)
	title := ""
	if limit.Known && (b.empty && limit.Least || !limit.Assumed) && limit.Max >= 0 && limit.Max*width <= maxStack {
		text := b.constant(limit)
		obligations = append(obligations, bounded(b, limit))
		edits = b.boundEdits(text)
		title = fmt.Sprintf("%s: make %s in %s for %s elements at most", fn.File.Pkg.Name, b.name.Name, fn.Obj.Name(), text)
	} else {
		size, o, why := b.usual(limit, t, width)
		if why != nil {
			return nil, why
		}
		if why := b.arrayFits(); why != nil {
			return nil, why
		}
		edits = b.arrayEdits(size/width, limit.Least)
		obligations = append(obligations, o)
		title = fmt.Sprintf("%s: keep %s in %s on the stack up to %d bytes", fn.File.Pkg.Name, b.name.Name, fn.Obj.Name(), size)
	}
	return p.Change(fn, edits, model.Change{Kind: "constant-make", Title: title, Obligations: obligations})
}

// local argues that the buffer could be on the stack, and that nothing can
// tell how much room it has.
func (b *buffer) local() (model.Obligation, *prove.Reason) {
	o := model.Obligation{Text: "nothing refers to " + b.name.Name + " after the call, or can tell how much room it has", How: "proven",
		Why: "it is indexed, sliced within its length, copied, converted and grown by append into itself"}
	fl := b.p.FlowOf(b.fn, b.v)
	if why := b.p.Outlives(fl, b.fn.File, b.stmt); why != nil {
		return o, why
	}
	if b.v.Kind() == types.ResultVar {
		return o, prove.Refuse(b.name.Name + " is a result")
	}
	beyond, called := b.beyond(b.fn, fl), b.beyondCalled(fl, map[*types.Func]bool{})
	if b.text == nil {
		beyond = cmp.Or(beyond, called)
	}
	if !b.empty {
		if b.exact = beyond != nil || fl.CapSeen || len(fl.Extends) > 0; b.exact {
			o.Text, o.Why = "nothing refers to "+b.name.Name+" after the call", "it is used in the function alone, and has no more room than before"
		}
		return prove.Assuming(o, fl.Assumed), nil
	}
	if why := cmp.Or(beyond, (&growing{counter: counter{b.p, b.fn, b.use()}}).shows()); why != nil {
		return o, why
	}
	if called != nil {
		o.How, o.Why = "assumed", "the language does not say how much room a copy of a text has, so that nothing can rely on more than its length"
	}
	return prove.Assuming(o, fl.Assumed), nil
}

// use returns a use of the buffer's variable.
func (b *buffer) use() ast.Expr {
	for id := range code.All[*ast.Ident](b.fn.Decl.Body) {
		if b.fn.Info().Uses[id] == b.v {
			return id
		}
	}
	return b.name
}

// beyond says where a function may slice the buffer beyond its length: how far that works depends on its room.
func (b *buffer) beyond(fn *prove.Function, fl *flow.Flow) *prove.Reason {
	for s := range code.All[*ast.SliceExpr](fn.Decl.Body) {
		from := ast.Unparen(s.X)
		for cut, ok := from.(*ast.SliceExpr); ok; cut, ok = from.(*ast.SliceExpr) {
			from = ast.Unparen(cut.X)
		}
		if id, ok := from.(*ast.Ident); ok && fl.Tracks(id) && !prove.Shortens(fn.Info(), s) {
			return prove.Refuse("it may be sliced beyond its length at " + b.p.Pos(s.Pos()).String())
		}
	}
	return nil
}

// beyondCalled is beyond for the functions of the module that are called with the buffer.
func (b *buffer) beyondCalled(fl *flow.Flow, seen map[*types.Func]bool) *prove.Reason {
	for _, h := range fl.Calls {
		called := b.p.Function(h.Fn)
		if called == nil || !b.p.InModule(h.Fn) || seen[called.Obj] {
			continue
		}
		seen[called.Obj] = true
		v := called.Obj.Signature().Recv()
		if h.Index >= 0 {
			v = called.Obj.Signature().Params().At(h.Index)
		}
		its := b.p.FlowOf(called, v)
		if why := cmp.Or(b.beyond(called, its), b.beyondCalled(its, seen)); why != nil {
			return why
		}
	}
	return nil
}

// constant writes the bound: in the words of the source where these name
// something and come to the value that was worked out, else as that number.
func (b *buffer) constant(limit bounds.Bound) string {
	tv, err := types.Eval(b.p.Fset, b.fn.Obj.Pkg(), b.stmt.Pos(), limit.Text)
	named := strings.ContainsFunc(limit.Text, unicode.IsLetter)
	if err == nil && named && tv.Value != nil && tv.Value.ExactString() == fmt.Sprint(limit.Max) {
		return limit.Text
	}
	return fmt.Sprint(limit.Max)
}

func bounded(b *buffer, limit bounds.Bound) model.Obligation {
	o := model.Obligation{Text: types.ExprString(b.size) + " is at most " + b.constant(limit), How: "proven", Why: limit.Why}
	if limit.Assumed {
		o.How, o.Why = "assumed", limit.Why+"; append would grow it if there were more"
	}
	return o
}

// boundEdits gives the buffer a constant capacity.
func (b *buffer) boundEdits(text string) []model.Edit {
	f := b.fn.File
	switch {
	case b.exact:
		n, first := b.counted()
		edits := []model.Edit{b.p.Put(f, b.size.Pos(), b.make.End(), fmt.Sprintf("%s)[:%[2]s:%[2]s]", text, n))}
		if first != "" {
			edits = append(edits, b.p.Insert(f, b.stmt.Pos(), strings.TrimSuffix(first, "; ")+"\n"))
		}
		return edits
	case b.empty:
		return []model.Edit{b.p.Put(f, b.size.Pos(), b.size.End(), text)}
	}
	return []model.Edit{b.p.Insert(f, b.size.End(), ", "+text)}
}

// usual decides how large an array on the stack should be where the size has
// no bound.
func (b *buffer) usual(limit bounds.Bound, t model.Target, width int64) (int64, model.Obligation, *prove.Reason) {
	o := model.Obligation{How: "assumed"}
	unbound := "how long the text is is not known"
	if b.size != nil {
		unbound = "no bound of " + types.ExprString(b.size) + " is known"
	}
	if limit.Known && limit.Max*width > maxStack && t.Bytes == 0 {
		return 0, o, prove.Refusef("%d bytes are too many for the stack", limit.Max*width)
	}
	size := max(usualStack, 8*width)
	if b.text != nil {
		size = usualStack * width // the compiler has room for half of it, and that did not do
	}
	o.Why = "a larger one is made as before; measurement decides whether this pays"
	each := 0.0
	if t.Bytes > 0 && t.PerOp > 0 {
		each = t.Bytes / t.PerOp
		o.Why = fmt.Sprintf("the benchmark's needs %.0f; a larger one is made as before", each)
	}
	for size < maxStack && float64(size) < each {
		size *= 2
	}
	if size > maxStack || float64(size) < each {
		return 0, o, prove.Refusef("%s, and its %.0f bytes are too many for the stack", unbound, max(each, float64(size)))
	}
	if back, _ := b.p.Reaches(b.p.EdgesOf(b.fn), b.fn.Obj.FullName()); back && size > usualStack {
		return 0, o, prove.Refusef("%s, and %s may call itself: each call would take %d bytes of stack", unbound, b.fn.Obj.Name(), size)
	}
	o.Text = fmt.Sprintf("it usually needs no more than %d bytes", size)
	return size, o, nil
}

// arrayFits says why an array cannot be written in the place of the make or copy.
func (b *buffer) arrayFits() *prove.Reason {
	switch {
	case !code.Predeclared(b.fn.Obj.Pkg(), b.stmt.Pos(), "append", "len", "make"):
		return prove.Refuse("append, len or make means something else there")
	case b.hides():
		return prove.Refuse("its size or type reads " + b.name.Name)
	case b.fn.File.Commented(b.stmt):
		return prove.Refuse("a comment stands in it")
	}
	return nil
}

// arrayEdits lets the buffer start in an array of some elements where it fits. A size that may be negative panics as before.
func (b *buffer) arrayEdits(size int64, positive bool) []model.Edit {
	f, name := b.fn.File, b.name.Name
	array := code.FreeLocal(b.fn.Decl, "small")
	typ := b.p.Source(f, b.make.Fun)
	if b.size != nil {
		typ = b.p.Source(f, b.make.Args[0])
	}
	empty, declared := array+"[:0]", ""
	if _, plain := types.Unalias(b.v.Type()).(*types.Slice); !plain {
		empty = typ + "(" + empty + ")"
	}
	if b.stmt.Tok == token.DEFINE {
		declared = "var " + name + " " + typ + "\n"
	}
	text := fmt.Sprintf("var %s [%d]%s // on the stack, large enough for most\n", array, size, b.p.TypeText(b.fn, b.elem, nil))
	switch {
	case b.size != nil:
		text += b.made(array, empty, typ, declared, size, positive)
	case code.IsBytes(b.v.Type()):
		text += fmt.Sprintf("%s %s append(%s, %s...)", name, b.stmt.Tok, empty, b.p.Source(f, b.text))
	default:
		text += b.runes(array, typ, declared)
	}
	return []model.Edit{b.p.Put(f, b.stmt.Pos(), b.stmt.End(), b.among(text))}
}

// among puts what declares the buffer between the declarations of the others of its statement.
func (b *buffer) among(text string) string {
	lines := make([]string, len(b.stmt.Rhs))
	for i, x := range b.stmt.Rhs {
		lines[i] = b.p.Source(b.fn.File, b.stmt.Lhs[i]) + " := " + b.p.Source(b.fn.File, x)
	}
	lines[b.nth] = text
	return strings.Join(lines, "\n")
}

// made writes what makes the buffer of the array, or where its size is too large for that, as before.
func (b *buffer) made(array, empty, typ, declared string, size int64, positive bool) string {
	name := b.name.Name
	n, head := b.counted()
	most, below, above := "len("+array+")", n, n
	if !types.Identical(types.Default(b.fn.Info().TypeOf(b.size)), types.Typ[types.Int]) {
		most = fmt.Sprint(size)
	}
	if !positive {
		below, above = n+" < 0 || "+n, "0 <= "+n+" && "+n
	}
	if b.empty {
		return fmt.Sprintf("%s %s %s\nif %s%s > %s {\n\t%s = make(%s, 0, %s)\n}", name, b.stmt.Tok, empty, head, below, most, name, typ, n)
	}
	part := n
	if b.exact {
		part = n + ":" + n
	}
	return fmt.Sprintf("%sif %s%s <= %s {\n\t%s = %s[:%s]\n} else {\n\t%s = make(%s, %s)\n}",
		declared, head, above, most, name, array, part, name, typ, n)
}

// hides reports whether the statement, or what takes its place, means something else by the buffer's name, and would read
// it behind its declaration.
func (b *buffer) hides() bool {
	within := []ast.Expr{b.make.Fun}
	if b.size != nil {
		within = append(within, b.make.Args...)
	}
	name := b.name.Name
	return (b.stmt.Tok == token.DEFINE || b.empty && b.size != nil) && (slices.Contains([]string{"append", "len", "make"}, name) ||
		slices.ContainsFunc(within, func(e ast.Expr) bool {
			return code.Any(e, func(id *ast.Ident) bool { return id.Name == name })
		}))
}

// counted returns the name of the size, and what evaluates it once before a condition on it.
func (b *buffer) counted() (n, head string) {
	n = code.FreeLocal(b.fn.Decl, "n")
	if id, ok := b.size.(*ast.Ident); ok {
		return id.Name, ""
	}
	return n, fmt.Sprintf("%s := %s; ", n, b.p.Source(b.fn.File, b.size))
}

// runes writes what puts the runes of the text into the array. Those of a longer text get memory of their own, as before.
func (b *buffer) runes(array, typ, declared string) string {
	name, text, first := b.name.Name, b.p.Source(b.fn.File, b.text), ""
	if id, ok := ast.Unparen(b.text).(*ast.Ident); !ok || id.Name == name {
		first = code.FreeLocal(b.fn.Decl, "text")
		first, text = first+" := "+text+"\n", first
	}
	n, r := code.FreeLocal(b.fn.Decl, "n"), code.FreeLocal(b.fn.Decl, "r")
	return fmt.Sprintf("%[1]s%[2]sif len(%[3]s) <= len(%[4]s) {\n\t%[5]s := 0\n\tfor _, %[6]s := range %[3]s {\n\t\t%[4]s[%[5]s] = %[6]s\n\t\t%[5]s++\n\t}\n"+
		"\t%[7]s = %[4]s[:%[5]s]\n} else {\n\t%[7]s = %[8]s(%[3]s)\n}", first, declared, text, array, n, r, name, typ)
}
