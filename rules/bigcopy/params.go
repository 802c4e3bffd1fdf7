package bigcopy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// params reports the receiver and parameters of a function that are large and
// only looked at.
func params(p *rule.Pass, cur inspector.Cursor, fd *ast.FuncDecl) {
	f, _ := p.TypesInfo.Defs[fd.Name].(*types.Func)
	if f == nil {
		return
	}
	if recv := fd.Recv; recv != nil && len(recv.List) == 1 && len(recv.List[0].Names) == 1 && !ofValues[f.Name()] {
		if v := big(p, cur, recv.List[0].Names[0]); v != nil {
			p.Report(rule.Finding{
				Pos: v.Pos(), End: v.Pos() + token.Pos(len(v.Name())), Hot: fd, Class: rule.N,
				Message: fmt.Sprintf("each call of %s copies its receiver of %d bytes, and looks only at parts of it; a pointer receiver does not", f.Name(), size(p, v.Type())),
			})
		}
	}
	at := 0
	for _, field := range fd.Type.Params.List {
		for _, name := range field.Names {
			if v := big(p, cur, name); v != nil {
				param(p, f, fd, field, v, at)
			}
			at++
		}
		if len(field.Names) == 0 {
			at++
		}
	}
}

// literal reports the parameters of a function literal that has a name, and so a signature
// of its own; one that is an argument has that of whom it is given to.
func literal(p *rule.Pass, cur inspector.Cursor, lit *ast.FuncLit) {
	if assign, ok := cur.Parent().Node().(*ast.AssignStmt); !ok || assign.Tok != token.DEFINE {
		return
	}
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			if v := big(p, cur, name); v != nil {
				p.Report(rule.Finding{
					Pos: v.Pos(), End: v.Pos() + token.Pos(len(v.Name())), Hot: lit, Class: rule.N,
					Message: fmt.Sprintf("each call of this function copies %d bytes into %s, and looks only at parts of it; a pointer does not", size(p, v.Type()), v.Name()),
				})
			}
		}
	}
}

// ofValues are methods that other packages look for in what they are given: a
// value does not have them any more when the receiver is a pointer, and is
// printed or written another way, without a word.
var ofValues = map[string]bool{
	"String": true, "GoString": true, "Format": true, "Error": true, "LogValue": true, "Value": true, "GobEncode": true, "MarshalJSON": true, "MarshalJSONTo": true,
	"MarshalText": true, "MarshalBinary": true, "MarshalXML": true, "MarshalXMLAttr": true, "MarshalYAML": true, "MarshalTOML": true, "AppendText": true, "AppendBinary": true,
}

// big returns the variable of a parameter that is large and only looked at.
func big(p *rule.Pass, fn inspector.Cursor, name *ast.Ident) *types.Var {
	v, _ := p.TypesInfo.Defs[name].(*types.Var)
	if v == nil || size(p, v.Type()) < limit || !looked(p, v, fn) {
		return nil
	}
	return v
}

func param(p *rule.Pass, f *types.Func, fd *ast.FuncDecl, field *ast.Field, v *types.Var, at int) {
	finding := rule.Finding{
		Pos: v.Pos(), End: v.Pos() + token.Pos(len(v.Name())), Hot: fd,
		Message: fmt.Sprintf("each call of %s copies %d bytes into %s, and looks only at parts of it; a pointer does not", f.Name(), size(p, v.Type()), v.Name()),
	}
	if edits := paramEdits(p, f, field, at); edits != nil {
		finding.Fixes = []analysis.SuggestedFix{{Message: "Pass a pointer", TextEdits: edits}}
	}
	p.Report(finding)
}

// paramEdits makes a parameter a pointer and passes the address in each call.
// Nil if others may call the function, or if an argument has no address.
func paramEdits(p *rule.Pass, f *types.Func, field *ast.Field, at int) []analysis.TextEdit {
	sig := f.Signature()
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	if f.Exported() || sig.Recv() != nil || sig.TypeParams().Len() > 0 || len(field.Names) != 1 || calls.Taken[rule.FuncID(f)] || len(p.Index.Uses(f)) == 0 || tested(p, f) {
		return nil
	}
	edits := []analysis.TextEdit{{Pos: field.Type.Pos(), End: field.Type.Pos(), NewText: []byte("*")}}
	for cur, call := range p.Index.CallsOf(f) {
		if code.Deferred(cur) || len(call.Args) != sig.Params().Len() || !types.Identical(p.TypesInfo.TypeOf(call.Args[at]), sig.Params().At(at).Type()) {
			return nil
		}
		if file := p.File(call.Pos()); file == nil || ast.IsGenerated(file) {
			return nil
		}
		edit, ok := address(p, call.Args[at])
		if !ok {
			return nil
		}
		edits = append(edits, edit)
	}
	return edits
}

// tested reports whether a test of the package that is not part of the pass
// mentions a function: its calls would no longer compile.
func tested(p *rule.Pass, f *types.Func) bool {
	seen := map[string]bool{}
	for _, file := range p.Files {
		seen[filepath.Base(p.Fset.Position(file.FileStart).Filename)] = true
	}
	tests, err := filepath.Glob(filepath.Join(filepath.Dir(p.Fset.Position(f.Pos()).Filename), "*_test.go"))
	for _, name := range tests {
		if seen[filepath.Base(name)] {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return true
		}
		if !bytes.Contains(src, []byte(f.Name())) {
			continue // most files, and parsing takes far longer
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil || code.Worded(file, f.Name()) {
			return true
		}
	}
	return err != nil
}

// address returns the edit that passes the address of an argument.
func address(p *rule.Pass, x ast.Expr) (analysis.TextEdit, bool) {
	if star, ok := ast.Unparen(x).(*ast.StarExpr); ok {
		return analysis.TextEdit{Pos: x.Pos(), End: x.End(), NewText: []byte(p.Source(star.X))}, true
	}
	return analysis.TextEdit{Pos: x.Pos(), End: x.Pos(), NewText: []byte("&")}, addressable(p, x)
}

func addressable(p *rule.Pass, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return code.Var(p.TypesInfo, x) != nil
	case *ast.CompositeLit:
		return true
	case *ast.SelectorExpr:
		sel := p.TypesInfo.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && (sel.Indirect() || addressable(p, x.X)) && notLiteral(x.X)
	case *ast.IndexExpr:
		switch p.TypesInfo.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return addressable(p, x.X) && notLiteral(x.X)
		}
	}
	return false
}

func notLiteral(x ast.Expr) bool {
	_, lit := x.(*ast.CompositeLit)
	return !lit
}
