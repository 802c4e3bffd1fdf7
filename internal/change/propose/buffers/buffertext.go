package buffers

import (
	"cmp"
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

// BufferText appends to a slice what is written to a buffer only to be read as text.
var BufferText = prove.Transformation{
	Name:     "buffer-to-bytes",
	Doc:      "A local bytes.Buffer or strings.Builder that is only written to and read as a string becomes a []byte that is appended to, which begins on the stack. So does a buffer whose bytes are returned, as a copy of just the size, or are only read, as by sha256.Sum256.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "buffer-to-bytes", "BenchmarkGroup", "allocs", "only the text itself is allocated", 0),
	// It looks at the buffers that the lines of the target and of its module's frames
	// name: it is package bytes that allocates.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, f := range buffersAt(s.Program, s.Fn, s.At.Line, definesBuffer, (*buffer).read) {
			if size := f.begins(s.Target); size > 0 {
				ch, why := proposeBufferText(f, size)
				s.Add(f.v.Name()+" is a "+f.kind(), ch, why)
			}
		}
	}),
}

// A buffer is a variable that is a bytes.Buffer or a strings.Builder, or points to one that
// nothing else knows.
type buffer struct {
	p       *prove.Program
	fn      *prove.Function
	v       *types.Var
	def     ast.Stmt
	made    ast.Expr // what it is defined as: what names package bytes there
	edits   []model.Edit
	paths   []string
	assumed []string
	lent    bool // its bytes are given to what only reads them
}

// buffersAt returns the buffers that a line names, of those that are defined and used as they must be.
func buffersAt(p *prove.Program, fn *prove.Function, line int, definition func(*types.Info, ast.Stmt) (*types.Var, ast.Expr), wanted func(*buffer) bool) []*buffer {
	named := map[types.Object]bool{}
	defs := map[types.Object]*buffer{}
	for n := range code.All[ast.Node](fn.Decl.Body) {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := fn.Info().ObjectOf(n).(*types.Var); ok && p.Covers(n, line) {
				named[v] = true
			}
		case ast.Stmt:
			if v, made := definition(fn.Info(), n); v != nil && code.StmtList(fn.File.Parent(n)) != nil {
				defs[v] = &buffer{p: p, fn: fn, v: v, def: n, made: made}
			}
		}
	}
	var found []*buffer
	for v, b := range defs {
		if named[v] && wanted(b) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b *buffer) int { return cmp.Compare(a.v.Pos(), b.v.Pos()) })
	return found
}

// defines returns the one variable that a statement defines, with its type where it has no value, and else with its
// value.
func defines(info *types.Info, s ast.Stmt) (v *types.Var, typ, value ast.Expr) {
	id, typ, value := code.Declared(s)
	if d, ok := s.(*ast.DeclStmt); ok && (value != nil || d.Decl.(*ast.GenDecl).Lparen.IsValid()) {
		return nil, nil, nil
	}
	v, _ = info.Defs[id].(*types.Var)
	return v, typ, value
}

