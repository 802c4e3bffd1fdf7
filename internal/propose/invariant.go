package propose

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// worthHoisting has the functions that only compute, by package, as far as they
// are worth more than the call: no effect, no panic, and the same result for
// the same arguments.
var worthHoisting = map[string]string{
	"strings":       "ToLower ToUpper ToTitle Title TrimSpace Trim TrimLeft TrimRight Replace ReplaceAll ToValidUTF8 Count Index LastIndex Contains ContainsAny EqualFold",
	"strconv":       "Itoa FormatInt FormatUint FormatFloat FormatBool Quote QuoteToASCII",
	"path":          "Base Ext Dir Join Clean",
	"path/filepath": "Base Ext Dir Join",
	"math":          "Pow Exp Exp2 Log Log2 Log10 Log1p Sin Cos Tan Asin Acos Atan Atan2 Sinh Cosh Tanh Hypot Cbrt Mod Gamma Sqrt",
	"unicode/utf8":  "RuneCountInString ValidString",
	"net/url":       "QueryEscape PathEscape",
	"html":          "EscapeString UnescapeString",
	"fmt":           "Sprint Sprintf Sprintln",
	"reflect":       "TypeOf",
}

// computes reports whether a call is of such a function, with arguments that
// cannot bring other code into it and do not change behind its back.
func computes(info *types.Info, call *ast.CallExpr) bool {
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil || call.Ellipsis.IsValid() {
		return false
	}
	if fn.Signature().Recv() != nil {
		return computesTime(fn)
	}
	path, name := fn.Pkg().Path(), fn.Name()
	if !named(worthHoisting[path], name) {
		return false
	}
	if path == "reflect" {
		return true
	}
	for i, a := range call.Args {
		b, ok := types.Unalias(info.TypeOf(a)).(*types.Basic)
		if !ok || b.Kind() == types.UntypedNil || b.Kind() == types.UnsafePointer {
			return false // with methods, or with memory that others share
		}
		if path == "strconv" && i > 0 && info.Types[a].Value == nil {
			return false // a base that does not exist panics
		}
	}
	return true
}

// computesTime allows what is asked of a moment or a duration.
func computesTime(fn *types.Func) bool {
	if fn.Pkg().Path() != "time" {
		return false
	}
	switch receiverName(fn) {
	case "Time":
		return named("Format String Unix UnixNano UnixMilli UnixMicro Date Clock Year YearDay ISOWeek", fn.Name()) && fn.Signature().Results().Len() == 1
	case "Duration":
		return fn.Name() == "String"
	}
	return false
}

// An invariant is a loop, and what is known of expressions in it.
type invariant struct {
	p      *Program
	fn     *function
	stmt   ast.Stmt
	nonNil []string // why pointers in the expressions are not nil
}

// loopFor returns the outermost loop around a call in which its operands do
// not change, nil if they change in the innermost. why is set where they may
// be the same, but that cannot be shown.
func (p *Program) loopFor(fn *function, call *ast.CallExpr) (found *invariant, why string) {
	for child, up := ast.Node(call), fn.file.parent(call); up != nil; child, up = up, fn.file.parent(up) {
		var body ast.Node
		if leaves(fn.info(), stmtList(up)) && up != ast.Node(fn.decl.Body) {
			return found, why // once in each run of the loop at most
		}
		switch n := up.(type) {
		case *ast.FuncLit:
			return found, why
		case *ast.ForStmt:
			if body = n.Body; child == n.Init {
				continue
			}
		case *ast.RangeStmt:
			if body = n.Body; child != body {
				continue
			}
		default:
			continue
		}
		l := &invariant{p: p, fn: fn, stmt: up.(ast.Stmt)}
		same, doubt := l.operands(call)
		if !same {
			if found == nil {
				why = doubt
			}
			return found, why
		}
		found = l
	}
	return found, why
}

// leaves reports whether statements end by leaving the loop around them.
func leaves(info *types.Info, list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO
	case *ast.ExprStmt:
		return panics(info, last)
	}
	return false
}

// operands reports whether all that a call depends on stays the same.
func (l *invariant) operands(call *ast.CallExpr) (same bool, doubt string) {
	all := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && l.fn.info().Selections[sel] != nil {
		if _, ptr := l.fn.info().TypeOf(sel.X).Underlying().(*types.Pointer); ptr || len(l.fn.info().Selections[sel].Index()) > 1 {
			return false, "" // the value is elsewhere than in the variable
		}
		all = append(all, sel.X)
	}
	for _, e := range all {
		if same, doubt = l.same(e); !same {
			return false, doubt
		}
	}
	return true, ""
}

// same reports whether an expression stays the same throughout the loop and
// can be evaluated before it.
func (l *invariant) same(e ast.Expr) (bool, string) {
	info := l.fn.info()
	if info.Types[e].Value != nil {
		return true, ""
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.same(e.X)
	case *ast.Ident:
		return l.variable(e)
	case *ast.SelectorExpr:
		return l.field(e)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.NOT || e.Op == token.ADD || e.Op == token.XOR {
			return l.same(e.X)
		}
	case *ast.BinaryExpr:
		if e.Op == token.QUO || e.Op == token.REM || e.Op == token.SHL || e.Op == token.SHR {
			return false, ""
		}
		if same, doubt := l.same(e.X); !same {
			return false, doubt
		}
		return l.same(e.Y)
	case *ast.CallExpr:
		b, ok := types.Unalias(info.TypeOf(e)).(*types.Basic)
		if info.Types[e.Fun].IsType() && ok && b.Info()&types.IsNumeric != 0 {
			return l.same(e.Args[0])
		}
		if computes(info, e) {
			return l.operands(e)
		}
	}
	return false, ""
}

