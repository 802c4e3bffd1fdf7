package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
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

// Computes reports whether a call is of such a function, with arguments that
// cannot bring other code into it and do not change behind its back.
func Computes(info *types.Info, call *ast.CallExpr) bool {
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || call.Ellipsis.IsValid() {
		return false
	}
	if fn.Signature().Recv() != nil {
		return computesTime(fn)
	}
	path, name := fn.Pkg().Path(), fn.Name()
	if !flow.NameMatches(worthHoisting[path], name) {
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
	switch code.ReceiverName(fn) {
	case "Time":
		return flow.NameMatches("Format String Unix UnixNano UnixMilli UnixMicro Date Clock Year YearDay ISOWeek", fn.Name()) && fn.Signature().Results().Len() == 1
	case "Duration":
		return fn.Name() == "String"
	}
	return false
}

// An Invariant is a loop, and what is known of expressions in it.
type Invariant struct {
	Prog   *Program
	Fn     *Function
	Stmt   ast.Stmt
	NonNil []string // why pointers in the expressions are not nil
}

// Operands reports whether all that a call depends on stays the same.
func (l *Invariant) Operands(call *ast.CallExpr) (same bool, doubt *Reason) {
	all := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && l.Fn.Info().Selections[sel] != nil {
		if _, ptr := l.Fn.Info().TypeOf(sel.X).Underlying().(*types.Pointer); ptr || len(l.Fn.Info().Selections[sel].Index()) > 1 {
			return false, nil // the value is elsewhere than in the variable
		}
		all = append(all, sel.X)
	}
	for _, e := range all {
		if same, doubt = l.Same(e); !same {
			return false, doubt
		}
	}
	return true, nil
}

// Same reports whether an expression stays the same throughout the loop and
// can be evaluated before it.
func (l *Invariant) Same(e ast.Expr) (bool, *Reason) {
	info := l.Fn.Info()
	if info.Types[e].Value != nil {
		return true, nil
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.Same(e.X)
	case *ast.Ident:
		return l.variable(e)
	case *ast.SelectorExpr:
		return l.field(e)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.NOT || e.Op == token.ADD || e.Op == token.XOR {
			return l.Same(e.X)
		}
	case *ast.BinaryExpr:
		if e.Op == token.QUO || e.Op == token.REM || e.Op == token.SHL || e.Op == token.SHR {
			return false, nil
		}
		if same, doubt := l.Same(e.X); !same {
			return false, doubt
		}
		return l.Same(e.Y)
	case *ast.CallExpr:
		b, ok := types.Unalias(info.TypeOf(e)).(*types.Basic)
		if info.Types[e.Fun].IsType() && ok && b.Info()&types.IsNumeric != 0 {
			return l.Same(e.Args[0])
		}
		if Computes(info, e) {
			return l.Operands(e)
		}
	}
	return false, nil
}

// variable allows local variables that nothing assigns to in the loop, and
// package variables that nothing ever does.
func (l *Invariant) variable(id *ast.Ident) (bool, *Reason) {
	info, body := l.Fn.Info(), l.Fn.Decl.Body
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil {
		return false, nil
	}
	if v.Parent() == v.Pkg().Scope() {
		return l.constant(v)
	}
	if code.Within(l.Stmt, l.Fn.Declaration(v)) || code.WrittenIn(info, l.Stmt, v) && !code.AddressTaken(info, l.Stmt, v) {
		return false, nil
	}
	if code.AddressTaken(info, body, v) {
		return false, Refuse("the address of " + v.Name() + " is taken")
	}
	var doubt *Reason
	if lit := l.Fn.File.Literal(l.Stmt); lit != nil && !code.Within(lit, l.Fn.Declaration(v)) && code.WrittenIn(info, body, v) {
		doubt = Refuse(v.Name() + " belongs to the function around the literal, which assigns to it")
	}
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok && !code.Within(lit, l.Stmt) && !code.Within(lit, l.Fn.Declaration(v)) && code.WrittenIn(info, lit, v) {
			doubt = Refuse("a function literal assigns to " + v.Name())
		}
		return true
	})
	return doubt == nil, doubt
}

// constant allows variables of the package that only their declaration sets.
func (l *Invariant) constant(v *types.Var) (bool, *Reason) {
	if v.Exported() || v.Pkg() != l.Fn.Obj.Pkg() {
		return false, Refuse(v.Name() + " is a variable that other packages can set")
	}
	for _, f := range l.Fn.File.Pkg.Files {
		if code.WrittenIn(l.Fn.Info(), f.Syntax, v) {
			return false, Refuse("the package variable " + v.Name() + " is assigned to")
		}
	}
	return true, nil
}

// field allows fields behind a local variable where nothing in the loop could
// write them.
func (l *Invariant) field(e *ast.SelectorExpr) (bool, *Reason) {
	info := l.Fn.Info()
	s := info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return false, nil
	}
	if same, doubt := l.Same(e.X); !same {
		return false, doubt
	}
	what := types.ExprString(e)
	if at := l.writes(info.Uses[e.Sel]); at != nil {
		return false, Refuse(what + " may be set in the loop (" + l.Prog.Pos(at.Pos()).String() + ")")
	}
	if code.ThroughPointer(s) {
		return false, Refuse(what + " goes through an embedded pointer that may be nil")
	}
	if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr && !l.reached(e.X) {
		return false, Refuse(types.ExprString(e.X) + " may be nil where the loop does not run")
	}
	return true, nil
}

// writes returns what in the loop may write a field: an assignment to it or to
// a whole struct, or a call of code that is not known to leave it alone.
func (l *Invariant) writes(field types.Object) (at ast.Node) {
	info := l.Fn.Info()
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
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
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
			if !HarmlessCall(info, n) {
				at = n
			}
		}
		return at == nil
	})
	return at
}

// HarmlessCall reports whether a call runs no code of the program and writes
// none of its memory but the receiver's own.
func HarmlessCall(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) != "" {
		return true
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || code.IsInterfaceMethod(fn) {
		return false
	}
	switch fn.Pkg().Path() {
	case "strings", "bytes", "strconv", "unicode", "unicode/utf8", "math", "math/bits", "path", "path/filepath", "time", "html", "net/url":
	case "fmt", "reflect":
		return Computes(info, call)
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
func (l *Invariant) reached(x ast.Expr) bool {
	u := &Purity{Prog: l.Prog, Fn: l.Fn}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || !u.Stable(id) {
		return false
	}
	heads := []ast.Node{}
	switch n := l.Stmt.(type) {
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
			l.NonNil = append(l.NonNil, "the head of the loop goes through "+id.Name+" too")
			return true
		}
	}
	if u.Passed(l.Stmt, x) {
		l.NonNil = append(l.NonNil, "a statement before the loop goes through "+id.Name+" too")
		return true
	}
	return false
}

// ComputingPackages are the packages whose functions depend on their arguments alone,
// unless they are given functions.
var ComputingPackages = []string{"strings", "unicode", "unicode/utf8", "strconv"}

// TakesFunction reports whether a parameter of fn is a function.
func TakesFunction(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