// definesBuffer returns the variable that a statement defines as an empty buffer.
func definesBuffer(info *types.Info, s ast.Stmt) (*types.Var, ast.Expr) {
	v, typ, value := defines(info, s)
	if v == nil || !code.IsNamed(v.Type(), "bytes", "Buffer") && !code.IsNamed(v.Type(), "strings", "Builder") {
		return nil, nil
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	switch {
	case value == nil && !pointer:
		return v, typ
	case value != nil && prove.NewBuffer(info, value):
		return v, value
	}
	return nil, nil
}

// kind names the type.
func (b *buffer) kind() string {
	return strings.TrimPrefix(types.TypeString(b.v.Type(), nil), "*")
}

// The sizes in bytes of the array on the stack: the usual one, and the most where a benchmark says how much is written. With
// 1024, a builder's text of 24 to 1000 bytes takes 0.3 to 0.5 times as long, one of 8 bytes 1.3 times, and a longer one 0.7 to 0.9
// times. The bytes of a buffer take 0.2 to 1.1 times as long, whatever their number; what is more than the array and written
// at once takes twice as long, as it is copied once more.
const (
	usualText  = 64
	usualBytes = 512
	mostText   = 1024
)

// begins returns with room for how many bytes the slice begins; 0 where the text is too long for the
// stack, so that a builder, whose text is its memory, does with less, and so does what returns a buffer's. A buffer that
// grew by doubling has half of its size on average.
func (b *buffer) begins(t model.Target) int {
	size := usualText
	if b.calls("Bytes") {
		size = usualBytes
	}
	if t.Bytes == 0 || t.PerOp == 0 {
		return size
	}
	for size < mostText && float64(size) < 2*t.Bytes/t.PerOp {
		size *= 2
	}
	if float64(size) < t.Bytes/t.PerOp && (b.kind() == "strings.Builder" || b.calls("Bytes")) {
		return 0
	}
	return size
}

// calls reports whether one of some methods is called.
func (b *buffer) calls(methods ...string) (found bool) {
	b.uses(func(id *ast.Ident) {
		sel, ok := b.fn.File.Parent(id).(*ast.SelectorExpr)
		found = found || ok && slices.Contains(methods, sel.Sel.Name)
	})
	return found
}

func (b *buffer) uses(do func(id *ast.Ident)) {
	for id := range prove.UsesIn(b.fn.Info(), b.fn.Decl.Body, b.v) {
		do(id)
	}
}

// read reports whether the text of the buffer is asked for, or its bytes. Of a builder, whose text needs no copy, it is
// asked for once before the function ends, and it has not been given room before.
func (b *buffer) read() bool {
	builder := b.kind() == "strings.Builder"
	asked, once := 0, true
	b.uses(func(id *ast.Ident) {
		sel, ok := b.fn.File.Parent(id).(*ast.SelectorExpr)
		switch {
		case ok && sel.Sel.Name == "String":
			asked++
			once = once && (b.returned(id) || asked == 1 && b.fn.File.Loop(id) == b.fn.File.Loop(b.def))
		case ok && sel.Sel.Name == "Grow":
			once = false
		}
	})
	return asked > 0 && once || !builder && b.calls("String", "Bytes")
}

// returned reports whether a use of the buffer is part of a return statement.
func (b *buffer) returned(id *ast.Ident) bool {
	for n := b.fn.File.Parent(id); n != nil; n = b.fn.File.Parent(n) {
		switch n.(type) {
		case *ast.ReturnStmt:
			return true
		case ast.Stmt:
			return false
		}
	}
	return false
}

func proposeBufferText(b *buffer, size int) (*model.Change, *prove.Reason) {
	f := b.fn.File
	if f.Commented(b.def) {
		return nil, prove.Refuse("there is a comment within its definition")
	}
	name := b.v.Name()
	b.put(b.def.Pos(), b.def.End(), fmt.Sprintf("%s := make([]byte, 0, %d)", name, size))
	var why *prove.Reason
	b.uses(func(id *ast.Ident) {
		if why == nil {
			why = b.use(id)
		}
	})
	if why != nil {
		return nil, why
	}
	path, _, _ := strings.Cut(b.kind(), ".")
	imports, ok := b.p.Reimport(f, b.def.Pos(), b.paths, path, b.made)
	if !ok {
		return nil, prove.Refuse(strings.Join(b.paths, ", ") + " cannot be imported in " + f.Name)
	}
	return b.p.Change(b.fn, append(imports, b.edits...), model.Change{
		Kind:        "buffer-to-bytes",
		Title:       fmt.Sprintf("%s: append to bytes what %s gets in %s", f.Pkg.Name, name, b.fn.Obj.Name()),
		Obligations: b.obligations(),
	})
}

func (b *buffer) obligations() []model.Obligation {
	all := []model.Obligation{
		{Text: "nothing else knows " + b.v.Name(), How: "proven", Why: "all its uses are calls that write to it, ask for its length or copy what it holds"},
		{Text: "the same bytes are written", How: "assumed", Why: b.kind() + ": writes append to it and return no error; fmt: Appendf formats as Fprintf does"},
	}
	if b.lent {
		all = append(all, model.Obligation{Text: "no bytes and nil are the same to what reads them", How: "assumed",
			Why: "they are given to functions of the standard library that take bytes, or to an io.Writer, and nothing that these return is a part of them"})
	}
	for _, says := range b.assumed {
		all = append(all, model.Obligation{Text: "what Truncate is given is not negative", How: "assumed", Why: says})
	}
	return all
}

func (b *buffer) put(from, to token.Pos, text string) {
	b.edits = append(b.edits, b.p.Put(b.fn.File, from, to, text))
}
