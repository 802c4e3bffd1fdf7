package benchstub

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// mostOffers is how many packages an offer is made for.
const mostOffers = 3

// Offer returns, for packages in which findings stand on lines that a profile
// shows and which hold no benchmark, the command that writes one. root is the
// module's directory. Findings come with the most expensive first.
func Offer(root string, findings []model.Finding) []model.Warning {
	var out []model.Warning
	seen := make(map[string]bool)
	for _, f := range findings {
		dir := path.Dir(f.At.File)
		if f.Share == 0 || f.Func == "" || seen[dir] || path.IsAbs(f.At.File) || strings.Contains(f.Func, "glob.") {
			continue
		}
		seen[dir] = true
		if benchmarked(filepath.Join(root, filepath.FromSlash(dir))) || len(out) == mostOffers {
			continue
		}
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("no benchmark in %s, where %s takes %.1f %% of the profile in %s:%d", f.Pkg, f.Func, 100*f.Share, f.At.File, f.At.Line),
			Cause: "optimize and try judge a change by benchmarks",
			Try:   fmt.Sprintf("pawl bench-stub -line %s:%d '%s.%s', which takes inputs from the tests", f.At.File, f.At.Line, f.Pkg, f.Func),
		})
	}
	return out
}

// benchmarked reports whether a directory's tests declare a benchmark, or cannot
// be read.
func benchmarked(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || len(testbed.Functions(string(src))) > 0 {
			return true
		}
	}
	return false
}
