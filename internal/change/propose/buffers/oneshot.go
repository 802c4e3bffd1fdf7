package buffers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// OneShot calls the function that hashes a text at once.
var OneShot = prove.Transformation{
	Name:     "hash-at-once",
	Doc:      "A hash of package crypto that is made, written to once and asked for its sum becomes one call, such as sha256.Sum256, whose sum is an array.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "hash-at-once", "BenchmarkName", "allocs", "no allocation for a sum", 0),
	// It looks at the hashes that the lines of the target and of its module's frames name.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line, definesHash, func(*buffer) bool { return true }) {
			ch, why := proposeOneShot(&hashing{buffer: b, made: b.made.(*ast.CallExpr)})
			s.Add(b.v.Name()+" hashes one text", ch, why)
		}
	}),
}

// atOnce are the functions that return the sum of some bytes, by what makes a hash: both in one package, which says so.
var atOnce = map[string]string{
	"crypto/md5.New": "Sum", "crypto/sha1.New": "Sum", "crypto/sha256.New": "Sum256", "crypto/sha256.New224": "Sum224",
	"crypto/sha512.New": "Sum512", "crypto/sha512.New384": "Sum384", "crypto/sha512.New512_224": "Sum512_224", "crypto/sha512.New512_256": "Sum512_256",
}

// A hashing is a local hash with the three calls that it is for.
type hashing struct {
	*buffer
	made  *ast.CallExpr
	wrote ast.Stmt // the statement that writes
	bytes ast.Expr // what it writes
	text  bool     // that is a string
	sum   *ast.CallExpr
	io    ast.Node // the function of package io that is called no more
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
	old, removed := "", []ast.Node(nil)
	if x.io != nil {
		old, removed = "io", []ast.Node{x.io}
	}
	imports, ok := x.p.Reimport(f, x.def.Pos(), nil, old, removed...)
	name := code.FirstFree(x.fn.Decl, "sum", "digest", "hashed")
	if !ok || name == "" {
		return nil, prove.Refuse("no name is free for the sum")
	}
	x.rewrite(name)
	return x.p.Change(x.fn, append(imports, x.edits...), model.Change{
		Kind:  "hash-at-once",
		Title: fmt.Sprintf("%s: hash at once in %s", f.Pkg.Name, x.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same sum comes out", How: "assumed", Why: "package " + code.Callee(x.fn.Info(), x.made).Pkg().Path() + ": " + x.function() + " returns the checksum of the data"},
			{Text: "nothing else knows the hash", How: "proven", Why: "all its uses are one write and one sum, which come one after the other each time"},
			{Text: "the data are those of the write", How: "proven", Why: "the sum is made where they were written; the write keeps nothing of them"},
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
			x.io = up.Fun
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
	switch {
	case x.wrote != nil:
		return prove.Refuse("it is written to twice")
	case stmt == nil:
		return prove.Refuse("what Write returns is used, or the call is deferred")
	}
	x.wrote, x.bytes, x.text = stmt, what, text
	return nil
}

// order says why the three do not come one after the other each time: the write stands beside the definition, and the
// sum behind it in no loop of its own.
func (x *hashing) order() *prove.Reason {
	f := x.fn.File
	switch {
	case x.wrote == nil || x.sum == nil:
		return prove.Refuse("it is not written to, or not asked for its sum")
	case f.Later(x.sum):
		return prove.Refuse("its sum is asked for in a defer or go statement")
	case f.Commented(x.def) || f.Commented(x.wrote) || f.Commented(x.sum):
		return prove.Refuse("there is a comment within its calls")
	case f.Parent(x.wrote) != f.Parent(x.def) || x.wrote.Pos() < x.def.Pos() || x.sum.Pos() < x.wrote.End():
		return prove.Refuse("it is not always written to before it is asked for its sum")
	case !code.Predeclared(x.fn.Obj.Pkg(), x.wrote.Pos(), "append", "byte") || !code.Predeclared(x.fn.Obj.Pkg(), x.sum.Pos(), "append", "byte", "nil"):
		return prove.Refuse("append, byte or nil means something else there")
	case code.Any(x.fn.Decl, func(s *ast.BranchStmt) bool { return s.Tok == token.GOTO }):
		return prove.Refuse("the function has a goto")
	}
	if pkg := ast.Unparen(x.made.Fun).(*ast.SelectorExpr).X.(*ast.Ident); !x.sameName(pkg) {
		return prove.Refuse(pkg.Name + " means something else where it is written to")
	}
	for n := f.Parent(x.sum); n != f.Parent(x.def); n = f.Parent(n) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return prove.Refuse("it is asked for its sum in a loop")
		case nil, *ast.FuncDecl:
			return prove.Refuse("it is asked for its sum elsewhere")
		}
	}
	return nil
}

// sameName reports whether the package's name means it at the write as well.
func (x *hashing) sameName(pkg *ast.Ident) bool {
	_, obj := x.fn.Obj.Pkg().Scope().Innermost(x.wrote.Pos()).LookupParent(pkg.Name, x.wrote.Pos())
	return obj == x.fn.Info().Uses[pkg]
}

// function returns the function that hashes at once.
func (x *hashing) function() string { return atOnce[code.Callee(x.fn.Info(), x.made).FullName()] }

func (x *hashing) rewrite(name string) {
	f, p := x.fn.File, x.p
	x.edits = append(x.edits, p.Drop(f, x.def))
	data := p.Source(f, x.bytes)
	if x.text {
		data = "[]byte(" + data + ")"
	}
	x.put(x.wrote.Pos(), x.wrote.End(), fmt.Sprintf("%s := %s.%s(%s)", name, p.Source(f, ast.Unparen(x.made.Fun).(*ast.SelectorExpr).X), x.function(), data))
	x.put(x.sum.Pos(), x.sum.End(), x.behind(name+"[:]"))
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
