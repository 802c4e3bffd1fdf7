package code

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/rules/rule"
)

// A Write is a call that is given a text, or bytes made of it, and nothing else.
type Write struct {
	Call   *ast.CallExpr
	Method string // WriteString, or Write where the text is converted to bytes
	Writer string // the source of the receiver as an io.Writer
	Known  bool   // the writer is one of the standard library that keeps none of the bytes
	Held   bool   // a variable has the text on its way, so that the call is not all that changes
}

// WrittenAs returns the call of a writer's method that the text at cur is made for; ok is
// false where there is none, or where the receiver is no io.Writer.
func WrittenAs(p *rule.Pass, cur inspector.Cursor) (w Write, ok bool) {
	w.Method = "WriteString"
	cur, w.Held = Sole(p.Index, p.TypesInfo, cur)
	at := cur.Parent()
	conversion, isCall := at.Node().(*ast.CallExpr)
	if isCall && p.TypesInfo.Types[conversion.Fun].IsType() {
		if text, _ := Converted(p.TypesInfo, conversion); text == nil {
			return w, false
		}
		w.Method, at = "Write", at.Parent()
	}
	if w.Call, isCall = at.Node().(*ast.CallExpr); !isCall || len(w.Call.Args) != 1 {
		return w, false
	}
	sel, isSel := w.Call.Fun.(*ast.SelectorExpr)
	if !isSel || sel.Sel.Name != w.Method || p.TypesInfo.Selections[sel] == nil || Deferred(at) {
		return w, false
	}
	w.Writer, w.Known = asWriter(p, sel.X, w.Method)
	return w, w.Writer != ""
}

// asWriter returns the source of x as an io.Writer, "" where it is none.
func asWriter(p *rule.Pass, x ast.Expr, method string) (text string, known bool) {
	t := p.TypesInfo.TypeOf(x)
	memory := IsNamed(t, "strings", "Builder") || IsNamed(t, "bytes", "Buffer")
	if _, pointer := t.Underlying().(*types.Pointer); memory && !pointer {
		return "&" + Operand(p, x), true
	}
	if !memory && (method == "WriteString" || !isWriter(t)) {
		return "", false
	}
	return p.Source(x), memory || IsNamed(t, "bufio", "Writer") || IsNamed(t, "os", "File")
}

func isWriter(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Write")
	fn, ok := obj.(*types.Func)
	return ok && SignatureOf(fn.Type()) == "([]byte) (int, error)"
}

// Plain reports whether all arguments of a call of package fmt are printed by their kind:
// no method runs.
func Plain(info *types.Info, call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() {
		return false
	}
	for _, arg := range call.Args {
		t := info.TypeOf(arg)
		_, basic := t.Underlying().(*types.Basic)
		if !basic && !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) || types.NewMethodSet(t).Len() > 0 {
			return false
		}
	}
	return true
}
