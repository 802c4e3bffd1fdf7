package regexps

import (
	"fmt"
	"go/types"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Literal asks for what each match of a regular expression has, before that is run.
var Literal = prove.Transformation{
	Name: "regexp-literal",
	Doc: "A regular expression of the package whose matches all have some literal in them, such as an @, is run only on texts that have it: " +
		"package strings looks many times faster. Package regexp itself looks for a literal only where matches begin with it.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "regexp-literal", "BenchmarkHide", "cpu", "a text without an @ is not matched, nor copied", 0),
	// It looks at the calls on the target's own line, as regexp-to-code does.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		for _, c := range regexpCallsAt(s.Program, s.Fn, s.At.Line) {
			if without[c.sel.Sel.Name] != "" {
				c.all = true
				ch, why := proposeLiteral(s.Program, c)
				s.AddAt(s.Pos(c.call.Pos()), types.ExprString(c.sel)+" is run on each text", ch, why)
			}
		}
	}),
}

// without is what the methods return of a text without a match; text stands for that.
var without = map[string]string{
	"MatchString": "false", "FindString": `""`, "FindStringIndex": "nil", "FindStringSubmatch": "nil", "FindStringSubmatchIndex": "nil",
	"FindAllString": "nil", "FindAllStringIndex": "nil", "FindAllStringSubmatch": "nil", "FindAllStringSubmatchIndex": "nil",
	"ReplaceAllString": "text", "ReplaceAllLiteralString": "text", "ReplaceAllStringFunc": "text",
	"Match": "false", "Find": "nil", "FindIndex": "nil", "FindSubmatch": "nil", "FindSubmatchIndex": "nil",
	"FindAll": "nil", "FindAllIndex": "nil", "FindAllSubmatch": "nil", "FindAllSubmatchIndex": "nil",
}

func proposeLiteral(p *prove.Program, c regexpCall) (*model.Change, *prove.Reason) {
	k := c.fn.File.Pkg
	decl, uses, always, why := steady(p, k, c)
	if why != nil {
		return nil, why
	}
	re, err := regexp.Compile(decl.pattern)
	if err != nil {
		return nil, prove.Refuse(err.Error())
	}
	if prefix, _ := re.LiteralPrefix(); prefix != "" {
		return nil, prove.Refusef("each match begins with %s, which package regexp looks for itself", strconv.Quote(prefix))
	}
	literal := inEach(decl.pattern)
	if literal == "" {
		return nil, prove.Refuse("no literal is in each match, or one is where each text must begin")
	}
	edits, why := literalEdits(p, decl, c, uses, literal)
	if why != nil {
		return nil, why
	}
	return p.Change(c.fn, edits, model.Change{
		Kind:  "regexp-literal",
		Title: fmt.Sprintf("%s: match %s in %s only where there is %s", k.Name, c.v.Name(), c.fn.Obj.Name(), strconv.Quote(literal)),
		Obligations: []model.Obligation{
			{Text: c.v.Name() + " is always the same expression", How: "proven", Why: always},
			{Text: "no text without " + strconv.Quote(literal) + " has a match", How: "proven", Why: "it is a part of the pattern that stands in no choice, and that no match is without"},
			{Text: "a text without a match gives " + without[c.sel.Sel.Name], How: "assumed", Why: "the documentation of package regexp"},
		},
	})
}

// inEach returns the longest literal that each match of a pattern has; "" where none is known, and where texts must begin
// with one: that the others do not is seen at once.
func inEach(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	parsed = parsed.Simplify()
	if parsed.Op == syntax.OpConcat && parsed.Sub[0].Op == syntax.OpBeginText && first(parsed.Sub[1]).Op == syntax.OpLiteral {
		return ""
	}
	return literalOf(parsed)
}

// first returns what an expression begins with.
func first(r *syntax.Regexp) *syntax.Regexp {
	for r.Op == syntax.OpCapture || r.Op == syntax.OpPlus || r.Op == syntax.OpConcat {
		r = r.Sub[0]
	}
	return r
}

