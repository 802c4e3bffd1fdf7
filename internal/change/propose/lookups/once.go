package lookups

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Once makes in a package variable what a function makes of constants at each call.
var Once = prove.Transformation{
	Name:     "make-once",
	Doc:      "What a function makes of constants at each call and only reads becomes a package variable: a map, a strings.Replacer, a big.Int, a network, a table of checksums, or bytes for a Writer.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "make-once", "BenchmarkEscape", "allocs", "neither the table nor the replacer is made again", 0),
	// It looks at what the lines of the target and of its module's frames make, or make use of.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		addFixed(s)
		for e := range code.All[ast.Expr](s.Fn.Decl.Body) {
			b := &table{p: s.Program, fn: s.Fn, made: e}
			b.named()
			if !constantMap(s.Fn.Info(), e, isConstant) && !constantReplacer(s.Fn.Info(), e) {
				if b.kept = b.parsed(); !b.kept {
					continue
				}
			}
			if !b.at(s.At.Line) {
				continue
			}
			c, why := proposeOnce(b)
			s.Add(prove.Short(types.ExprString(e))+" is made at each call", c, why)
		}
	}),
}

// A table is a value that is the same at each call.
type table struct {
	p    *prove.Program
	fn   *prove.Function
	made ast.Expr
	v    *types.Var // the variable that it is assigned to; nil where it is used at once
	def  ast.Stmt   // where that is defined

	kept   bool          // it is parsed of constants: see parsed.go
	set    ast.Stmt      // sets it to a constant behind def; nil where made does
	setter *ast.CallExpr // in that
}

// constantMap reports whether an expression makes a map of nothing but what is the same whenever it is asked for, and
// structs and arrays of that. The caller says which other expressions are.
func constantMap(info *types.Info, e ast.Expr, same func(*types.Info, ast.Expr) bool) bool {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 {
		return false
	}
	_, ok = info.TypeOf(lit).Underlying().(*types.Map)
	return ok && constants(info, lit, same)
}

// constants reports whether a literal holds what is the same, and structs and arrays of that, alone.
func constants(info *types.Info, lit *ast.CompositeLit, same func(*types.Info, ast.Expr) bool) bool {
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.CompositeLit); ok && !constants(info, key, same) {
				return true
			}
			e = pair.Value
		}
		if inner, ok := e.(*ast.CompositeLit); ok {
			switch info.TypeOf(inner).Underlying().(type) {
			case *types.Struct, *types.Array:
				return !constants(info, inner, same)
			}
			return true
		}
		return !same(info, e)
	})
}

// isConstant reports whether an expression is a constant.
func isConstant(info *types.Info, e ast.Expr) bool { return info.Types[e].Value != nil }

// constantReplacer reports whether an expression makes a strings.Replacer of constants, which may be used by
// several goroutines at once.
func constantReplacer(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() || len(call.Args) == 0 || len(call.Args)%2 != 0 {
		return false
	}
	fn := code.Callee(info, call)
	return fn != nil && fn.FullName() == "strings.NewReplacer" &&
		!slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return info.Types[a].Value == nil })
}

// named finds the variable that the value is assigned to.
func (b *table) named() {
	assign, ok := b.fn.File.Parent(b.made).(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 || code.StmtList(b.fn.File.Parent(assign)) == nil {
		return
	}
	if id := oneOf(assign.Lhs, assign.Tok); id != nil {
		b.v, _ = b.fn.Info().Defs[id].(*types.Var)
		b.def = assign
	}
}

// uses calls do for each use of the value: of its variable, or the one where it is made.
func (b *table) uses(do func(use ast.Expr)) {
	if b.v == nil {
		do(b.made)
		return
	}
	for id := range prove.UsesIn(b.fn.Info(), b.fn.Decl.Body, b.v) {
		if b.set == nil || !code.Within(b.set, id) {
			do(id)
		}
	}
}

// at reports whether a line makes the value, or uses it: a map's look-up can cost what its making does.
func (b *table) at(line int) bool {
	found := b.p.Covers(b.made, line) || b.set != nil && b.p.Covers(b.set, line)
	b.uses(func(use ast.Expr) { found = found || b.p.Covers(use, line) })
	return found
}

func proposeOnce(b *table) (*model.Change, *prove.Reason) {
	fn, p := b.fn, b.p
	sig := fn.Obj.Signature()
	switch {
	case sig.Recv() == nil && (fn.Obj.Name() == "init" || fn.Obj.Name() == "main"):
		return nil, prove.Refuse(fn.Obj.Name() + " runs once")
	case sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0:
		return nil, prove.Refuse(fn.Obj.Name() + " is generic")
	}
	if name := b.local(); name != "" {
		return nil, prove.Refuse("it names " + name + ", which is declared in the function")
	}
	var why *prove.Reason
	uses := 0
	b.uses(func(use ast.Expr) {
		uses++
		if why == nil && (b.kept && !b.onlyRead(use) || !b.kept && !b.reads(use)) {
			why = prove.Refuse("it is not only read (" + p.Pos(use.Pos()).String() + ")")
		}
	})
	if why != nil || uses == 0 {
		return nil, why
	}
	edits, name := b.edits()
	if name == "" {
		return nil, prove.Refuse("no name is free for it")
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "make-once",
		Title: fmt.Sprintf("%s: make %s of %s once", fn.File.Pkg.Name, name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "it is the same at each call", How: "proven", Why: "it is made of constants alone"},
			{Text: "nobody changes it", How: "proven", Why: "the function only looks up in it, ranges over it, asks for its length, or calls what only reads it"},
			{Text: "several goroutines may use it", How: "assumed", Why: "what is only read is safe for concurrent use, and a strings.Replacer is by its documentation"},
			prove.InTime(),
		},
		Retains: "the value stays in memory, whether the function is called or not",
	})
}

