package detours

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// textReads are the methods that return a copy of what they read, by the names of those that return it as a string.
var textReads = map[string]string{
	"(*bufio.Reader).ReadBytes": "ReadString", "(*bytes.Buffer).ReadBytes": "ReadString",
	"(*net/textproto.Reader).ReadLineBytes": "ReadLine", "(*net/textproto.Reader).ReadContinuedLineBytes": "ReadContinuedLine",
}

// textRead returns the name of the method to call in place of a read of bytes; "" where there is none.
func textRead(info *types.Info, e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok || textReads[fn.FullName()] == "" || info.Selections[sel] == nil || info.Selections[sel].Kind() != types.MethodVal {
		return ""
	}
	twin := textReads[fn.FullName()]
	obj, _, _ := types.LookupFieldOrMethod(info.TypeOf(sel.X), true, fn.Pkg(), twin)
	if m, ok := obj.(*types.Func); !ok || m.FullName() != strings.TrimSuffix(fn.FullName(), fn.Name())+twin {
		return "" // another method of that name is nearer
	}
	return twin
}

// readText makes a call read a string; it reports false where it reads no bytes.
func (r *reading) readText(call *ast.CallExpr) bool {
	twin := textRead(r.fn.Info(), call)
	if twin == "" {
		return false
	}
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	r.put(sel.Sel.Pos(), sel.Sel.End(), twin)
	return true
}

// makesTexts reports whether strings are made of the bytes, as far as they were followed.
func (r *reading) makesTexts() bool {
	return code.Any(r.fn.Decl.Body, func(call *ast.CallExpr) bool {
		_, data := code.Converted(r.fn.Info(), call)
		return data != nil && code.Any(data, r.holds) && !r.passing(call)
	})
}

// proposeReadText argues for a reading of bytes that are read by a method.
func proposeReadText(r *reading) (*model.Change, *prove.Reason) {
	fn, name := r.fn, r.vars[0].Name()
	return r.change(model.Change{
		Kind:  "keep-string",
		Title: fmt.Sprintf("%s: read %s as the string that is made of it in %s", fn.File.Pkg.Name, name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "nothing writes to the bytes, and nothing else gets them", How: "proven", Why: "they are searched, cut, read and made strings of, in " + names(r.vars)},
			{Text: "the same is read, and package strings answers as package bytes does", How: "assumed", Why: "the documentation of " + textRead(fn.Info(), r.src) + ", and of the functions of the same name"},
			{Text: "parts may share the memory of what was read", How: "assumed", Why: "a string does not change; a part that is kept is not much shorter than what it now keeps"},
		},
	})
}
