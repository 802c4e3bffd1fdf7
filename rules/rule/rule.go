package rule

import (
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// A Tier says where a rule is worth showing.
type Tier string

// The tiers.
const (
	Always   Tier = "always"   // wrong wherever it stands
	Profiled Tier = "profiled" // only on a line that a profile shows to be hot
	Special  Tier = "special"  // only when the design calls for it
	Obsolete Tier = "obsolete" // true once; explained, never proposed
)

// A Class says what may be done with a fix.
type Class string

// The fix classes.
const (
	A Class = "A" // proven to keep behaviour
	B Class = "B" // offered; must pass guard and judge
	N Class = "N" // no fix, a report only
)

// A Rule is what a rule declares about itself. Texts are plain sentences.
type Rule struct {
	Name  string   // name of the package and of the analyzer: "splitcut"
	Title string   // what is wrong, in half a line
	IDs   []string // of the catalogue: "C75", or of pawl's own: "X01"
	Seeds []string // documents it comes from, by their first three digits: "000"; none if it is pawl's own
	Tier  Tier
	Fix   Class // best class that a finding can have
	// Go is the first version that it holds for, "go1.18"; empty: any. It is
	// compared with the file's version, which decides what the language allows
	// and what a fix may call. With GoLine set, it is compared with the go line
	// of the module: for what a GODEBUG setting switches, whose default the go
	// line gives.
	Go     string
	GoLine bool
	// Until is the last release whose runtime and standard library have the
	// defect; empty: still. The toolchain decides, whatever the go line says.
	Until string
	Why   string // what it costs and by what mechanism
	// WhenNot says where the rule is silent or should be suppressed.
	WhenNot string
	// Gap says what the rewrite does not keep, or what the rule cannot see.
	Gap string
	// Signature is what the defect leaves in a profile: symbols, kinds of
	// profile.
	Signature string
	// Escapes is set where a finding holds only if the compiler puts something
	// on the heap on its line; a driver that can ask the compiler drops the
	// others.
	Escapes bool
	// Cgo is set where the rule reads what cgo makes of files that import "C"; the
	// others are silent there.
	Cgo bool
	// Missing is set on entries without an analyzer and says why.
	Missing  string
	Evidence *Evidence
}

// Evidence is how a rule proves its gain.
type Evidence struct {
	// Files holds testdata/evidence: before.go and after.go (package
	// evidence, the same declarations), bench_test.go (package evidence,
	// benchmarks) and equal_test.go (package equal, comparing the packages
	// evidence/before and evidence/after). The first two are the example on the
	// rule's page, and all that there is where Exempt is set. The catalogue sets it.
	Files fs.FS
	// Bench is the benchmark that shows the gain: "BenchmarkRoute".
	Bench string
	// Metric is what should fall: "cpu", "allocs" or "wall".
	Metric string
	// Claimed is the claim as the seed makes it, in words.
	Claimed string
	// Ratio is before over after as the claim has it; 0 when the claim has no
	// number.
	Ratio float64
	// Exempt says why there is no evidence to run.
	Exempt string
}

// Own reports whether a rule is pawl's own: it comes from no seed, and has an id with an X.
func (r Rule) Own() bool { return len(r.IDs) > 0 && strings.HasPrefix(r.IDs[0], "X") }

// Analyzer returns the analyzer of the rule, whose name is the rule's. run
// reports through its Pass; requires are analyzers beyond the index whose
// results it uses.
func (r Rule) Analyzer(run func(*Pass), requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       r.Name,
		Doc:        r.Doc(),
		URL:        "https://github.com/pawl-dev/pawl/blob/main/docs/rules.md#" + r.Name,
		Requires:   append([]*analysis.Analyzer{Settings, index.Analyzer}, requires...),
		ResultType: resultType,
		Run: func(pass *analysis.Pass) (any, error) {
			p := newPass(pass, r)
			run(p)
			return p.result, nil
		},
	}
}

// Doc returns the rule's documentation as the analyzer prints it.
func (r Rule) Doc() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s", r.Title, r.Why)
	for _, part := range []struct{ head, text string }{
		{"When not", r.WhenNot}, {"What it does not keep or see", r.Gap}, {"In a profile", r.Signature},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n\n%s: %s", part.head, part.text)
		}
	}
	fmt.Fprintf(&b, "\n\nTier %s, fix class %s; answers to %s.", r.Tier, r.Fix, strings.Join(r.IDs, ", "))
	return b.String()
}
