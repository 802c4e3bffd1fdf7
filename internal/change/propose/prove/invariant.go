package prove

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// worthHoisting has the functions that are worth more than the call, by package or
// type, of those that only compute and do not panic.
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
	"time.Time":     "Format String Unix UnixNano UnixMilli UnixMicro Year YearDay",
	"time.Duration": "String",
}

// Computes reports whether a call is of such a function, with arguments that
// cannot bring other code into it and do not change behind its back.
func Computes(info *types.Info, call *ast.CallExpr) bool {
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || call.Ellipsis.IsValid() {
		return false
	}
	full := code.FullName(fn)
	of := strings.TrimSuffix(full, "."+fn.Name())
	if !flow.NameMatches(worthHoisting[of], fn.Name()) || of != "fmt" && !effects.Computes(fn) {
		return false
	}
	if of == "reflect" || fn.Signature().Recv() != nil {
		return true
	}
	for i, a := range call.Args {
		b, ok := types.Unalias(info.TypeOf(a)).(*types.Basic)
		if !ok || b.Kind() == types.UntypedNil || b.Kind() == types.UnsafePointer {
			return false // with methods, or with memory that others share
		}
		if of == "strconv" && i > 0 && info.Types[a].Value == nil {
			return false // a base that does not exist panics
		}
	}
	return true
}

