package readmemstats

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// edits declares the samples where the statistics are read, and puts their
// values where the fields stand.
func (r *reading) edits() []analysis.TextEdit {
	pkg, edits, ok := r.imports()
	if !ok {
		return nil
	}
	name := code.FreeLocal(r.fn, "samples")
	var want []string
	for _, sel := range r.fields {
		for _, m := range sums[sel.Sel.Name] {
			if !slices.Contains(want, m) {
				want = append(want, m)
			}
		}
	}
	for _, sel := range r.fields {
		edits = append(edits, analysis.TextEdit{Pos: sel.Pos(), End: sel.End(), NewText: []byte(value(name, sel.Sel.Name, want))})
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s := []%s.Sample{", name, pkg)
	for i, m := range want {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "{Name: %q}", m)
	}
	fmt.Fprintf(&text, "}\n%s.Read(%s)", pkg, name)
	return append(edits, r.p.Delete(r.decl),
		analysis.TextEdit{Pos: r.stmt.Pos(), End: r.stmt.End(), NewText: []byte(text.String())})
}

// value returns the expression that is a field of MemStats.
func value(name, field string, samples []string) string {
	var terms []string
	for _, m := range sums[field] {
		terms = append(terms, fmt.Sprintf("%s[%d].Value.Uint64()", name, slices.Index(samples, m)))
	}
	switch {
	case strings.HasPrefix(field, "Num"):
		return "uint32(" + terms[0] + ")"
	case len(terms) > 1:
		return "(" + strings.Join(terms, " + ") + ")"
	}
	return terms[0]
}

// imports returns the name of runtime/metrics and the edits that import it; it
// takes the place of runtime where nothing else needs that.
func (r *reading) imports() (string, []analysis.TextEdit, bool) {
	file := r.p.File(r.stmt.Pos())
	name, edits, ok := code.Import(r.p.TypesInfo, r.p.Pkg, file, r.stmt.Pos(), "runtime/metrics")
	if !ok {
		return "", nil, false
	}
	spec, unused := code.Unused(r.p.TypesInfo, file, "runtime", r.decl, r.stmt)
	if !unused {
		return name, edits, true
	}
	if len(edits) == 0 {
		return name, code.DeleteImport(r.p.Fset, file, spec), true
	}
	return name, []analysis.TextEdit{replaced(spec)}, true
}

func replaced(spec *ast.ImportSpec) analysis.TextEdit {
	start := spec.Path.Pos()
	if spec.Name != nil {
		start = spec.Name.Pos()
	}
	return analysis.TextEdit{Pos: start, End: spec.Path.End(), NewText: []byte(`"runtime/metrics"`)}
}
