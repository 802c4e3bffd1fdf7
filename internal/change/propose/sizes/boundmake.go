package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
	Name:     "constant-make",
	Doc:      "A local buffer goes to the heap only since its size is not constant: it is made for a constant bound of the size, or takes an array on the stack where it fits.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "constant-make", "BenchmarkReverse", "allocs", "a buffer of constant size stays on the stack", 2),
	// It looks at the makes on the target's line.
	Propose: prove.At(prove.Unless(escapesAnyway, prove.Here), func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeBoundMake(b, s.Target)
			s.Add(b.name.Name+" goes to the heap for its size", ch, why)
		}
	}),
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
	p     *prove.Program
	fn    *prove.Function
	v     *types.Var
	name  *ast.Ident
	stmt  *ast.AssignStmt
	make  *ast.CallExpr
	size  ast.Expr // n
	empty bool     // its length is 0
	elem  types.Type
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
func buffersAt(p *prove.Program, fn *prove.Function, line int) []*buffer {
	var found []*buffer
	info := fn.Info()
	for a := range code.All[*ast.AssignStmt](fn.Decl.Body) {
		if a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !p.Covers(a, line) {
			continue
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok || code.Builtin(info, call) != "make" || len(call.Args) < 2 {
			continue
		}
		b := &buffer{p: p, fn: fn, stmt: a, make: call, name: a.Lhs[0].(*ast.Ident), size: call.Args[len(call.Args)-1]}
		slice, isSlice := info.TypeOf(call).Underlying().(*types.Slice)
		b.v, _ = info.Defs[b.name].(*types.Var)
		if !isSlice || b.v == nil || info.Types[b.size].Value != nil || code.StmtList(fn.File.Parent(a)) == nil {
			continue
		}
		b.elem = slice.Elem()
		if len(call.Args) == 3 {
			zero, ok := prove.ConstInt(info, call.Args[1])
			b.empty = ok && zero == 0
			if !b.empty {
				continue
			}
		}
		found = append(found, b)
	}
	return found
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
	limit := bounds.Bounder{Prog: p, Fn: fn, At: b.stmt, Depth: 0}.Of(b.size)
	width := fn.File.Pkg.TypesSizes.Sizeof(b.elem)
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
		obligations = append(obligations, o)
		edits = b.arrayEdits(size)
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
	if why := cmp.Or(b.p.Outlives(fl, b.fn.File, b.stmt), b.resliced(fl)); why != nil {
		return o, why
	}
	if why := (&growing{counter: counter{b.p, b.fn, b.use()}}).shows(); why != nil {
		return o, why
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

// resliced says where the buffer may be sliced beyond its length: how far that
// works depends on its room.
func (b *buffer) resliced(fl *flow.Flow) *prove.Reason {
	for s := range code.All[*ast.SliceExpr](b.fn.Decl.Body) {
		id, ok := ast.Unparen(s.X).(*ast.Ident)
		if ok && fl.Tracks(id) && !prove.Shortens(b.fn.Info(), s) && (b.empty || s.Slice3 || b.appended()) {
			return prove.Refuse("it may be sliced beyond its length at " + b.p.Pos(s.Pos()).String())
		}
	}
	return nil
}

// appended reports whether anything is appended to the buffer.
func (b *buffer) appended() bool {
	return code.Any(b.fn.Decl.Body, func(s *ast.AssignStmt) bool {
		return len(s.Lhs) == 1 && s != b.stmt && code.Var(b.fn.Info(), s.Lhs[0]) == b.v
	})
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
	if b.empty {
		return []model.Edit{b.p.Put(f, b.size.Pos(), b.size.End(), text)}
	}
	return []model.Edit{b.p.Insert(f, b.size.End(), ", "+text)}
}

// usual decides how large an array on the stack should be where the size has
// no bound.
func (b *buffer) usual(limit bounds.Bound, t model.Target, width int64) (int64, model.Obligation, *prove.Reason) {
	o := model.Obligation{How: "assumed"}
	switch {
	case width != 1:
		return 0, o, prove.Refuse("no bound of " + types.ExprString(b.size) + " is known, and its elements are no bytes")
	case !types.Identical(types.Default(b.fn.Info().TypeOf(b.size)), types.Typ[types.Int]):
		return 0, o, prove.Refuse("no bound of " + types.ExprString(b.size) + " is known, and it is no int")
	case !limit.Least:
		return 0, o, prove.Refuse("no bound of " + types.ExprString(b.size) + " is known, and it may be negative")
	case limit.Known && limit.Max > mostStack && t.PerOp == 0:
		return 0, o, prove.Refusef("%d bytes are too many for the stack", limit.Max)
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
			return 0, o, prove.Refusef("no bound of %s is known, and its %.0f bytes are too many for the stack", types.ExprString(b.size), each)
		}
		o.Text = fmt.Sprintf("it usually needs no more than %d bytes", size)
		o.Why = fmt.Sprintf("the benchmark's needs %.0f; a larger one is made as before", each)
	}
	return size, o, nil
}

// arrayEdits lets the buffer start in an array where it fits.
func (b *buffer) arrayEdits(size int64) []model.Edit {
	f, name := b.fn.File, b.name.Name
	array := code.FreeLocal(b.fn.Decl, "small")
	n := code.FreeLocal(b.fn.Decl, "n")
	typ := b.p.Source(f, b.make.Args[0])
	elem := b.p.TypeText(b.fn, b.elem, nil)
	text := fmt.Sprintf("var %s [%d]%s // on the stack, large enough for most\n", array, size, elem)
	head := fmt.Sprintf("%s := %s; %s", n, b.p.Source(f, b.size), n)
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
	return []model.Edit{b.p.Put(f, b.stmt.Pos(), b.stmt.End(), text)}
}