// NotNegative reports whether an integer is never negative: a constant, a length, or sums and products of these, or a part.
func NotNegative(info *types.Info, n ast.Expr) bool {
	if v := info.Types[n].Value; v != nil {
		return constant.Sign(v) >= 0
	}
	switch n := ast.Unparen(n).(type) {
	case *ast.CallExpr:
		return code.Builtin(info, n) == "len"
	case *ast.BinaryExpr:
		sums := n.Op == token.ADD || n.Op == token.MUL || n.Op == token.QUO && info.Types[n.Y].Value != nil
		return sums && NotNegative(info, n.X) && NotNegative(info, n.Y)
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
func (l *Invariant) Operands(call *ast.CallExpr) (bool, *Reason) {
	same, doubt := l.invariance().Operands(call)
	return same && l.calm(call), Refuse(doubt)
}

// Same reports whether an expression stays the same throughout the loop and
// can be evaluated before it.
func (l *Invariant) Same(e ast.Expr) (bool, *Reason) {
	same, doubt := l.invariance().Same(e)
	return same && l.calm(e), Refuse(doubt)
}

func (l *Invariant) invariance() *code.Invariance {
	return &code.Invariance{Index: l.Fn.File.Pkg.Index(), Info: l.Fn.Info(), Loop: l.Stmt, Known: known{l}}
}

// calm reports whether evaluating an expression cannot panic. What it reads behind
// pointers is asked about by known.
func (l *Invariant) calm(e ast.Expr) bool {
	eval := code.Eval{Info: l.Fn.Info(), NotNil: func(ast.Expr) bool { return true }, Plain: true, Call: func(*ast.CallExpr) code.Loss { return code.Loss{} }}
	return eval.Of(e).Grade == code.NoLoss
}

// known is what the program shows of the loop.
type known struct{ *Invariant }

// Computes allows conversions between numbers, too.
func (l known) Computes(call *ast.CallExpr) bool {
	b, ok := types.Unalias(l.Fn.Info().TypeOf(call)).(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0 && l.Fn.Info().Types[call.Fun].IsType() || Computes(l.Fn.Info(), call)
}

// Package allows variables of the package that only their declaration sets.
func (l known) Package(v *types.Var) (bool, string) {
	if v.Exported() || v.Pkg() != l.Fn.Obj.Pkg() {
		return false, v.Name() + " is a variable that other packages can set"
	}
	if code.Written(l.Fn.File.Pkg.Index(), l.Fn.Info(), v, nil) {
		return false, "the package variable " + v.Name() + " is assigned to"
	}
	return true, ""
}

// Field allows fields behind a local variable where nothing in the loop could
// write them.
func (l known) Field(e *ast.SelectorExpr) (bool, string) {
	info, what := l.Fn.Info(), types.ExprString(e)
	if at := l.writes(info.Selections[e].Obj().(*types.Var)); at != nil {
		return false, what + " may be set in the loop (" + l.Prog.Pos(at.Pos()).String() + ")"
	}
	if code.ThroughPointer(info.Selections[e]) {
		return false, what + " goes through an embedded pointer that may be nil"
	}
	if _, ptr := info.TypeOf(e.X).Underlying().(*types.Pointer); ptr && !l.Reached(e.X) {
		return false, types.ExprString(e.X) + " may be nil where the loop does not run"
	}
	return true, ""
}

// writes returns what in the loop may write a field: an assignment to it or to
// what holds it, or a call of code that is not known to leave it alone.
func (l *Invariant) writes(field *types.Var) ast.Node {
	info := l.Fn.Info()
	if at := code.Stores(info, l.Stmt, []*types.Var{field}, true); at != nil {
		return at
	}
	for n := range code.All[ast.Node](l.Stmt) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if OthersRange(info, n) {
				return n
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return n
			}
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt, *ast.FuncLit:
			return n
		case *ast.CallExpr:
			if !l.Prog.Harmless(info, n) {
				return n
			}
		}
	}
	return nil
}

// OthersRange reports whether other code runs, or may have run, between two turns of a loop over a function or a channel.
func OthersRange(info *types.Info, loop *ast.RangeStmt) bool {
	return slices.ContainsFunc(code.Kinds(info.TypeOf(loop.X)), func(t types.Type) bool {
		switch t.(type) {
		case *types.Signature, *types.Chan:
			return true
		}
		return false
	})
}

// HarmlessCall reports whether a call runs no code of the program, waits for none, and writes none of its memory but the
// receiver's own, and elements of lists and maps that it is given.
func HarmlessCall(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) != "" {
		return true
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || code.IsInterfaceMethod(fn) || code.Waits(info, call) { // others run meanwhile
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

// Harmless is HarmlessCall for functions of the module, too, that only compute.
func (p *Program) Harmless(info *types.Info, call *ast.CallExpr) bool {
	return p.harmless(info, call, 0)
}

func (p *Program) harmless(info *types.Info, call *ast.CallExpr, depth int) bool {
	if HarmlessCall(info, call) {
		return true
	}
	target := code.Callee(info, call)
	return target != nil && p.computes(p.Function(target), depth)
}

// computes reports whether a function only works with the numbers and texts that it is given, or slices of these, sets
// nothing but its own variables, and goes through no pointer.
func (p *Program) computes(fn *Function, depth int) bool {
	if fn == nil || depth == maxReadDepth {
		return false
	}
	info, sig := fn.Info(), fn.Obj.Signature()
	basic := func(t types.Type) bool {
		if list, ok := code.Core(t).(*types.Slice); ok {
			t = list.Elem()
		}
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Kind() != types.UnsafePointer
	}
	for v := range sig.Params().Variables() {
		if !basic(v.Type()) {
			return false
		}
	}
	own := func(x ast.Expr) bool {
		v := code.Var(info, x)
		id, ok := x.(*ast.Ident)
		return ok && (id.Name == "_" || v != nil && code.Local(v))
	}
	return (sig.Recv() == nil || basic(sig.Recv().Type())) && !code.Any(fn.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.StarExpr:
			return true
		case *ast.SelectorExpr:
			return info.Selections[n] != nil
		case *ast.Ident:
			v, ok := info.ObjectOf(n).(*types.Var)
			return ok && structured(v.Type())
		case *ast.UnaryExpr:
			return n.Op == token.ARROW || n.Op == token.AND
		case *ast.RangeStmt:
			return OthersRange(info, n) || n.Tok == token.ASSIGN
		case *ast.IncDecStmt, *ast.AssignStmt:
			return slices.ContainsFunc(code.Assigned(n), func(x ast.Expr) bool { return !own(x) })
		case *ast.CallExpr:
			return !p.harmless(info, n, depth+1)
		}
		return false
	})
}

// structured reports whether a type is a struct.
func structured(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// Reached reports whether a statement that runs before the loop, or its head,
// goes through the pointer in x.
func (l *Invariant) Reached(x ast.Expr) bool {
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
