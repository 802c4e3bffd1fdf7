package score

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Row is one real commit: where it is, what judges it, and what a good tool
// says about it.
type Row struct {
	ID            string
	Line          int // of the corpus file
	Repo          string
	Module        string // module path, for trees without a go.mod
	Parent, Fix   string // commits
	Package       string // of the fix, relative to the repository's root
	BenchPackage  string // of the benchmark
	Bench         string // as for go test -bench; "" for none
	named         naming // the benchmarks by name
	Profile       string // pprof file of the program at work, relative to the corpus
	Expected      string // as the corpus says it
	Accept        []model.ScoreVerdict
	ParentVersion string // module versions that stand in for commits
	FixVersion    string
	Bad           string // why the row cannot be used; the others may be empty then
}

// needed are the columns without which a row means nothing.
var needed = []string{"id", "repo", "parent_commit", "fix_commit", "package", "benchmark", "expected_verdict"}

// ReadCorpus reads a corpus: lines of cells with tabs between them. The
// first line names the columns. Rows that are malformed are returned with Bad set;
// the error is for what is no corpus at all.
func ReadCorpus(r io.Reader) ([]Row, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCorpus+1))
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	if len(data) > maxCorpus {
		return nil, fmt.Errorf("the corpus has more than %d bytes", maxCorpus)
	}
	var columns map[string]int
	var rows []Row
	ids := map[string]int{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if columns == nil {
			if columns, err = header(cells); err != nil {
				return nil, err
			}
			continue
		}
		row := readRow(columns, cells)
		row.Line = n
		if first := ids[row.ID]; first > 0 && row.Bad == "" {
			row.Bad = fmt.Sprintf("line %d has the id %s already", first, row.ID)
		}
		ids[row.ID] = n
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the corpus has no rows: its first line names the columns (%s), the others are commits", strings.Join(needed, ", "))
	}
	return rows, nil
}

const maxCorpus = 16 << 20

func header(cells []string) (map[string]int, error) {
	columns := map[string]int{}
	for i, c := range cells {
		columns[strings.TrimSpace(c)] = i
	}
	for _, name := range needed {
		if _, ok := columns[name]; !ok {
			return nil, fmt.Errorf("the corpus has no column %s; docs/score.md lists the columns", name)
		}
	}
	return columns, nil
}

var (
	commit      = regexp.MustCompile(`^([0-9a-f]{7,64}|v[0-9][0-9A-Za-z.+-]*)([~^][0-9]*)*$`) // a hash, or a release
	benchIn     = regexp.MustCompile(`\(bench in ([^)]*)\)`)
	benchName   = regexp.MustCompile(`\bBenchmark([A-Z0-9_]\w*)?(/[^\s|,;$]+|\b)`)
	noBenchmark = regexp.MustCompile(`^(?i:-|none\b.*|\([^()]*\))?$`)
	repoName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)
)

