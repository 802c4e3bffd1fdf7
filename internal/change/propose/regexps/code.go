package regexps

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/regexps/recode"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ToCode replaces calls of a regular expression by calls of a function
// that is generated from it.
var ToCode = prove.Transformation{
	Name: "regexp-to-code",
	Doc: "MatchString or FindStringSubmatch of a package's own regular expression becomes a call of a function that compares bytes, " +
		"where one byte ahead decides each choice of the pattern. Where it does not, MatchString becomes one that goes through the states of a small automaton. So does ReplaceAllString of the characters of a class, or of runs of them.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "regexp-to-code", "BenchmarkParse", "cpu", "about a tenth of the CPU time, and no allocation where the groups stay in the function", 0),
	// It looks at the calls on the target's own line: what package regexp
	// costs is attributed there.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		for _, c := range regexpCallsAt(s.Program, s.Fn, s.At.Line) {
			if c.plain(s.Fn.Info(), c.call) {
				ch, why := proposeToCode(s.Program, c)
				s.AddAt(s.Pos(c.call.Pos()), types.ExprString(c.sel)+" is no plain code", ch, why)
			}
		}
	}),
}

// A regexpCall is a call of a method of a package variable that holds a
// regular expression.
type regexpCall struct {
	fn   *prove.Function
	call *ast.CallExpr
	sel  *ast.SelectorExpr
	v    *types.Var
	all  bool // whatever else a call is given; see plain
}

// regexpKinds are the methods that there is code for.
var regexpKinds = map[string]recode.Kind{"MatchString": recode.Match, "FindStringSubmatch": recode.Find,
	"ReplaceAllString": recode.Replace, "ReplaceAllLiteralString": recode.Replace}

// plain reports whether there is code for a call of the method: one that replaces matches puts the same text in the place
// of each.
func (c regexpCall) plain(info *types.Info, call *ast.CallExpr) bool {
	if _, known := regexpKinds[c.sel.Sel.Name]; !known || c.sel.Sel.Name != "ReplaceAllString" {
		return known
	}
	if len(call.Args) != 2 {
		return false
	}
	v := info.Types[call.Args[1]].Value
	return v != nil && v.Kind() == constant.String && !strings.Contains(constant.StringVal(v), "$")
}

// regexpCallsAt returns the calls of methods on a line.
func regexpCallsAt(p *prove.Program, fn *prove.Function, line int) []regexpCall {
	var found []regexpCall
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if !p.Covers(call, line) {
			continue
		}
		target := code.Callee(fn.Info(), call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if target == nil || !isSel || target.Pkg() == nil || target.Pkg().Path() != "regexp" || code.ReceiverName(target) != "Regexp" {
			continue
		}
		id, isID := ast.Unparen(sel.X).(*ast.Ident)
		if v, _ := fn.Info().Uses[id].(*types.Var); isID && v != nil && v.Parent() == fn.Obj.Pkg().Scope() {
			found = append(found, regexpCall{fn: fn, call: call, sel: sel, v: v})
		}
	}
	return found
}

// A regexpVar is the declaration of a variable that holds a regular
// expression.
type regexpVar struct {
	file    *prove.File
	decl    *ast.GenDecl
	spec    *ast.ValueSpec
	pattern string
	of      ast.Expr        // what makes it
	set     *ast.AssignStmt // of an init function that sets it; nil where the declaration does
}

