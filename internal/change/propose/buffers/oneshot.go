package buffers

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

// OneShot calls the function that hashes a text at once.
var OneShot = prove.Transformation{
	Name:     "hash-at-once",
	Doc:      "A hash of package crypto that is made, written to once and asked for its sum becomes one call, such as sha256.Sum256, whose sum is an array. Several texts are put together before, on the stack if they are short.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "hash-at-once", "BenchmarkName", "allocs", "no allocation for a sum", 0),
	// It looks at the hashes that the lines of the target and of its module's frames name.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line, definesHash, func(*buffer) bool { return true }) {
			ch, why := proposeOneShot(&hashing{buffer: b, made: b.made.(*ast.CallExpr)})
			s.Add(b.v.Name()+" hashes what is there at once", ch, why)
		}
	}),
}

// atOnce are the functions that return the sum of some bytes, by what makes a hash: both in one package, which says so.
var atOnce = map[string]string{
	"crypto/md5.New": "Sum", "crypto/sha1.New": "Sum", "crypto/sha256.New": "Sum256", "crypto/sha256.New224": "Sum224",
	"crypto/sha512.New": "Sum512", "crypto/sha512.New384": "Sum384", "crypto/sha512.New512_224": "Sum512_224", "crypto/sha512.New512_256": "Sum512_256",
}

// A hashing is a local hash with the calls that it is for.
type hashing struct {
	*buffer
	made   *ast.CallExpr
	writes []hashWrite
	sum    *ast.CallExpr
	io     []ast.Node // the functions of package io that are called no more
}

// A hashWrite is a statement that writes to a hash.
type hashWrite struct {
	stmt  ast.Stmt
	call  *ast.CallExpr
	bytes ast.Expr // what it writes
	text  bool     // that is a string
}

// definesHash returns the variable that a statement defines as a new hash.
func definesHash(info *types.Info, s ast.Stmt) (*types.Var, ast.Expr) {
	v, _, made := defines(info, s)
	call, ok := made.(*ast.CallExpr)
	if v == nil || !ok {
		return nil, nil
	}
	fn := code.Callee(info, call)
	if _, named := ast.Unparen(call.Fun).(*ast.SelectorExpr); !named || fn == nil || atOnce[fn.FullName()] == "" {
		return nil, nil
	}
	return v, call
}

func proposeOneShot(x *hashing) (*model.Change, *prove.Reason) {
	f := x.fn.File
	var why *prove.Reason
	x.uses(func(id *ast.Ident) {
		if why == nil {
			why = x.see(id)
		}
	})
	if why == nil {
		why = x.order()
	}
	if why != nil {
		return nil, why
	}
	imports, ok := x.p.Reimport(f, x.def.Pos(), nil, "io", x.io...)
	name := code.FirstFree(x.fn.Decl, "sum", "digest", "hashed")
	if !ok || name == "" {
		return nil, prove.Refuse("no name is free for the sum")
	}
	data := model.Obligation{Text: "the data are those of the write", How: "proven", Why: "the sum is made where they were written; the write keeps nothing of them"}
	if x.single() {
		x.rewrite(name)
	} else {
		if why := x.gather(name); why != nil {
			return nil, why
		}
		data = model.Obligation{Text: "the data are those of the writes", How: "proven", Why: "each is appended where it was written, and all of them before the sum; none is in a loop of its own"}
	}
	return x.p.Change(x.fn, append(imports, x.edits...), model.Change{
		Kind:  "hash-at-once",
		Title: fmt.Sprintf("%s: hash at once in %s", f.Pkg.Name, x.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same sum comes out", How: "assumed", Why: "package " + code.Callee(x.fn.Info(), x.made).Pkg().Path() + ": " + x.function() + " returns the checksum of the data"},
			{Text: "nothing else knows the hash", How: "proven", Why: "all its uses are writes and one sum, which comes after them each time"},
			data,
			{Text: "the sum is nobody else's", How: "proven", Why: "its array is new each time, and is sliced once"},
		},
	})
}

