package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// splittable says why the rest of a function cannot be another one. It fills
// in the variables that the rest needs from the top.
func (p *Program) splittable(sp *split) string {
	if why := editable(sp.file); why != "" {
		return why
	}
	sig := sp.obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return "it is generic"
	}
	if why := p.pragma(sp.function); why != "" {
		return why
	}
	if sp.decl.Recv != nil && len(sp.decl.Recv.List[0].Names) == 0 {
		return "it does not name its receiver"
	}
	for _, vars := range []*types.Tuple{sig.Params(), types.NewTuple(sig.Recv())} {
		for v := range vars.Variables() {
			if v != nil && (v.Name() == "" || v.Name() == "_") {
				return "it does not name all its parameters"
			}
		}
	}
	if p.restStart(sp) > p.offset(sp.rest[0].Pos()) {
		return "the rest begins on the same line"
	}
	if why := moves(sp); why != "" {
		return why
	}
	if back, _ := p.reaches(p.edgesOf(sp.function), sp.obj.FullName()); back {
		return "it calls itself, which is never inlined"
	}
	return sp.borrow(p)
}

// pragma says which directive speaks of the function.
func (p *Program) pragma(fn *function) string {
	if fn.decl.Doc != nil {
		for _, c := range fn.decl.Doc.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ") {
				return "it has the directive " + strings.Fields(c.Text)[0]
			}
		}
	}
	for _, f := range fn.file.pkg.files {
		for _, g := range f.syntax.Comments {
			for _, c := range g.List {
				words := strings.Fields(c.Text)
				if len(words) > 1 && words[0] == "//go:linkname" && words[1] == fn.obj.Name() {
					return "a go:linkname speaks of it"
				}
			}
		}
	}
	return ""
}

// moves says what in a function is tied to it as a whole.
func moves(sp *split) string {
	why, info := "", sp.info()
	ast.Inspect(sp.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			why = "it defers a call"
		case *ast.LabeledStmt:
			if hasGoto(sp.decl.Body) {
				why = "it uses goto"
			}
		case *ast.CallExpr:
			if builtin(info, n) == "recover" {
				why = "it recovers"
			}
		case *ast.FuncLit:
			if n.Pos() < sp.rest[0].Pos() {
				why = "there is a function literal in its quick answers"
			}
		}
		return why == ""
	})
	results := sp.obj.Signature().Results()
	for v := range results.Variables() {
		for _, stmt := range sp.decl.Body.List {
			if stmt.Pos() >= sp.rest[0].Pos() {
				break
			}
			head := stmt
			if n, ok := stmt.(*ast.IfStmt); ok {
				head = n.Init // the branch returns
			}
			if head != nil && assigned(info, head, v) {
				why = "its quick answers set the result " + v.Name()
			}
		}
	}
	return why
}

// borrow collects the variables of the top that the rest uses. They are handed
// over, so the top must not keep a hold on them.
func (sp *split) borrow(p *Program) string {
	info, why := sp.info(), ""
	sig := sp.obj.Signature()
	ast.Inspect(sp.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Pos() < sp.rest[0].Pos() {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || !within(sp.decl.Body, sp.declaration(v)) || v.Pos() >= sp.rest[0].Pos() {
			return true
		}
		if v.Pos() > sp.decl.Body.Pos() && !slices.Contains(sp.extras, v) {
			sp.extras = append(sp.extras, v)
		}
		return true
	})
	for _, stmt := range sp.decl.Body.List {
		if stmt.Pos() >= sp.rest[0].Pos() {
			break
		}
		for v := range sig.Params().Variables() {
			if addressTaken(info, stmt, v) {
				why = "its quick answers take the address of " + v.Name()
			}
		}
		for _, v := range sp.extras {
			if addressTaken(info, stmt, v) {
				why = "its quick answers take the address of " + v.Name()
			}
		}
	}
	return why
}

// stackBlind argues that nothing that the rest calls looks at how deep the
// stack is: there is one more frame now. The second result says what does.
func (p *Program) stackBlind(sp *split) (model.Obligation, string) {
	o := model.Obligation{Text: "nothing looks at the callers of " + sp.obj.Name(), How: "assumed",
		Why: "nothing of the module that it calls asks for them; other modules do not count frames beyond their own caller"}
	seen := map[string]bool{sp.obj.FullName(): true}
	for todo := []*function{sp.function}; len(todo) > 0; {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if why := p.looksBack(fn); why != "" {
			return o, why
		}
		for _, name := range p.targets(p.edgesOf(fn)) {
			if next := p.funcs[name]; next != nil && !seen[name] {
				seen[name] = true
				todo = append(todo, next)
			}
		}
	}
	return o, ""
}

// looksBack says which call in a function looks at its callers.
func (p *Program) looksBack(fn *function) string {
	why := ""
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || why != "" {
			return why == ""
		}
		target := callee(fn.info(), call)
		if target == nil || target.Pkg() == nil {
			return true
		}
		switch path, name := target.Pkg().Path(), target.Name(); {
		case path == "runtime" && strings.HasPrefix(name, "Caller"), path == "runtime" && name == "Stack", path == "runtime/debug" && strings.HasSuffix(name, "Stack"),
			path == "testing", path == "log" && name == "Output", path == "log/slog":
			why = fmt.Sprintf("%s looks at the callers (%s)", callName(target), p.pos(call.Pos()))
		}
		return true
	})
	return why
}