// regexpVarOf returns the declaration of v, or why its pattern is not known.
func regexpVarOf(p *prove.Program, k *prove.Package, v *types.Var) (*regexpVar, *prove.Reason) {
	f, gen, s := k.Declared(v)
	if spec, ok := s.(*ast.ValueSpec); ok && len(spec.Names) == 1 {
		if len(spec.Values) == 1 {
			if pattern, ok := mustCompile(k.TypesInfo, spec.Values[0]); ok {
				return &regexpVar{f, gen, spec, pattern, spec.Values[0], nil}, nil
			}
		}
		isPattern := func(value ast.Expr) bool { _, ok := mustCompile(k.TypesInfo, value); return ok }
		if _, set := prove.SetByInit(k, v, isPattern); set != nil && len(spec.Values) == 0 {
			pattern, _ := mustCompile(k.TypesInfo, set.Rhs[0])
			return &regexpVar{f, gen, spec, pattern, set.Rhs[0], set}, nil
		}
	}
	return nil, prove.Refuse(v.Name() + " is not declared as regexp.MustCompile of a constant, nor set to it by init")
}

func mustCompile(info *types.Info, value ast.Expr) (pattern string, ok bool) {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	fn := code.Callee(info, call)
	v := info.Types[call.Args[0]].Value
	if fn == nil || fn.FullName() != "regexp.MustCompile" || v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// steady returns the declaration and the uses of the variable of a call, and says why it always holds the same expression.
func steady(p *prove.Program, k *prove.Package, c regexpCall) (decl *regexpVar, uses *regexpUse, always string, why *prove.Reason) {
	if decl, why = regexpVarOf(p, k, c.v); why != nil {
		return nil, nil, "", why
	}
	if other := p.OtherElsewhere(k.TypesInfo, decl.of); other != "" {
		return nil, nil, "", prove.Refusef("%s may be another text in other builds, and with it the pattern", other)
	}
	always = "no other package sees it, and this one only calls methods that do not change it"
	if decl.set != nil {
		always += "; one init sets it, and a call before that would panic"
	}
	for _, f := range []*prove.File{c.fn.File, decl.file} {
		if why := prove.Editable(f); why != nil {
			return nil, nil, "", why
		}
	}
	uses, why = regexpUses(p, k, c, decl.set)
	return decl, uses, always, why
}

func proposeToCode(p *prove.Program, c regexpCall) (*model.Change, *prove.Reason) {
	k, kind := c.fn.File.Pkg, regexpKinds[c.sel.Sel.Name]
	decl, uses, always, why := steady(p, k, c)
	if why != nil {
		return nil, why
	}
	code, err := recode.Generate(recode.Spec{Pattern: decl.pattern, Kind: kind, Base: regexpBase(c.v.Name()), Taken: taken(p, k)})
	if err != nil {
		return nil, prove.Refuse(err.Error())
	}
	one := recode.Case{Pattern: decl.pattern, Kind: kind, Function: code}
	texts, why := matches(p, one)
	if why != nil {
		return nil, why
	}
	reason := reasons[kind]
	if code.States {
		reason = "a state stands for all ways in which a match may have begun so far, and the pattern does not tell characters outside ASCII apart"
	}
	obligations := []model.Obligation{
		{Text: c.v.Name() + " is always the same expression", How: "proven", Why: always},
		{Text: code.Name + " does what the expression does", How: "proven",
			Why: fmt.Sprintf("%s; both gave the same on %d texts made from the pattern", reason, texts)},
	}
	return p.Change(c.fn, regexpEdits(p, decl, c.v, code, uses), model.Change{
		Kind: "regexp-to-code", MustDrive: true,
		Title:       fmt.Sprintf("%s: match %s in %s by code instead of package regexp", k.Name, c.v.Name(), c.fn.Obj.Name()),
		Obligations: obligations,
	})
}

const choices = "at each choice of the pattern, no text needs another way than the first that is there (with a look at the byte behind it)"

// reasons say why there is but one way to match.
var reasons = map[recode.Kind]string{recode.Match: choices, recode.Find: choices,
	recode.Replace: "a match is one character of a class, or as many as there are, and what takes its place has no $"}

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
		name = name[:i] + code.UpperName(name[i+1:])
	}
	return cmp.Or(name, "pattern")
}

// taken reports names that generated declarations must not have.
func taken(p *prove.Program, k *prove.Package) func(string) bool {
	return func(name string) bool {
		return !p.Free(k, name)
	}
}