// variable allows local variables that nothing assigns to in the loop, and
// package variables that nothing ever does.
func (l *invariant) variable(id *ast.Ident) (bool, string) {
	info, body := l.fn.info(), l.fn.decl.Body
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil {
		return false, ""
	}
	if v.Parent() == v.Pkg().Scope() {
		return l.constant(v)
	}
	if within(l.stmt, l.fn.declaration(v)) || assigned(info, l.stmt, v) && !addressTaken(info, l.stmt, v) {
		return false, ""
	}
	if addressTaken(info, body, v) {
		return false, "the address of " + v.Name() + " is taken"
	}
	doubt := ""
	if lit := l.fn.file.literal(l.stmt); lit != nil && !within(lit, l.fn.declaration(v)) && assigned(info, body, v) {
		doubt = v.Name() + " belongs to the function around the literal, which assigns to it"
	}
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok && !within(lit, l.stmt) && !within(lit, l.fn.declaration(v)) && assigned(info, lit, v) {
			doubt = "a function literal assigns to " + v.Name()
		}
		return true
	})
	return doubt == "", doubt
}

// constant allows variables of the package that only their declaration sets.
func (l *invariant) constant(v *types.Var) (bool, string) {
	if v.Exported() || v.Pkg() != l.fn.obj.Pkg() {
		return false, v.Name() + " is a variable that other packages can set"
	}
	for _, f := range l.fn.file.pkg.files {
		if assigned(l.fn.info(), f.syntax, v) {
			return false, "the package variable " + v.Name() + " is assigned to"
		}
	}
	return true, ""
}

// field allows fields behind a local variable where nothing in the loop could
// write them.
func (l *invariant) field(e *ast.SelectorExpr) (bool, string) {
	info := l.fn.info()
	s := info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return false, ""
	}
	if same, doubt := l.same(e.X); !same {
		return false, doubt
	}
	what := types.ExprString(e)
	if at := l.writes(info.Uses[e.Sel]); at != nil {
		return false, what + " may be set in the loop (" + l.p.pos(at.Pos()).String() + ")"
	}
	if throughPointer(s) {
		return false, what + " goes through an embedded pointer that may be nil"
	}
	if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr && !l.reached(e.X) {
		return false, types.ExprString(e.X) + " may be nil where the loop does not run"
	}
	return true, ""
}

// writes returns what in the loop may write a field: an assignment to it or to
// a whole struct, or a call of code that is not known to leave it alone.
func (l *invariant) writes(field types.Object) (at ast.Node) {
	info := l.fn.info()
	target := func(e ast.Expr) {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if _, whole := info.TypeOf(x).Underlying().(*types.Struct); whole || info.Uses[x.Sel] == field {
				at = x
			}
		case *ast.Ident, *ast.IndexExpr, *ast.StarExpr:
			if t := info.TypeOf(x); t != nil {
				switch t.Underlying().(type) {
				case *types.Struct, *types.Array:
					at = x
				}
				if _, star := x.(*ast.StarExpr); star {
					at = x
				}
			}
		}
	}
	ast.Inspect(l.stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				target(e)
			}
		case *ast.IncDecStmt:
			target(n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && n.Tok == token.ASSIGN {
					target(e)
				}
			}
			if _, iterator := info.TypeOf(n.X).Underlying().(*types.Signature); iterator {
				at = n
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				at = n
			}
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt, *ast.FuncLit:
			at = n
		case *ast.CallExpr:
			if !harmlessCall(info, n) {
				at = n
			}
		}
		return at == nil
	})
	return at
}

// harmlessCall reports whether a call runs no code of the program and writes
// none of its memory but the receiver's own.
func harmlessCall(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() || builtin(info, call) != "" {
		return true
	}
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil || isInterfaceMethod(fn) {
		return false
	}
	switch fn.Pkg().Path() {
	case "strings", "bytes", "strconv", "unicode", "unicode/utf8", "math", "math/bits", "path", "path/filepath", "time", "html", "net/url":
	case "fmt", "reflect":
		return computes(info, call)
	default:
		return false
	}
	for v := range fn.Signature().Params().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Interface, *types.Signature, *types.Pointer:
			return false
		}
	}
	return true
}

// reached reports whether a statement that runs before the loop, or its head,
// goes through the pointer in x.
func (l *invariant) reached(x ast.Expr) bool {
	u := &purity{p: l.p, fn: l.fn}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || !u.stable(id) {
		return false
	}
	heads := []ast.Node{}
	switch n := l.stmt.(type) {
	case *ast.RangeStmt:
		heads = append(heads, n.X)
	case *ast.ForStmt:
		if n.Init != nil {
			heads = append(heads, n.Init)
		}
		if n.Cond != nil {
			heads = append(heads, n.Cond)
		}
	}
	for _, h := range heads {
		if u.goesThrough(h, x) {
			l.nonNil = append(l.nonNil, "the head of the loop goes through "+id.Name+" too")
			return true
		}
	}
	if u.passed(l.stmt, x) {
		l.nonNil = append(l.nonNil, "a statement before the loop goes through "+id.Name+" too")
		return true
	}
	return false
}
