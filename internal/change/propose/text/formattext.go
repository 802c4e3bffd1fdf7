package text

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// FormatText puts a formatted text together on the stack.
type FormatText struct{ prove.SavesBoth }

// Name is the kind of the changes.
func (FormatText) Name() string { return "format-text" }

// Doc describes the transformation.
func (FormatText) Doc() string {
	return "A text that fmt.Sprintf or Sprint makes of numbers and strings is put together on the stack by strconv's Append functions, and becomes a string at the end."
}

// Evidence is the proof that it pays.
func (FormatText) Evidence() *rule.Evidence {
	return prove.Evidence(proofs, "format-text", "BenchmarkKey", "allocs", "one allocation for a key of numbers", 0)
}

// Propose looks at the calls on the target's line.
func (a FormatText) Propose(p *prove.Program, t model.Target) ([]model.Change, []prove.Refusal) {
	o := prove.Offers{Kind: a.Name(), Target: t}
	p.EachPlace(prove.Places(t, false), func(fn *prove.Function, at model.Pos) {
		taken := map[ast.Node]bool{}
		for _, s := range formatSitesAt(p, fn, at.Line) {
			if s.text != nil {
				taken[ast.Unparen(s.text)] = true // append-format knows where it goes
			}
		}
		ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !p.Covers(call, at.Line) || appendfTwins[fullName(fn, call)].append == "" {
				return !taken[n]
			}
			if !taken[call] {
				ch, why := a.propose(p, &formatSite{fn: fn, call: call, kind: toText, text: call})
				o.Add(at, prove.Short(types.ExprString(call))+" goes through fmt", ch, why)
			}
			return false
		})
	})
	return o.Changes, o.Refusals
}

func (a FormatText) propose(p *prove.Program, s *formatSite) (*model.Change, *prove.Reason) {
	if why := s.editable(); why != nil {
		return nil, why
	}
	s.stmt = s.leads()
	w := &formatWriter{p: p, formatSite: s}
	if why := w.write(); why != nil {
		return nil, why
	}
	if !w.beyondStrings() {
		return nil, nil // rule sprintf has an expression for it that costs no more
	}
	return w.change(a.Name(), "make "+prove.Short(types.ExprString(s.call))+" without fmt")
}

// beyondStrings reports whether joining strings would make two of the parts first, or cannot
// say one.
func (w *formatWriter) beyondStrings() bool {
	if fullName(w.fn, w.call) != "fmt.Sprintf" {
		return true
	}
	made := 0
	for _, f := range w.pieces {
		switch {
		case f.stands(), strings.HasSuffix(f.str, ".String()"), strings.Contains(f.append, "[:]"),
			strings.Contains(f.append, ".AppendFloat("), strings.Contains(f.append, ".AppendRune("):
			return true
		case f.append != "":
			made++
		}
	}
	return made > 1
}