func literalOf(r *syntax.Regexp) (longest string) {
	switch r.Op {
	case syntax.OpLiteral:
		for part := range strings.FieldsFuncSeq(string(r.Rune), func(c rune) bool { return r.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(c) != c }) {
			if len(part) > len(longest) {
				longest = part
			}
		}
	case syntax.OpCapture, syntax.OpPlus:
		longest = literalOf(r.Sub[0])
	case syntax.OpConcat:
		for _, s := range r.Sub {
			if one := literalOf(s); len(one) > len(longest) {
				longest = one
			}
		}
	}
	if strings.ContainsRune(longest, utf8.RuneError) {
		return "" // which bytes that are no UTF-8 match as well
	}
	return longest
}

// literalEdits calls a function in place of the method, and declares it behind the variable.
func literalEdits(p *prove.Program, decl *regexpVar, c regexpCall, u *regexpUse, literal string) ([]model.Edit, *prove.Reason) {
	f, name, v, at := decl.file, "", c.v.Name(), decl.spec.Pos()
	for _, verb := range []string{"match", "find", "replace"} {
		for i := 1; name == "" && strings.HasPrefix(c.sel.Sel.Name, code.UpperName(verb)); i++ {
			if n := prove.Numbered(verb+code.UpperName(regexpBase(v)), i); p.Free(c.fn.File.Pkg, n) {
				name = n
			}
		}
	}
	pkg, as := "strings", strconv.Quote(literal)
	if code.IsBytes(c.fn.Info().TypeOf(c.sel).(*types.Signature).Params().At(0).Type()) {
		pkg, as = "bytes", "[]byte("+as+")"
	}
	qualifier := p.Qualifier(f, at, pkg)
	imports, ok := p.Reimport(f, at, []string{pkg}, "")
	parameters := []string{"text", "with", "n"}
	if !ok || qualifier == "" || slices.Contains(parameters, v) || slices.Contains(parameters, qualifier) {
		return nil, prove.Refuse("no name is free for package " + pkg + ", or for a parameter")
	}
	has := fmt.Sprintf("%s.Contains(text, %s)", qualifier, as)
	behind := lineEnd(f.Src, p.Offset(decl.decl.End()))
	edits := append(imports, p.Edit(f, behind, behind, fmt.Sprintf("\n\n// %s is %s.%s: no text without %s has a match.\n%s",
		name, v, c.sel.Sel.Name, strconv.Quote(literal), c.asking(name, has))))
	for i, sel := range u.calls {
		edits = append(edits, p.Put(u.files[i], sel.Pos(), sel.End(), name))
	}
	return edits, nil
}

// asking writes the function that runs the expression where a condition on its text holds.
func (c regexpCall) asking(name, has string) string {
	sig, method := c.fn.Info().TypeOf(c.sel).(*types.Signature), c.sel.Sel.Name
	params, args := "text "+sig.Params().At(0).Type().String(), "text"
	switch {
	case sig.Params().Len() == 2 && types.Identical(sig.Params().At(1).Type(), types.Typ[types.String]):
		params, args = "text, with string", "text, with"
	case sig.Params().Len() == 2:
		params, args = params+", with "+sig.Params().At(1).Type().String(), "text, with"
	}
	if strings.HasPrefix(method, "FindAll") {
		params, args = strings.Replace(params, "with", "n", 1), "text, n"
	}
	body := fmt.Sprintf("if !%s {\n\t\treturn %s\n\t}\n\treturn %s.%s(%s)", has, without[method], c.v.Name(), method, args)
	if without[method] == "false" {
		body = fmt.Sprintf("return %s && %s.%s(%s)", has, c.v.Name(), method, args)
	}
	return fmt.Sprintf("func %s(%s) %s {\n\t%s\n}", name, params, sig.Results().At(0).Type(), body)
}