// see sorts one use of the hash, or says why it must stay one.
func (x *hashing) see(id *ast.Ident) *prove.Reason {
	f, info := x.fn.File, x.fn.Info()
	if f.Literal(id) != f.Literal(x.def) {
		return prove.Refuse("a function literal uses it")
	}
	switch up := f.Parent(id).(type) {
	case *ast.CallExpr:
		if code.IsFunc(info, up, "io", "WriteString") && up.Args[0] == id {
			x.io = append(x.io, up.Fun)
			return x.written(up, up.Args[1], true)
		}
	case *ast.SelectorExpr:
		call, ok := f.Parent(up).(*ast.CallExpr)
		switch {
		case !ok || call.Fun != up:
		case up.Sel.Name == "Write":
			return x.written(call, call.Args[0], false)
		case up.Sel.Name == "Sum" && x.sum == nil:
			x.sum = call
			return nil
		case up.Sel.Name == "Sum":
			return prove.Refuse("it is asked for its sum twice")
		}
	}
	return prove.Refuse("it is not only written to once and asked for its sum (" + x.p.Pos(id.Pos()).String() + ")")
}

func (x *hashing) written(call *ast.CallExpr, what ast.Expr, text bool) *prove.Reason {
	stmt := x.statement(call)
	if stmt == nil {
		return prove.Refuse("what Write returns is used, or the call is deferred")
	}
	x.writes = append(x.writes, hashWrite{stmt: stmt, call: call, bytes: what, text: text})
	return nil
}

// single reports whether one write has all, and comes each time.
func (x *hashing) single() bool {
	return len(x.writes) == 1 && x.fn.File.Parent(x.writes[0].stmt) == x.fn.File.Parent(x.def)
}

// order says why the sum does not come after all writes each time, in no loop of its own.
func (x *hashing) order() *prove.Reason {
	f := x.fn.File
	switch {
	case len(x.writes) == 0 || x.sum == nil:
		return prove.Refuse("it is not written to, or not asked for its sum")
	case f.Later(x.sum):
		return prove.Refuse("its sum is asked for in a defer or go statement")
	case f.Commented(x.def) || f.Commented(x.sum):
		return prove.Refuse("there is a comment within its calls")
	case !code.Predeclared(x.fn.Obj.Pkg(), x.sum.Pos(), "append", "byte", "nil"):
		return prove.Refuse("append, byte or nil means something else there")
	case code.Any(x.fn.Decl, func(s *ast.BranchStmt) bool { return s.Tok == token.GOTO }):
		return prove.Refuse("the function has a goto")
	}
	pkg := ast.Unparen(x.made.Fun).(*ast.SelectorExpr).X.(*ast.Ident)
	for _, w := range x.writes {
		switch {
		case f.Commented(w.stmt):
			return prove.Refuse("there is a comment within its calls")
		case code.StmtList(f.Parent(w.stmt)) == nil:
			return prove.Refuse("it is written to in the head of a statement")
		case w.stmt.Pos() < x.def.Pos() || x.sum.Pos() < w.stmt.End() || f.Loop(w.stmt) != f.Loop(x.def):
			return prove.Refuse("it is written to after it is asked for its sum, or in a loop")
		case !code.Predeclared(x.fn.Obj.Pkg(), w.stmt.Pos(), "append", "byte"):
			return prove.Refuse("append or byte means something else there")
		case !x.sameName(pkg, w.stmt.Pos()):
			return prove.Refuse(pkg.Name + " means something else where it is written to")
		}
	}
	if f.Loop(x.sum) != f.Loop(x.def) || code.Any(x.below(), func(s *ast.ForStmt) bool { return code.Within(s, x.sum) }) {
		return prove.Refuse("it is asked for its sum in a loop")
	}
	return nil
}

// below is the list that the definition stands in.
func (x *hashing) below() ast.Node { return x.fn.File.Parent(x.def) }

// sameName reports whether the package's name means it at another place as well.
func (x *hashing) sameName(pkg *ast.Ident, at token.Pos) bool {
	_, obj := x.fn.Obj.Pkg().Scope().Innermost(at).LookupParent(pkg.Name, at)
	return obj == x.fn.Info().Uses[pkg]
}

// function returns the function that hashes at once.
func (x *hashing) function() string { return atOnce[code.Callee(x.fn.Info(), x.made).FullName()] }

// call writes the call that hashes at once.
func (x *hashing) call(name, data string) string {
	return fmt.Sprintf("%s := %s.%s(%s)", name, x.p.Source(x.fn.File, ast.Unparen(x.made.Fun).(*ast.SelectorExpr).X), x.function(), data)
}

