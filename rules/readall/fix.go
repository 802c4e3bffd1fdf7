package readall

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A fixer makes the fixes of one package.
type fixer struct {
	p     *rule.Pass
	given map[string]bool // names of the functions that fixes declare
}

func (x *fixer) report(r *reading) {
	f := rule.Finding{Pos: r.call.Pos(), End: r.call.End()}
	switch r.kind {
	case decode:
		f.Message = "the whole stream is read to be decoded once; a json.Decoder reads it as it goes, if it then checks that nothing follows"
		f.Fixes = x.decode(r)
	case forward:
		f.Message = "the whole stream is held in memory to be written once; io.Copy writes it as it comes"
		f.Fixes = x.forward(r)
	case again:
		f.Message = "the whole stream is held in memory only to be read once more, piece by piece; hand over the reader itself"
	case convert:
		f.Message = "the whole stream is read, then copied once more into a string"
	}
	if r.apart {
		f.Fixes = nil
	}
	x.p.Report(f)
}

// forward replaces the reading by a copy to where the bytes go, and drops the
// write.
func (x *fixer) forward(r *reading) []analysis.SuggestedFix {
	info := x.p.TypesInfo
	if !x.simple(r.dest) || !x.droppable(r) {
		return nil
	}
	file := x.p.File(r.call.Pos())
	q, edits, ok := code.Import(info, x.p.Pkg, file, r.call.Pos(), "io")
	if !ok {
		return nil
	}
	text := "_, " + x.errName(r)
	tok := r.assign.Tok.String()
	if r.err == nil || info.Defs[r.assign.Lhs[1].(*ast.Ident)] == nil {
		tok = "="
	}
	text += " " + tok + " " + q + ".Copy(" + x.p.Source(r.dest) + ", " + x.p.Source(r.call.Args[0]) + ")"
	edits = append(edits, analysis.TextEdit{Pos: r.assign.Pos(), End: r.assign.End(), NewText: []byte(text)}, x.p.Delete(r.next))
	edits = append(edits, x.imports(file, r.call.Fun, r.use.Fun)...)
	return []analysis.SuggestedFix{{Message: "Copy the stream", TextEdits: edits}}
}

// errName returns how the error of the reading is called.
func (x *fixer) errName(r *reading) string { return r.assign.Lhs[1].(*ast.Ident).Name }

// droppable reports whether the statement that writes does nothing else, and
// handles an error of its own as the reading's is handled.
func (x *fixer) droppable(r *reading) bool {
	switch s := r.next.(type) {
	case *ast.ExprStmt:
		return s.X == ast.Expr(r.use)
	case *ast.AssignStmt:
		for _, lhs := range s.Lhs {
			if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" {
				return false
			}
		}
		return len(s.Rhs) == 1 && s.Rhs[0] == ast.Expr(r.use)
	case *ast.IfStmt:
		init, ok := s.Init.(*ast.AssignStmt)
		return ok && r.check != nil && s.Else == nil && len(init.Rhs) == 1 && init.Rhs[0] == ast.Expr(r.use) && init.Tok == token.DEFINE &&
			sameText(x.p.Source(s.Body), x.p.Source(r.check.Body))
	}
	return false
}

func sameText(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// simple reports whether an expression is a variable or a field of one.
func (x *fixer) simple(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return x.simple(e.X)
	}
	return false
}

// decode drops the reading and gives its reader to a function that decodes,
// which the fix declares.
func (x *fixer) decode(r *reading) []analysis.SuggestedFix {
	info, p := x.p.TypesInfo, x.p
	file := p.File(r.call.Pos())
	decl, _ := code.Decl(info, r.stmt)
	if decl == nil || !x.simple(r.call.Args[0]) {
		return nil
	}
	removed := []analysis.TextEdit{p.Delete(r.assign)}
	if r.check != nil {
		removed = append(removed, p.Delete(r.check))
	}
	if r.err != nil && info.Defs[r.assign.Lhs[1].(*ast.Ident)] == r.err {
		edit, ok := x.declare(r)
		if !ok {
			return nil
		}
		removed = append(removed, edit...)
	} else if r.err != nil && !x.elsewhere(r) {
		return nil
	}
	edits := removed
	json := strings.TrimSuffix(p.Source(r.use.Fun), ".Unmarshal")
	names := map[string]string{}
	for _, path := range []string{"io", "errors"} {
		q, more, ok := code.Import(info, p.Pkg, file, decl.Pos(), path)
		if !ok {
			return nil
		}
		names[path], edits = q, append(edits, more...)
	}
	name := x.name()
	at := decl.End()
	edits = append(edits, analysis.TextEdit{Pos: at, End: at, NewText: []byte(helper(name, json, names["io"], names["errors"]))})
	edits = append(edits,
		analysis.TextEdit{Pos: r.use.Fun.Pos(), End: r.use.Fun.End(), NewText: []byte(name)},
		analysis.TextEdit{Pos: r.use.Args[0].Pos(), End: r.use.Args[0].End(), NewText: []byte(p.Source(r.call.Args[0]))})
	return []analysis.SuggestedFix{{Message: "Decode the stream and check that it ends", TextEdits: append(edits, x.imports(file, r.call.Fun)...)}}
}

// name returns a name for a function that decodes. Each fix declares its own,
// since another may not be applied.
func (x *fixer) name() string {
	want := "decodeOne"
	for i := 2; ; i++ {
		name := code.FreeName(x.p.Pkg, x.p.TypesInfo, want)
		if !x.given[name] {
			x.given[name] = true
			return name
		}
		want = "decodeOne" + strconv.Itoa(i)
	}
}

// helper returns the declaration of a function that decodes.
func helper(name, json, io, errors string) string {
	return "\n\n// " + name + " decodes the one JSON value that r holds.\nfunc " + name + "(r " + io + ".Reader, v any) error {\ndec := " + json + ".NewDecoder(r)\n" +
		"if err := dec.Decode(v); err != nil {\nreturn err\n}\nswitch _, err := dec.Token(); err {\ncase " + io + ".EOF:\nreturn nil\ncase nil:\n" +
		"return " + errors + ".New(\"data after the JSON value\")\ndefault:\nreturn err\n}\n}"
}

// declare returns the edits that keep err declared when the statement that
// declared it goes: err = json.Unmarshal(…) in the same block becomes err :=.
func (x *fixer) declare(r *reading) ([]analysis.TextEdit, bool) {
	if !code.UsedBeyond(x.p.Index, r.err, r.check) {
		return nil, true
	}
	if s, ok := r.next.(*ast.AssignStmt); ok && s.Tok == token.ASSIGN && len(s.Lhs) == 1 && code.Var(x.p.TypesInfo, s.Lhs[0]) == r.err {
		return []analysis.TextEdit{{Pos: s.TokPos, End: s.TokPos + 1, NewText: []byte(":=")}}, true
	}
	return nil, false
}

// elsewhere reports whether err is used in more than the statements that go.
func (x *fixer) elsewhere(r *reading) bool {
	return code.UsedBeyond(x.p.Index, r.err, r.assign, r.check)
}

// imports returns the edits that remove the imports which only what is
// replaced had needed.
func (x *fixer) imports(file *ast.File, removed ...ast.Node) []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, path := range []string{"io/ioutil", "fmt"} {
		edits = append(edits, code.DropImport(x.p, file, path, removed...)...)
	}
	return edits
}
