package rule

import (
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
)

// An Ignore is one directive: //lint:ignore pawl/RULE[,pawl/RULE…] reason, or
// //nolint:pawl // reason, which golangci-lint follows too.
type Ignore struct {
	Pos     token.Pos
	File    string
	Line    int // of the directive
	Last    int // the last line that it is about
	Rules   []string
	All     bool // about each rule, and so Rules is empty
	Reason  string
	Problem string // why it silences nothing
}

// Covers reports whether the directive silences the rule at the place.
func (ig *Ignore) Covers(at token.Position, rule string) bool {
	return ig.Problem == "" && ig.File == at.Filename && ig.Line <= at.Line && at.Line <= ig.Last &&
		(ig.All || slices.Contains(ig.Rules, rule))
}

// Ignores returns the directives of the files that name pawl's rules. Those for
// other tools are not looked at.
func Ignores(fset *token.FileSet, files []*ast.File) []Ignore {
	var all []Ignore
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if ig, ok := ParseIgnore(c.Text); ok {
					at := fset.Position(c.Pos())
					ig.Pos, ig.File, ig.Line, ig.Last = c.Pos(), at.Filename, at.Line, at.Line
					if alone(at) { // it is about the next line
						ig.Last++
						if ig.All {
							ig.Last = max(ig.Last, below(fset, f, at))
						}
					}
					all = append(all, ig)
				}
			}
		}
	}
	return all
}

// below returns the last line of the declaration or statement that begins
// right under at, as golangci-lint reads its directives; 0 if none does.
func below(fset *token.FileSet, f *ast.File, at token.Position) int {
	last := 0
	for n := range ast.Preorder(f) {
		if start := fset.Position(n.Pos()); start.Line == at.Line+1 && start.Column == at.Column {
			last = max(last, fset.Position(n.End()).Line)
		}
	}
	return last
}

// ParseIgnore reads a comment, from its two slashes on; places are left to the caller.
func ParseIgnore(text string) (Ignore, bool) {
	if rest, ok := strings.CutPrefix(text, "//nolint:"); ok {
		return parseNolint(rest)
	}
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

// parseNolint reads what follows //nolint: and may be about other linters too.
func parseNolint(rest string) (Ignore, bool) {
	names, reason, _ := strings.Cut(rest, "//")
	for name := range strings.SplitSeq(names, ",") {
		if strings.EqualFold(strings.TrimSpace(name), "pawl") {
			ig := Ignore{All: true, Reason: strings.TrimSpace(reason)}
			if ig.Reason == "" {
				ig.Problem = "the directive gives no reason and is not followed; write //nolint:" + strings.TrimSpace(names) + " // why"
			}
			return ig, true
		}
	}
	return Ignore{}, false
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
