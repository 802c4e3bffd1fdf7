package pools

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

const keep = `(?:retain|retains|retained|keep|keeps|kept|hold|holds|held|store|stores|stored)\b`

var (
	keeping    = regexp.MustCompile(`(?i)\b` + keep)
	notKeeping = regexp.MustCompile(`(?i)(?:\b(?:not|never|nor|cannot)|n't)\s+(?:\w+\s+){0,2}` + keep)
	shortLived = regexp.MustCompile(`(?i)\b(?:only\s+)?valid\s+(?:only\s+)?(?:until|during|within)\b|\bnot\s+(?:be\s+)?(?:use|used|access|accessed|refer|referenced)\b.*\b(?:after|later|returns)\b`)
)

// A promise is what an interface's documentation says about keeping a
// parameter.
type promise struct {
	forbids string // the sentence that forbids it
	allows  string // the sentence that says it may be kept, or is
}

// promised reads the comment on a method of an interface of the module for
// sentences about keeping a parameter.
func promised(p *prove.Program, fn *types.Func, index int) promise {
	var pr promise
	about := regexp.MustCompile(`(?i)\b(arguments?|parameters?|slices?|buffers?|passed|given)\b`)
	if name := fn.Signature().Params().At(index).Name(); name != "" && name != "_" {
		about = regexp.MustCompile(about.String() + `|\b` + regexp.QuoteMeta(name) + `\b`)
	}
	for _, s := range sentences(methodDoc(p, fn)) {
		rest := notKeeping.ReplaceAllString(s, "")
		switch {
		case !about.MatchString(s):
		case keeping.MatchString(rest):
			pr.allows = s
		case rest != s || shortLived.MatchString(s):
			pr.forbids = s
		}
	}
	return pr
}

// methodDoc returns the comment on a method in the declaration of its
// interface, "" if that was not loaded from source.
func methodDoc(p *prove.Program, fn *types.Func) string {
	f := p.Files[p.Pos(fn.Pos()).File]
	if f == nil {
		return ""
	}
	doc := ""
	for field := range code.All[*ast.Field](f.Syntax) {
		if len(field.Names) == 1 && field.Names[0].Pos() == fn.Pos() {
			doc = field.Doc.Text()
		}
	}
	return doc
}

func sentences(doc string) []string {
	var all []string
	for _, s := range strings.Split(strings.Join(strings.Fields(doc), " "), ". ") {
		if s = strings.TrimSuffix(strings.TrimSpace(s), "."); s != "" {
			all = append(all, s)
		}
	}
	return all
}
