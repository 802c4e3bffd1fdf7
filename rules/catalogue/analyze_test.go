package catalogue

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// analyze loads the packages that patterns name in dir and runs analyzers on them.
func analyze(dir string, patterns []string, as ...*analysis.Analyzer) (*checker.Graph, error) {
	mode := packages.LoadSyntax
	if slices.ContainsFunc(as, facts) {
		mode = packages.LoadAllSyntax // the driver wants to see the dependencies as well
	}
	env := append(os.Environ(), "GOWORK=off", "GOPROXY=off")
	if root, _, ok := strings.Cut(dir, string(filepath.Separator)+"src"+string(filepath.Separator)); ok && filepath.Base(root) == "testdata" {
		env = append(env, "GO111MODULE=off", "GOPATH="+root) // as analysistest does: packages beside it stand for those of other modules
	}
	cfg := &packages.Config{Mode: mode, Dir: dir, Env: env}
	pkgs, err := packages.Load(cfg, patterns...)
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
	return checker.Analyze(as, pkgs, nil)
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