// local returns what the expression names that is declared in the function; empty for nothing.
func (b *table) local() string {
	made := ast.Node(b.made)
	if b.set != nil { // new(big.Int), which names nothing
		made = b.set
	}
	for id := range code.All[*ast.Ident](made) {
		obj := b.fn.Info().Uses[id]
		if obj == nil || obj.Pkg() == nil || obj == types.Object(b.v) {
			continue
		}
		switch obj := obj.(type) {
		case *types.Var:
			if obj.IsField() {
				continue
			}
		case *types.Func:
			if obj.Signature().Recv() != nil {
				continue
			}
		}
		if _, ok := obj.(*types.PkgName); !ok && obj.Parent() != obj.Pkg().Scope() {
			return obj.Name()
		}
	}
	return ""
}

// reads reports whether a use cannot change the value or hand it on.
func (b *table) reads(use ast.Expr) bool {
	info, f := b.fn.Info(), b.fn.File
	switch up := f.Parent(use).(type) {
	case *ast.IndexExpr:
		return up.X == use && !f.AssignedTo(up)
	case *ast.RangeStmt:
		return up.X == use
	case *ast.CallExpr:
		return code.Builtin(info, up) == "len"
	case *ast.SelectorExpr:
		call, ok := f.Parent(up).(*ast.CallExpr)
		return ok && call.Fun == up && (up.Sel.Name == "Replace" || up.Sel.Name == "WriteString")
	}
	return false
}

// edits declares the variable before the function, and uses it. The name is empty where none is free.
func (b *table) edits() (edits []model.Edit, name string) {
	p, f, fn := b.p, b.fn.File, b.fn
	what := "table"
	if _, ok := b.made.(*ast.CallExpr); ok && !b.kept {
		what = "replacer"
	} else if ok {
		what = "constant"
	}
	wants := []string{code.LowerName(fn.Obj.Name()) + code.UpperName(what)}
	if b.v != nil {
		wants = slices.Insert(wants, 0, code.LowerName(fn.Obj.Name())+code.UpperName(b.v.Name()))
	}
	for _, want := range wants {
		if name == "" && p.Free(f.Pkg, want) {
			name = want
		}
	}
	if name == "" {
		return nil, ""
	}
	first := fn.Decl.Pos()
	if fn.Decl.Doc != nil {
		first = fn.Decl.Doc.Pos()
	}
	edits = append(edits, p.Insert(f, first, "var "+b.results(name)+" = "+b.source()+"\n\n"))
	if b.def != nil {
		edits = append(edits, p.Edit(f, p.Offset(b.def.Pos()), b.behind(cmp.Or(b.set, b.def)), ""))
	}
	b.uses(func(use ast.Expr) { edits = append(edits, p.Put(f, use.Pos(), use.End(), name)) })
	return edits, name
}

// behind returns where the statement after another begins, if nothing stands between.
func (b *table) behind(s ast.Stmt) int {
	end := b.p.Offset(s.End())
	src := b.fn.File.Src
	for i := end; i < len(src); i++ {
		switch src[i] {
		case ' ', '\t', '\n':
		case '/':
			return end
		default:
			return i
		}
	}
	return end
}
