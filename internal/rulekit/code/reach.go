package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Graph returns the control flow graph of the body of a function declaration
// or literal; nil where there is no body. Calls that do not return, such as
// os.Exit and log.Fatal, end their block.
func Graph(info *types.Info, fn ast.Node) *cfg.CFG {
	body := FuncBody(fn)
	if body == nil {
		return nil
	}
	return cfg.New(body, func(call *ast.CallExpr) bool { return MayReturn(info, call) })
}

// FuncBody returns the body of a function declaration or literal, or nil.
func FuncBody(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// MayReturn reports whether a call may return, which is true of all but
// panic, os.Exit, runtime.Goexit and the fatal functions of log and testing.
func MayReturn(info *types.Info, call *ast.CallExpr) bool {
	switch f := typeutil.Callee(info, call).(type) {
	case *types.Builtin:
		return f.Name() != "panic"
	case *types.Func:
		if f.Pkg() == nil {
			return true
		}
		switch f.Pkg().Path() {
		case "os":
			return f.Name() != "Exit"
		case "runtime":
			return f.Name() != "Goexit"
		case "log":
			return !strings.HasPrefix(f.Name(), "Fatal") && !strings.HasPrefix(f.Name(), "Panic")
		case "testing":
			return !strings.HasPrefix(f.Name(), "Fatal") && (!strings.HasPrefix(f.Name(), "Skip") || f.Name() == "Skipped") && f.Name() != "FailNow"
		}
	}
	return true
}

// Jumps reports whether a function has a goto, which must not jump over the
// declaration of a variable.
//
//go:noinline
func Jumps(fn ast.Node) bool {
	return Any(fn, func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO })
}

// Repeats reports whether a statement of a function can run again in the same
// call, once it has run.
func Repeats(g *cfg.CFG, stmt ast.Stmt) bool {
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if n == stmt {
				return reaches(b, b, map[*cfg.Block]bool{})
			}
		}
	}
	return false
}

func reaches(from, to *cfg.Block, seen map[*cfg.Block]bool) bool {
	for _, s := range from.Succs {
		if s == to {
			return true
		}
		if !seen[s] {
			seen[s] = true
			if reaches(s, to, seen) {
				return true
			}
		}
	}
	return false
}

// Onward calls f for the node of a graph that holds at, and for those that may run after it, each way until f returns false.
// It returns false where the graph has no such node.
func Onward(g *cfg.CFG, at ast.Node, f func(ast.Node) bool) (found bool) {
	seen := map[*cfg.Block]bool{}
	var from func(b *cfg.Block, i int)
	from = func(b *cfg.Block, i int) {
		for _, n := range b.Nodes[i:] {
			if !f(n) {
				return
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				from(s, 0)
			}
		}
	}
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if Within(n, at) {
				found = true
				from(b, i)
			}
		}
	}
	return found
}

// A Dependence says what the value of an expression depends on.
type Dependence int

// From least to most.
const (
	OnNothing  Dependence = iota // constants, functions and types: the same at any time
	OnPackage                    // package variables, or what a call returns
	OnReceiver                   // fields of a method's receiver, or what a literal that is kept finds around it
	OnLocals                     // variables or parameters of a function
)

// Depends returns what x depends on. A function literal depends on what its
// body mentions beyond its own variables.
func Depends(info *types.Info, x ast.Expr) Dependence {
	return depends(info, x, func(*types.Var) bool { return false })
}

// DependsAt is Depends for the expression at cur, which knows the literals around it: see
// [Surrounds].
func DependsAt(ix *index.Index, info *types.Info, cur inspector.Cursor) Dependence {
	return depends(info, cur.Node().(ast.Expr), func(v *types.Var) bool { return Surrounds(ix, info, cur, v) })
}

func depends(info *types.Info, x ast.Expr, surrounds func(*types.Var) bool) Dependence {
	dep := OnNothing
	literals := 0
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals++
			ast.Inspect(n.Body, visit)
			literals--
			return false
		case *ast.CallExpr:
			if tv := info.Types[n.Fun]; literals == 0 && !tv.IsType() {
				dep = max(dep, OnPackage)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && literals == 0 {
				dep = max(dep, OnPackage)
			}
		case *ast.Ident:
			// What a literal reads of the package it reads when it is called.
			if d := dependsIdent(info, x, n, surrounds); d != OnPackage || literals == 0 {
				dep = max(dep, d)
			}
		}
		return true
	}
	ast.Inspect(x, visit)
	return dep
}

func dependsIdent(info *types.Info, x ast.Expr, id *ast.Ident, surrounds func(*types.Var) bool) Dependence {
	obj := info.Uses[id]
	switch obj := obj.(type) {
	case nil, *types.PkgName, *types.Builtin, *types.Nil:
		return OnNothing
	case *types.Var:
		switch {
		case obj.IsField(), Declares(x, obj):
			return OnNothing
		case obj.Kind() == types.RecvVar, surrounds(obj):
			return OnReceiver
		case Local(obj):
			return OnLocals
		}
		return OnPackage
	}
	if obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope() {
		return OnLocals // a type or constant of the function
	}
	return OnNothing
}

// MentionsOwn reports whether x mentions functions or variables of a package,
// so that a package variable with this value might depend on itself.
func MentionsOwn(info *types.Info, pkg *types.Package, x ast.Expr) bool {
	return Any(x, func(id *ast.Ident) bool {
		obj := info.Uses[id]
		if obj == nil || obj.Pkg() != pkg || obj.Parent() != pkg.Scope() && obj.Parent() != nil {
			return false
		}
		switch obj.(type) {
		case *types.Func, *types.Var:
			return true
		}
		return false
	})
}

// ByChannel reports whether a node sends to channels or receives: a range over one does.
func ByChannel(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		return May[*types.Chan](info.TypeOf(n.X))
	}
	return false
}

// Waits reports whether some code, such as a turn of a loop, waits for something: a channel, a
// timer or sleep.
func Waits(info *types.Info, n ast.Node) bool {
	if r, ok := n.(*ast.RangeStmt); ok && ByChannel(info, r) {
		return true
	}
	return Here(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.SelectStmt:
			return true
		case *ast.CallExpr:
			return IsFunc(info, n, "time", "Sleep")
		}
		return false
	}) != nil
}
