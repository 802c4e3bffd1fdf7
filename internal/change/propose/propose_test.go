package propose

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// Each archive of testdata is a module of small packages. The target is the
// line marked "// target", for its allocations, or "// hot", for its CPU time; lines marked "// frame" are the module frames
// around it. Its first line names the kinds that it is about. The file "want" of a package holds the expected changes as
// removed and added lines, or refusals.
func TestGolden(t *testing.T) {
	archives, _ := filepath.Glob("*/testdata/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no test data")
	}
	for _, name := range sample.Part(archives, 6) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			golden(t, name)
		})
	}
}

// askedAgain makes sure that a target with another place among others is told the same, as itself.
func askedAgain(t *testing.T, p *Program, target model.Target, want []model.Change) {
	t.Helper()
	target.ID, target.Rank, target.Skipped = "again", target.Rank+1, "tried"
	want = slices.Clone(want)
	for i := range want {
		want[i].Targets = []model.Target{target}
	}
	if got, _ := p.Changes(target); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: asked again it has %d changes, or others than the %d", target.At, len(got), len(want))
	}
}

func golden(t *testing.T, name string) {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := provetest.Extract(t, ar)
	p := load(t, dir)
	wants := map[string]string{}
	for _, f := range ar.Files {
		if filepath.Base(f.Name) == "want" {
			wants[filepath.Dir(f.Name)] = string(f.Data)
		}
	}
	got := map[string]string{}
	for dir, target := range provetest.Targets(ar) {
		changes, refusals := p.Changes(target)
		askedAgain(t, p, target, changes)
		changes, refusals = kindsOf(t, ar).of(changes, refusals)
		if text := render(t, p, changes, refusals); text != "" {
			got[dir] = text
		}
		if isNope := strings.Contains(dir, "/nope"); isNope != (len(changes) == 0) {
			t.Errorf("%s: %d changes\n%s", dir, len(changes), got[dir])
		}
		if strings.Contains(dir, "/nope") && len(refusals) == 0 && !strings.Contains(dir, "/nopeQuiet") {
			t.Errorf("%s: neither change nor refusal", dir)
		}
	}
	if *update {
		rewrite(t, name, ar, got)
		return
	}
	if d := cmp.Diff(wants, got); d != "" {
		t.Errorf("%s: -want +got:\n%s", name, d)
	}
}

func load(t *testing.T, dir string) *Program { return of(provetest.Load(t, dir)) }

func render(t *testing.T, p *Program, changes []model.Change, refusals []Refusal) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s\n%s; %s\n", c.Title, c.Kind, c.Hypothesis)
		if c.Retains != "" {
			fmt.Fprintf(&b, "retains %s\n", c.Retains)
		}
		for _, o := range c.Obligations {
			fmt.Fprintf(&b, "%s: %s: %s\n", o.How, o.Text, o.Why)
		}
		if err := p.TypeCheck(c.Edits); err != nil {
			t.Error(err)
		}
		for _, e := range c.Edits {
			old := p.engine.Files[e.File].Src[e.Start:e.End]
			b.WriteString(prefixed("-", string(old)))
			b.WriteString(prefixed("+", e.New))
		}
	}
	for _, r := range refusals {
		fmt.Fprintf(&b, "refused: %s: %s: %s\n", r.Kind, r.At, r.Why)
	}
	return b.String()
}

func prefixed(mark, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(mark + line)
	}
	return b.String()
}

func rewrite(t *testing.T, name string, ar *txtar.Archive, got map[string]string) {
	var files []txtar.File
	for i, f := range ar.Files {
		dir := filepath.Dir(f.Name)
		if filepath.Base(f.Name) != "want" {
			files = append(files, f)
		}
		last := i+1 == len(ar.Files) || filepath.Dir(ar.Files[i+1].Name) != dir
		if last && got[dir] != "" {
			files = append(files, txtar.File{Name: dir + "/want", Data: []byte(got[dir])})
		}
	}
	ar.Files = files
	if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What each positive case proposes must compile with its tests, keep what Op
// returns, and allocate less: Op is one operation on a value of the package.
func TestChangesWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	sample.Rest(t, "builds and runs all archives")
	archives, _ := filepath.Glob("*/testdata/*.txtar")
	all := &txtar.Archive{}
	modules := []*txtar.Archive{all} // and those with a go line of their own
	about := map[string]kinds{}
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for dir := range provetest.Targets(ar) {
			about[dir] = kindsOf(t, ar)
		}
		to := all
		if slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return f.Name == "go.mod" }) {
			to = &txtar.Archive{}
			modules = append(modules, to)
		}
		for _, f := range ar.Files {
			if !strings.Contains(f.Name, "/nope") {
				to.Files = append(to.Files, f)
			}
		}
	}
	for _, m := range modules {
		changesWork(t, m, about)
	}
}