func (x *hashing) rewrite(name string) {
	f, p, w := x.fn.File, x.p, x.writes[0]
	x.edits = append(x.edits, p.Drop(f, x.def))
	data := p.Source(f, w.bytes)
	if w.text {
		data = "[]byte(" + data + ")"
	}
	x.put(w.stmt.Pos(), w.stmt.End(), x.call(name, data))
	x.put(x.sum.Pos(), x.sum.End(), x.behind(name+"[:]"))
}

// usualHashed is how many bytes several texts have on the stack. Longer ones go to the heap, as each did before.
const usualHashed = 128

// gather appends what is written to a slice, and hashes that before the statement that asks for the sum.
func (x *hashing) gather(name string) *prove.Reason {
	f, p, stmt := x.fn.File, x.p, x.asking()
	data := code.FirstFree(x.fn.Decl, "data", "buf", "text")
	pkg := ast.Unparen(x.made.Fun).(*ast.SelectorExpr).X.(*ast.Ident)
	switch {
	case data == "" || !code.Predeclared(x.fn.Obj.Pkg(), x.def.Pos(), "make", "byte"):
		return prove.Refuse("no name is free for the data")
	case !x.sameName(pkg, stmt.Pos()):
		return prove.Refuse(pkg.Name + " means something else where the sum is asked for")
	}
	x.put(x.def.Pos(), x.def.End(), fmt.Sprintf("%s := make([]byte, 0, %d)", data, usualHashed))
	for _, w := range x.writes {
		from, to, all := x.operand(w)
		switch {
		case from == nil:
			return prove.Refuse(types.ExprString(w.bytes) + " may be long, and is not copied before it is hashed")
		case stmt.Pos() < w.stmt.End():
			return prove.Refuse("it is written to in the statement that asks for its sum")
		}
		x.put(w.stmt.Pos(), from.Pos(), data+" = append("+data+", ")
		x.put(to.End(), w.stmt.End(), all+")")
	}
	x.edits = append(x.edits, p.Insert(f, stmt.Pos(), x.call(name, data)+"\n"))
	x.put(x.sum.Pos(), x.sum.End(), x.behind(name+"[:]"))
	return nil
}

// asking returns the statement of a list that asks for the sum.
func (x *hashing) asking() ast.Stmt {
	f := x.fn.File
	for n := ast.Node(x.sum); ; n = f.Parent(n) {
		switch s := n.(type) {
		case *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			if slices.Contains(code.StmtList(f.Parent(s)), s) {
				return s
			}
		}
	}
}

// operand returns what append is given for a write, from an expression to another, and what spreads it. It is of bytes that are
// a copy as they are, or of as few as an array or a literal has; nil for others.
func (x *hashing) operand(w hashWrite) (from, to ast.Expr, all string) {
	info := x.fn.Info()
	if w.text {
		return w.bytes, w.bytes, "..."
	}
	e := ast.Unparen(w.bytes)
	if text, _ := code.Converted(info, e); text != nil {
		return text, text, "..."
	}
	switch b := e.(type) {
	case *ast.CompositeLit:
		if len(b.Elts) > 0 && !slices.ContainsFunc(b.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
			return b.Elts[0], b.Elts[len(b.Elts)-1], ""
		}
	case *ast.SliceExpr:
		if n, ok := code.ArrayLen(info.TypeOf(b.X)); ok && n <= usualHashed {
			return e, e, "..."
		}
	}
	return nil, nil, ""
}

// behind writes a sum behind what Sum is given. Its result is of type []byte, whatever that is; where nobody takes it, append
// must be given to something.
func (x *hashing) behind(sum string) string {
	f, info, to := x.fn.File, x.fn.Info(), x.sum.Args[0]
	if !code.IsNil(info, to) {
		text := x.p.Source(f, to)
		if !types.Identical(info.TypeOf(to), info.TypeOf(x.sum)) {
			text = "[]byte(" + text + ")"
		}
		sum = "append(" + text + ", " + sum + "...)"
	}
	if _, alone := f.Parent(x.sum).(*ast.ExprStmt); alone {
		sum = "_ = " + sum
	}
	return sum
}
