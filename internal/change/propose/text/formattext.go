package text

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
)

// FormatText puts a formatted text together on the stack.
var FormatText = prove.Transformation{
	Name:     "format-text",
	Doc:      "A text that fmt.Sprintf or Sprint makes of numbers and strings is put together on the stack by strconv's Append functions, and becomes a string at the end, or bytes. So is one of values whose String or Error only makes a text.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "format-text", "BenchmarkKey", "allocs", "one allocation for a key of numbers", 0),
	// It looks at the calls on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		taken := map[ast.Node]bool{}
		for _, f := range formatSitesAt(s.Program, s.Fn, s.At.Line) {
			if f.text != nil {
				taken[ast.Unparen(f.text)] = true // append-format knows where it goes
			}
		}
		ast.Inspect(s.Fn.Decl.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !s.Covers(call, s.At.Line) || appendfTwins[fullName(s.Fn, call)].append == "" {
				return !taken[n]
			}
			if !taken[call] {
				ch, why := proposeFormatText(s.Program, &formatSite{fn: s.Fn, call: call, kind: toText, text: call})
				s.Add(prove.Short(types.ExprString(call))+" goes through fmt", ch, why)
			}
			return false
		})
	}),
}

func proposeFormatText(p *prove.Program, s *formatSite) (*model.Change, *prove.Reason) {
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
	return w.change("format-text", "make "+prove.Short(types.ExprString(s.call))+" without fmt")
}

// beyondStrings reports whether joining strings would make two of the parts first, or cannot
// say one.
func (w *formatWriter) beyondStrings() bool {
	if fullName(w.fn, w.call) != "fmt.Sprintf" || w.toBytes() != nil {
		return true
	}
	made := 0
	for _, f := range w.pieces {
		switch {
		case f.stands(), f.own, strings.HasSuffix(f.str, ".String()"), strings.Contains(f.append, "[:]"),
			strings.Contains(f.append, ".AppendFloat("), strings.Contains(f.append, ".AppendRune("):
			return true
		case f.append != "":
			made++
		}
	}
	return made > 1
}
