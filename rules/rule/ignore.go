package rule

import (
	"go/ast"
	"go/token"
	"os"
	"strings"
)

// An Ignore is one directive: //lint:ignore pawl/RULE[,pawl/RULE…] reason.
type Ignore struct {
	Pos     token.Pos
	File    string
	Line    int
	Alone   bool // on a line of its own, so that it is about the next one
	Rules   []string
	Reason  string
	Problem string // why it silences nothing
}

// Ignores returns the directives of the files that name pawl's rules. Those for
// other tools are not looked at.
func Ignores(fset *token.FileSet, files []*ast.File) []Ignore {
	var all []Ignore
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if ig, ok := parseIgnore(c.Text); ok {
					at := fset.Position(c.Pos())
					ig.Pos, ig.File, ig.Line = c.Pos(), at.Filename, at.Line
					ig.Alone = alone(at)
					all = append(all, ig)
				}
			}
		}
	}
	return all
}

func parseIgnore(text string) (Ignore, bool) {
	rest, ok := strings.CutPrefix(text, "//lint:ignore ")
	if !ok {
		return Ignore{}, false
	}
	names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	var ig Ignore
	for name := range strings.SplitSeq(names, ",") {
		if rule, ok := strings.CutPrefix(name, "pawl/"); ok {
			ig.Rules = append(ig.Rules, rule)
		}
	}
	if len(ig.Rules) == 0 {
		return Ignore{}, false
	}
	ig.Reason = strings.TrimSpace(reason)
	if ig.Reason == "" {
		ig.Problem = "the directive gives no reason and is not followed; write //lint:ignore " + names + " why"
	}
	return ig, true
}

// alone reports whether nothing but blanks stands before at on its line.
func alone(at token.Position) bool {
	data, err := os.ReadFile(at.Filename)
	if err != nil || at.Offset > len(data) {
		return at.Column == 1
	}
	before := data[at.Offset-(at.Column-1) : at.Offset]
	return strings.TrimSpace(string(before)) == ""
}
