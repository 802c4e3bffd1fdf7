package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/source"
)

// load lists packages to be type-checked one by one, from source. What they
// import is taken from export data.
func load(ctx context.Context, o Options, toolchain string, want []*listed) (*source.Stream, error) {
	var patterns []string
	for _, p := range want {
		patterns = append(patterns, p.ImportPath)
	}
	s, err := source.Open(&packages.Config{Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: o.Flags}, toolchain, patterns...)
	if err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	return s, nil
}

func problems(p *packages.Package) []string {
	var out []string
	for _, e := range p.Errors {
		text := e.Error()
		if e.Pos == "" || e.Pos == "-" {
			text = e.Msg // what a go command says begins with "# the package", and has places of its own
			if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(head, "# ") {
				text = rest
			}
		}
		if text = strings.TrimSpace(text); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) > 3 {
		out = append(out[:3], fmt.Sprintf("and %d more", len(out)-3))
	}
	return out
}
