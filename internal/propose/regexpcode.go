package propose

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/matcher"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// regexpCode replaces calls of a regular expression by calls of a function
// that is generated from it.
type regexpCode struct{ savesBoth }

// Name is the kind of the changes.
func (regexpCode) Name() string { return "regexp-to-code" }

// Doc describes the transformation.
func (regexpCode) Doc() string {
	return "MatchString or FindStringSubmatch of a package's own regular expression becomes a call of a function that compares bytes, " +
		"where one byte ahead decides each choice of the pattern."
}

// Evidence is the proof that it pays.
func (regexpCode) Evidence() *rule.Evidence {
	return proof("regexp-to-code", "BenchmarkParse", "cpu", "about a tenth of the CPU time, and no allocation where the groups stay in the function", 0)
}

// A regexpCall is a call of a method of a package variable that holds a
// regular expression.
type regexpCall struct {
	fn   *function
	call *ast.CallExpr
	sel  *ast.SelectorExpr
	v    *types.Var
	kind matcher.Kind
}

// regexpKinds are the methods that there is code for.
var regexpKinds = map[string]matcher.Kind{"MatchString": matcher.Match, "FindStringSubmatch": matcher.Find}

// Propose looks at the calls on the target's own line: what package regexp
// costs is attributed there.
func (r regexpCode) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: r.Name(), target: t}
	p.eachPlace([]model.Pos{t.At}, func(fn *function, at model.Pos) {
		for _, c := range p.regexpCallsAt(fn, at.Line) {
			ch, why := r.propose(p, c)
			o.add(p.pos(c.call.Pos()), types.ExprString(c.sel)+" is no plain code", ch, why)
		}
	})
	return o.changes, o.refusals
}

// regexpCallsAt returns the calls of the right shape on a line.
func (p *Program) regexpCallsAt(fn *function, line int) []regexpCall {
	var found []regexpCall
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !p.covers(call, line) {
			return true
		}
		target := callee(fn.info(), call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if target == nil || !isSel || target.Pkg() == nil || target.Pkg().Path() != "regexp" || receiverName(target) != "Regexp" {
			return true
		}
		kind, ok := regexpKinds[target.Name()]
		id, isID := ast.Unparen(sel.X).(*ast.Ident)
		if !ok || !isID {
			return true
		}
		if v, _ := fn.info().Uses[id].(*types.Var); v != nil && v.Parent() == fn.obj.Pkg().Scope() {
			found = append(found, regexpCall{fn, call, sel, v, kind})
		}
		return true
	})
	return found
}

// A regexpVar is the declaration of a variable that holds a regular
// expression.
type regexpVar struct {
	file    *file
	decl    *ast.GenDecl
	spec    *ast.ValueSpec
	pattern string
}

// regexpVar returns the declaration of v, or why its pattern is not known.
func (p *Program) regexpVar(k *pkg, v *types.Var) (*regexpVar, string) {
	for _, f := range k.files {
		for _, d := range f.syntax.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, s := range gen.Specs {
				spec := s.(*ast.ValueSpec)
				if len(spec.Names) != 1 || k.TypesInfo.Defs[spec.Names[0]] != v {
					continue
				}
				if pattern, ok := mustCompile(k.TypesInfo, spec); ok {
					return &regexpVar{f, gen, spec, pattern}, ""
				}
			}
		}
	}
	return nil, v.Name() + " is not declared as regexp.MustCompile of a constant"
}

func mustCompile(info *types.Info, spec *ast.ValueSpec) (pattern string, ok bool) {
	if len(spec.Values) != 1 {
		return "", false
	}
	call, ok := ast.Unparen(spec.Values[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	fn := callee(info, call)
	v := info.Types[call.Args[0]].Value
	if fn == nil || fn.FullName() != "regexp.MustCompile" || v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

func (r regexpCode) propose(p *Program, c regexpCall) (*model.Change, string) {
	k := c.fn.file.pkg
	decl, why := p.regexpVar(k, c.v)
	if why != "" {
		return nil, why
	}
	for _, f := range []*file{c.fn.file, decl.file} {
		if why := editable(f); why != "" {
			return nil, why
		}
	}
	uses, why := p.regexpUses(k, c)
	if why != "" {
		return nil, why
	}
	code, err := matcher.Generate(matcher.Spec{Pattern: decl.pattern, Kind: c.kind, Base: regexpBase(c.v.Name()), Taken: p.taken(k)})
	if err != nil {
		return nil, err.Error()
	}
	one := matcher.Case{Pattern: decl.pattern, Kind: c.kind, Function: code}
	texts, why := p.matches(one)
	if why != "" {
		return nil, why
	}
	edits, err := p.settle(p.regexpEdits(decl, c.v, code, uses))
	if err != nil {
		return nil, err.Error()
	}
	obligations := []model.Obligation{
		{Text: c.v.Name() + " is always the same expression", How: "proven", Why: "no other package sees it, and this one only calls methods that do not change it"},
		{Text: code.Name + " does what the expression does", How: "proven",
			Why: fmt.Sprintf("at each choice of the pattern, no text needs another way than the first that is there (with a look at the byte behind it); both gave the same on %d texts made from the pattern", texts)},
	}
	return &model.Change{
		ID: changeID(r.Name(), c.fn.obj.FullName(), edits), Kind: r.Name(), Class: "B", MustDrive: true,
		Title: fmt.Sprintf("%s: match %s in %s by code instead of package regexp", k.Name, c.v.Name(), c.fn.obj.Name()),
		Edits: edits, Obligations: obligations,
	}, ""
}

// regexpBase returns what a variable's name says the pattern is for.
func regexpBase(name string) string {
	for _, word := range []string{"Regexp", "RegExp", "RegEx", "Regex", "Pattern", "RE", "Re", "Rx", "regexp", "regex", "pattern", "re", "rx", "_"} {
		if rest, ok := strings.CutSuffix(name, word); ok && rest != "" && (word[0] < 'a' || strings.HasSuffix(rest, "_")) {
			name = rest
		}
		if rest, ok := strings.CutPrefix(name, word); ok && rest != "" && (rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] == '_') {
			name = rest
		}
	}
	name = strings.Trim(name, "_")
	if i := strings.IndexByte(name, '_'); i > 0 && i+1 < len(name) {
		name = name[:i] + upper(name[i+1:])
	}
	if name == "" {
		return "pattern"
	}
	return name
}

// taken reports names that generated declarations must not have.
func (p *Program) taken(k *pkg) func(string) bool {
	return func(name string) bool {
		return p.identifiers(k)[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil || p.ignoredMention(k, name) != ""
	}
}