func readRow(columns map[string]int, cells []string) Row {
	cell := func(name string) string {
		if i, ok := columns[name]; ok && i < len(cells) {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	row := Row{
		ID: cell("id"), Repo: cell("repo"), Module: cell("module_path"), Parent: cell("parent_commit"), Fix: cell("fix_commit"),
		Profile: cell("profile"), Expected: cell("expected_verdict"), ParentVersion: cell("parent_version"), FixVersion: cell("fix_version"),
	}
	row.Package, row.BenchPackage = packages(cell("package"), cell("bench_package"), row.Module, row.Repo)
	var ok bool
	row.named, ok = readNaming(cell("benchmark"))
	row.Bench = row.named.pattern()
	accept, err := acceptable(cell("acceptable_verdicts"), row.Expected)
	row.Accept = accept
	switch {
	case len(cells) < len(needed):
		row.Bad = fmt.Sprintf("it has %d cells", len(cells))
	case row.ID == "":
		row.Bad = "it has no id"
	case !repoName.MatchString(row.Repo) || strings.Contains(row.Repo, ".."):
		row.Bad = fmt.Sprintf("%q is no repository; github.com/owner/name is one", row.Repo)
	case row.ParentVersion == "" && !commit.MatchString(row.Parent):
		row.Bad = fmt.Sprintf("parent_commit %q is no commit", row.Parent)
	case row.FixVersion == "" && !commit.MatchString(row.Fix):
		row.Bad = fmt.Sprintf("fix_commit %q is no commit", row.Fix)
	case !inside(row.Package) || !inside(row.BenchPackage):
		row.Bad = fmt.Sprintf("package %q is no directory of the repository", cell("package"))
	case !ok:
		row.Bad = fmt.Sprintf("benchmark %q is neither a name nor (none)", cell("benchmark"))
	case err != nil:
		row.Bad = err.Error()
	}
	return row
}

// packages reads the directory of the fix and that of the benchmark, which the
// first cell may name too: "vm/runtime (bench in .)". An import path below one
// of the roots stands for its directory.
func packages(pkg, bench string, roots ...string) (string, string) {
	if m := benchIn.FindStringSubmatch(pkg); m != nil {
		bench = cmp.Or(bench, strings.TrimSpace(m[1]))
		pkg = strings.TrimSpace(strings.Replace(pkg, m[0], "", 1))
	}
	bench = cmp.Or(bench, pkg)
	clean := func(p string) string {
		for _, root := range roots {
			if rest, ok := strings.CutPrefix(p+"/", root+"/"); ok && root != "" {
				p = "./" + rest
			}
		}
		return path.Clean(p)
	}
	return clean(pkg), clean(bench)
}

func inside(directory string) bool {
	return directory != "" && !path.IsAbs(directory) && directory != ".." && !strings.HasPrefix(directory, "../")
}

// A naming is what the benchmark cell of a row says.
type naming struct {
	names []string // Benchmark functions, with the path of a sub-benchmark
	words string   // what stands beside them, for people
}

// readNaming reads the names in a cell, with | or commas or words between them.
// It is false where there are only words, other than "none" or some in
// parentheses.
func readNaming(cell string) (n naming, ok bool) {
	if noBenchmark.MatchString(cell) {
		return n, true
	}
	words := benchName.ReplaceAllStringFunc(cell, func(name string) string {
		rest := ""
		if !strings.Contains(name, "(") {
			cut := strings.TrimRight(name, ").")
			name, rest = cut, name[len(cut):]
		}
		if !slices.Contains(n.names, name) {
			n.names = append(n.names, name)
		}
		return rest
	})
	if strings.Trim(words, " \t|,^$") != "" {
		n.words = strings.Join(strings.Fields(words), " ")
	}
	return n, len(n.names) > 0 || strings.HasPrefix(cell, "(")
}

// pattern returns the expression for exactly these benchmarks and what is below
// them. Each is an alternative of its own: with levels for all of them, go test
// would pass over those that have fewer.
func (n naming) pattern() string {
	exprs := make([]string, len(n.names))
	for i, name := range n.names {
		exprs[i] = model.Benchmark{Name: name}.Regexp()
	}
	return strings.Join(exprs, "|")
}

// functions returns the functions of the benchmarks, each once.
func (n naming) functions() []string {
	var funcs []string
	for _, name := range n.names {
		if f := functionOf(name); !slices.Contains(funcs, f) {
			funcs = append(funcs, f)
		}
	}
	return funcs
}

// unrun returns the benchmarks that no plan is for.
func (n naming) unrun(plans []model.Plan) []string {
	return slices.DeleteFunc(slices.Clone(n.names), func(name string) bool {
		return slices.ContainsFunc(plans, func(p model.Plan) bool { return strings.HasPrefix(p.Benchmark.Name+"/", name+"/") })
	})
}

func functionOf(benchmark string) string {
	f, _, _ := strings.Cut(benchmark, "/")
	return f
}
