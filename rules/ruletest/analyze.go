package ruletest

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// analyze loads the package in dir and runs an analyzer on it.
func analyze(a *analysis.Analyzer, dir string) (*checker.Graph, error) {
	mode := packages.LoadSyntax
	if facts(a) {
		mode = packages.LoadAllSyntax // the driver wants to see the dependencies as well
	}
	cfg := &packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOPROXY=off")}
	pkgs, err := packages.Load(cfg, ".")
	if err != nil {
		return nil, err
	}
	var bad []error
	for _, p := range pkgs {
		for _, e := range p.Errors {
			bad = append(bad, e)
		}
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	return checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
}

// facts reports whether an analyzer, or one that it needs, uses facts.
func facts(a *analysis.Analyzer) bool {
	return len(a.FactTypes) > 0 || slices.ContainsFunc(a.Requires, facts)
}

type edit struct {
	file       string
	start, end int
	text       []byte
}

func editsOf(act *checker.Action, fix analysis.SuggestedFix) []edit {
	var edits []edit
	for _, e := range fix.TextEdits {
		tf := act.Package.Fset.File(e.Pos)
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		edits = append(edits, edit{tf.Name(), tf.Offset(e.Pos), tf.Offset(end), e.NewText})
	}
	return edits
}

// apply returns the files with the edits made, from the back. Equal edits,
// such as the same import from two fixes, are made once.
func apply(edits []edit) (map[string][]byte, error) {
	slices.SortStableFunc(edits, func(a, b edit) int { return b.start - a.start })
	edits = slices.CompactFunc(edits, func(a, b edit) bool {
		return a.file == b.file && a.start == b.start && a.end == b.end && string(a.text) == string(b.text)
	})
	files := map[string][]byte{}
	for _, e := range edits {
		src, ok := files[e.file]
		if !ok {
			var err error
			if src, err = os.ReadFile(e.file); err != nil {
				return nil, err
			}
		}
		files[e.file] = slices.Concat(src[:e.start], e.text, src[e.end:])
	}
	return files, nil
}