// changesWork makes all changes of a module that are of the kinds that its archives are about.
func changesWork(t *testing.T, all *txtar.Archive, about map[string]kinds) {
	t.Helper()
	dir := provetest.Extract(t, all)
	provetest.Write(t, dir, "main.go", program(all))
	before := run(t, dir)
	p, cases := load(t, dir), provetest.Targets(all)
	for dir, c := range cases {
		changes, _ := p.Changes(c)
		changes, _ = about[dir].of(changes, nil)
		apply(t, p, changes)
	}
	if out, err := provetest.Command(dir, "go", "vet", "./...").CombinedOutput(); err != nil {
		t.Fatalf("go vet of the changed module: %v\n%s", err, out)
	}
	after := run(t, dir)
	for name := range cases {
		b, a := before[name], after[name]
		if b.out != a.out {
			t.Errorf("%s: returned %q before and %q after", name, b.out, a.out)
		}
		if a.allocs > b.allocs || a.allocs == b.allocs && cases[name].Resource == model.Allocs {
			t.Errorf("%s: %v allocations per Op before and %v after", name, b.allocs, a.allocs)
		}
	}
}

// kinds are the kinds of changes that an archive is about. What others make of
// the same lines is theirs to test.
type kinds []string

func kindsOf(t *testing.T, ar *txtar.Archive) kinds {
	t.Helper()
	line, _, _ := strings.Cut(string(ar.Comment), "\n")
	list, ok := strings.CutPrefix(line, "kinds: ")
	if !ok {
		t.Fatalf("the archive begins with %q, which does not name the kinds", line)
	}
	return strings.Fields(list)
}

func (k kinds) of(changes []model.Change, refusals []Refusal) ([]model.Change, []Refusal) {
	return slices.DeleteFunc(changes, func(c model.Change) bool { return !slices.Contains(k, c.Kind) }),
		slices.DeleteFunc(refusals, func(r Refusal) bool { return !slices.Contains(k, r.Kind) })
}

func apply(t *testing.T, p *Program, changes []model.Change) {
	t.Helper()
	var edits []model.Edit
	for _, c := range changes {
		if !slices.ContainsFunc(c.Edits, func(e model.Edit) bool { return overlaps(e, edits) }) { // else an alternative to one before
			edits = append(edits, c.Edits...)
		}
	}
	for _, name := range prove.FileNames(edits) {
		f := p.engine.Files[name]
		out, err := edit.Apply(f.Src, prove.EditsOf(edits, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, out, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func overlaps(e model.Edit, edits []model.Edit) bool {
	return slices.ContainsFunc(edits, func(o model.Edit) bool { return o.File == e.File && o.Start < e.End && e.Start < o.End })
}

// program writes a main that prints, for each package, what five Ops return
// and how often one allocates.
func program(ar *txtar.Archive) []byte {
	dirs := map[string]bool{}
	for _, f := range ar.Files {
		if bytes.Contains(f.Data, []byte("\nfunc Op() ")) { // others are imported by these
			dirs[filepath.Dir(f.Name)] = true
		}
	}
	var names []string
	for d := range dirs {
		names = append(names, d)
	}
	sort.Strings(names)
	var imports, calls strings.Builder
	for i, d := range names {
		fmt.Fprintf(&imports, "\tp%d %q\n", i, "example.test/m/"+d)
		fmt.Fprintf(&calls, "\tfmt.Printf(\"%%s\\t%%q\\t%%v\\n\", %q, p%d.Op()+p%d.Op()+p%d.Op(), testing.AllocsPerRun(100, func() { sink = p%d.Op() }))\n", d, i, i, i, i)
	}
	return []byte("package main\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n" + imports.String() + ")\n\nvar sink string\n\nfunc main() {\n" + calls.String() + "}\n")
}

type outcome struct {
	out    string
	allocs float64
}

func run(t *testing.T, dir string) map[string]outcome {
	t.Helper()
	out, err := provetest.Command(dir, "go", "run", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, out)
	}
	results := map[string]outcome{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			t.Fatalf("unexpected output %q", line)
		}
		var o outcome
		o.out = f[1]
		fmt.Sscan(f[2], &o.allocs)
		results[f[0]] = o
	}
	return results
}
