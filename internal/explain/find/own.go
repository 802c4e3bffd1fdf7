package find

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Own takes away the fixes of files that are not yours to change, and says so: those of the Go
// installation, unless it is the module that was looked at, and those of the module cache.
func Own(f *model.Findings) []model.Warning {
	var warnings []model.Warning
	for _, s := range []struct {
		dir, what string
		even      bool // of the module that was looked at
	}{{f.GOROOT, "the Go installation", false}, {f.ModCache, "the module cache", true}} {
		n := 0
		for i, x := range f.Findings {
			if x.Fix != nil && x.Class == "A" && s.dir != "" && slices.ContainsFunc(x.Fix.Edits, func(e model.Edit) bool { return below(s.dir, f.Root, e.File, s.even) }) {
				f.Findings[i].Fix = nil
				n++
			}
		}
		if n > 0 {
			warnings = append(warnings, model.Warning{
				Seen:  fmt.Sprintf("%s in %s not made: it is %s", words.Inflect(n, "fix", "fixes"), s.dir, s.what),
				Cause: "the patterns name packages there, and all programs that are built here use those files",
				Try:   "-diff to see the fixes, or copy the packages into a module of yours",
			})
		}
	}
	return warnings
}

// below reports whether a file that an edit names lies in dir. A relative name is one of the
// module at root.
func below(dir, root, name string, even bool) bool {
	if !filepath.IsAbs(name) {
		if !even {
			return false
		}
		name = filepath.Join(root, filepath.FromSlash(name))
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
