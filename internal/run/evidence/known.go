package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// kind names the verdicts in the store's cache; the number is that of their
// form.
const kind = "evidence1"

// Directory is where verdicts are kept: cacheDir is os.UserCacheDir.
func Directory(cacheDir string) string { return filepath.Join(cacheDir, "pawl", "evidence") }

// A known holds the verdicts of earlier runs.
type known struct{ st *store.Store }

func openKnown(cacheDir string) (known, error) {
	if err := os.MkdirAll(Directory(cacheDir), 0o700); err != nil {
		return known{}, fmt.Errorf("making a directory for verdicts: %w", err)
	}
	st, err := store.Open(Directory(cacheDir))
	return known{st}, err
}

// save keeps a verdict. What is undecided, or failed, takes nothing back.
func (k known) save(r rule.Rule, res model.EvidenceResult) error {
	if res.Verdict == model.EvidenceUndecided || res.Verdict == model.EvidenceFailed {
		return nil
	}
	data, err := json.Marshal(res)
	if err != nil {
		return fmt.Errorf("keeping a verdict: %w", err)
	}
	return k.st.Cache(kind, key(r, res.GoVersion, res.CPU), data)
}

// key names all that a verdict depends on.
func key(r rule.Rule, goVersion, cpu string) string {
	h := sha256.New()
	for _, name := range []string{"before.go", "after.go", "bench_test.go"} {
		data, _ := fs.ReadFile(r.Evidence.Files, "testdata/evidence/"+name) // what cannot be read cannot have been measured
		fmt.Fprintf(h, "%d %s\n", len(data), data)
	}
	ratio := strconv.FormatFloat(r.Evidence.Ratio, 'g', -1, 64)
	return fmt.Sprintf("%s\n%s\n%s\n%s\n%s\n%s\n%s", r.Name, goVersion, cpu, r.Evidence.Bench, r.Evidence.Metric, ratio, hex.EncodeToString(h.Sum(nil)))
}

// Known returns the last verdict on a rule under this Go version and on this
// processor, and whether there is one. cacheDir is os.UserCacheDir. It writes
// nothing.
func Known(cacheDir string, env model.Environment, r rule.Rule) (model.EvidenceResult, bool) {
	var res model.EvidenceResult
	st, err := store.Open(Directory(cacheDir))
	if err != nil || Exempt(r) != "" {
		return res, false
	}
	data, ok := st.Cached(kind, key(r, env.GoVersion, env.CPU))
	if !ok || json.Unmarshal(data, &res) != nil {
		return model.EvidenceResult{}, false
	}
	return res, true
}

// Demoted returns, by name, the rules whose gain is not there under this Go
// version and on this processor, each with a sentence that says what was
// measured. cacheDir is os.UserCacheDir; of env only GoVersion and CPU count.
// Nothing that cannot be read demotes a rule.
func Demoted(cacheDir string, env model.Environment, rules []rule.Rule) map[string]string {
	out := make(map[string]string)
	for _, r := range rules {
		if res, ok := Known(cacheDir, env, r); ok && res.Verdict == model.EvidenceNotThere {
			out[r.Name] = fmt.Sprintf("its gain is not there: %s (pawl evidence, %s, %s)", res.Why, res.GoVersion, res.Time.Format(time.DateOnly))
		}
	}
	return out
}

// Here returns the Go version that is selected in a directory, and the processor,
// as far as they can be found out.
func Here(ctx context.Context, dir string, environ []string) model.Environment {
	env := bench.Environment(ctx, gocmd.Bare(environ, gocmd.NewMeter(time.Now())))
	if v, err := gocmd.Query(ctx, dir, environ, "GOVERSION"); err == nil {
		env.GoVersion = v
	}
	return env
}
