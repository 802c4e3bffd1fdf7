package bench

import (
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// identityTree is a package's test files, and all that Identify looks at.
const identityTree = `
-- wire_test.go --
package wire

import (
	_ "embed"
	"math/rand"
	"strings"
	"testing"
)

const (
	small = iota
	large
)

const alone = 7

var corpus, spare = load("corpus"), 1

var other = []string{"a", "b"}

//go:embed words.txt
var words string

type node[T any] struct {
	sub  *node[T]
	item T
}

func (n *node[T]) walk() int {
	return depth(n.sub == nil)
}

// BenchmarkX has a comment.
func BenchmarkX(b *testing.B) {
	var n node[int]
	for b.Loop() {
		use(corpus[large], n.item, "x") // and here
		orphan.reset()
	}
}

func BenchmarkOther(b *testing.B) {
	for b.Loop() {
		strings.Repeat(other[0], rand.Int())
	}
}

//go:noinline
func use(a, b, c any) {}

func depth(b bool) int { return alone }

func load(name string) []byte {
	return []byte(name + words)
}

func (p *Production) reset() {}

func (p *Production) unused() {}

func TestMain(m *testing.M) { m.Run() }
-- export_test.go --
package wire

var Exported = hidden
var hidden = 1
-- outer_test.go --
package wire_test

import (
	"testing"

	"example.com/wire"
)

func use() {}

func init() { use() }

func BenchmarkOuter(b *testing.B) {
	for b.Loop() {
		_ = wire.Exported
	}
}
-- words.txt --
some words
-- testdata/big.json --
{}
-- testdata/deep/in.txt --
in
`

// unpack writes a tree and returns its directory and its test files.
func unpack(t *testing.T, text string) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, "_test.go") {
			files = append(files, f.Name)
		}
	}
	return dir, files
}

func identify(t *testing.T, text, bm string) Identity {
	t.Helper()
	dir, files := unpack(t, text)
	id, err := Identify(dir, files, bm)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	id := identify(t, identityTree, "BenchmarkX/sub")
	want := []string{
		"const alone", "const large", "func BenchmarkX", "func TestMain", "func depth", "func load", "func use",
		"func wire_test.init", "func wire_test.use", "import embed", "import testing",
		"method Production.reset", "method node.walk", "type node", "var corpus", "var words",
	}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(id.Decls))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"testdata/big.json", "testdata/deep/in.txt", "words.txt"}, slices.Sorted(maps.Keys(id.Data))); d != "" || len(id.Notes) != 0 {
		t.Error(d, id.Notes)
	}
	outer := identify(t, identityTree, "BenchmarkOuter")
	for _, name := range []string{"func BenchmarkOuter", "func init", "func use", "var wire.Exported", "var wire.hidden", "import example.com/wire", "func wire.TestMain"} {
		if outer.Decls[name] == "" {
			t.Errorf("%s is not among %v", name, outer.Decls)
		}
	}
}

func TestIdentityDiff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"comment", "BenchmarkX has a comment", "BenchmarkX has another", ""},
		{"comment inside", "// and here", "", ""},
		{"layout", `use(corpus[large], n.item, "x")`, "use(\n\t\t\tcorpus[large],\n\n\t\t\tn.item, \"x\",\n\t\t)", ""},
		{"layout of a body", "{ return alone }", "{\n\treturn alone\n}", ""},
		{"group", "const alone = 7", "const (\n\talone = 7\n\tmore  = 8\n)", ""},
		{"line ends, which count in data", "\n", "\r\n", "testdata/big.json testdata/deep/in.txt words.txt"},
		{"unrelated benchmark", "other[0]", "other[1]", ""},
		{"unrelated variable", `"a", "b"`, `"c"`, ""},
		{"unrelated import", `"strings"`, `"bytes"`, ""},
		{"unrelated new test", "func TestMain", "func TestNew(t *testing.T) {}\n\nfunc TestMain", ""},
		{"unrelated method", "unused() {}", "unused() { use(1, 2, 3) }", ""},
		{"export that is not mentioned", "hidden = 1", "hidden = 2", ""},
		{"the benchmark", `"x"`, `"y"`, "func BenchmarkX"},
		{"a string's blanks", `"x"`, `"x "`, "func BenchmarkX"},
		{"helper", "use(a, b, c any) {}", "use(a, b, c any) { _ = a }", "func use"},
		{"directive", "//go:noinline\n", "", "func use"},
		{"indirect helper", "return alone", "return alone + 1", "func depth"},
		{"method", "n.sub == nil", "n.sub != nil", "method node.walk"},
		{"method of production code's type", "reset() {}", "reset() { load(``) }", "method Production.reset"},
		{"generic type", "item T", "item, more T", "type node"},
		{"variable", `load("corpus")`, `load("corpora")`, "var corpus"},
		{"variable of another line", `, spare = load("corpus"), 1`, ` = load("corpus")`, "var corpus"},
		{"group that counts", "small = iota", "small = iota + 1", "const large"},
		{"constant", "alone = 7", "alone = 8", "const alone"},
		{"TestMain", "{ m.Run() }", "{ m.Run(); m.Run() }", "func TestMain"},
		{"init of the external tests", "init() { use() }", "init() { use(); use() }", "func wire_test.init"},
		{"blank import", `_ "embed"`, `_ "image/png"`, "import embed import image/png"},
		{"testdata", "{}\n-- testdata/deep", "[]\n-- testdata/deep", "testdata/big.json"},
		{"new testdata", "-- testdata/deep/in.txt", "-- testdata/new --\n-- testdata/deep/in.txt", "testdata/new"},
		{"renamed testdata", "deep/in.txt", "deep/on.txt", "testdata/deep/in.txt testdata/deep/on.txt"},
		{"embedded file", "some words", "other words", "words.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(identityTree, c.old, c.new)
			if c.old == "" {
				text = identityTree
			}
			before, after := identify(t, identityTree, "BenchmarkX"), identify(t, text, "BenchmarkX")
			got := strings.Join(before.Diff(after), " ")
			if got != c.want {
				t.Errorf("differs: %q, want %q", got, c.want)
			}
			if same := before.Hash == after.Hash; same != (c.want == "") {
				t.Errorf("the hashes are equal: %v", same)
			}
			if d := cmp.Diff(before.Diff(after), after.Diff(before)); d != "" {
				t.Error(d)
			}
		})
	}
	id := identify(t, identityTree, "BenchmarkX")
	if got := id.Diff(Identity{}); len(got) != len(id.Decls)+len(id.Data) {
		t.Errorf("against nothing: %v", got)
	}
}

func TestIdentifyErrors(t *testing.T) {
	t.Parallel()
	dir, files := unpack(t, identityTree+"-- bad_test.go --\npackage wire\nfunc {\n-- broken_test.go --\n")
	for _, c := range []struct {
		bm, want string
		files    []string
	}{
		{"BenchmarkNone", "BenchmarkNone", files[:3]},
		{"BenchmarkX", "bad_test.go:2:6", files[:4]},
		{"BenchmarkX", "broken_test.go", files[4:]},
		{"BenchmarkX", "gone_test.go", []string{"gone_test.go"}},
	} {
		if _, err := Identify(dir, c.files, c.bm); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Much data is compared by size, and what cannot be found is said.
func TestIdentifyMuchData(t *testing.T) {
	t.Parallel()
	dir, files := unpack(t, strings.Replace(identityTree, "go:embed words.txt", "go:embed \"words.txt\" none/*", 1))
	huge := filepath.Join(dir, "testdata", "huge")
	if err := os.WriteFile(huge, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, dataLimit+1); err != nil { // a hole: it takes no space
		t.Fatal(err)
	}
	id, err := Identify(dir, files, "BenchmarkX")
	if err != nil {
		t.Fatal(err)
	}
	if id.Data["testdata/huge"] != "67108865 bytes" || len(id.Notes) != 2 || !strings.Contains(id.Notes[0], "by name and size only") || !strings.Contains(id.Notes[1], "none/*") {
		t.Errorf("%v %q", id.Data, id.Notes)
	}
}

// Links to files count by what they lead to.
func TestIdentifyLinks(t *testing.T) {
	t.Parallel()
	dir, files := unpack(t, identityTree)
	for link, to := range map[string]string{"file": "../words.txt", "directory": "deep", "nowhere": "gone"} {
		if err := os.Symlink(to, filepath.Join(dir, "testdata", link)); err != nil {
			t.Skip(err)
		}
	}
	id, err := Identify(dir, files, "BenchmarkX")
	if err != nil {
		t.Fatal(err)
	}
	if id.Data["testdata/file"] != id.Data["words.txt"] || id.Data["testdata/directory"] == "" || id.Data["testdata/nowhere"] == "" {
		t.Errorf("%v %v", id.Data, id.Notes)
	}
}

func TestImportNames(t *testing.T) {
	t.Parallel()
	for importPath, want := range map[string]string{"testing": "testing", "math/rand/v2": "rand", "gopkg.in/yaml.v3": "yaml", "github.com/google/go-cmp": "cmp", "a/vendor": "vendor", "v2": "v2"} {
		if got := strings.Join(importNames(importPath), " "); !strings.Contains(" "+got+" ", " "+want+" ") {
			t.Errorf("%s: %q", importPath, got)
		}
	}
}

// The test files of this package are as real as any: gofmt does not change what
// a benchmark is, and taking away the comments does not.
func TestIdentifyReal(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(filepath.Join("testdata", "styles", "good", "good_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	id := identify(t, "-- good_test.go --\n"+string(src), "BenchmarkSub")
	loose := strings.NewReplacer("\t", "\t ", "{\n", "{ // a comment\n\n").Replace(string(src))
	if d := id.Diff(identify(t, "-- good_test.go --\n"+loose, "BenchmarkSub")); len(d) != 0 {
		t.Errorf("differs: %q", d)
	}
	formatted, err := format.Source([]byte(loose))
	if err != nil {
		t.Fatal(err)
	}
	if d := id.Diff(identify(t, "-- good_test.go --\n"+string(formatted), "BenchmarkSub")); len(d) != 0 {
		t.Errorf("differs: %q", d)
	}
	if id.Decls["func work"] == "" || id.Decls["func burn"] != "" {
		t.Errorf("%v", id.Decls)
	}
}

func FuzzParseDecls(f *testing.F) {
	for _, file := range txtar.Parse([]byte(identityTree)).Files {
		f.Add(string(file.Data))
	}
	f.Add("package p\nfunc (*T[K, V]) m()\nvar _ = f()\n//go:embed \"a b\" `c` d\nvar x, y = 1, 2\nimport . \"x\"")
	f.Fuzz(func(t *testing.T, src string) {
		decls, err := parseDecls("x_test.go", []byte(src))
		if err != nil {
			return
		}
		again, err := parseDecls("x_test.go", []byte(strings.ReplaceAll(src, "\n", "\n\n")))
		if err != nil || strings.ContainsAny(src, "`\r") || strings.Contains(src, "/*") {
			return // a raw string, or a comment, has other lines now
		}
		for i, d := range decls {
			if d.name == "" && d.kind != "import" || d.text == "" {
				t.Fatalf("%+v", d)
			}
			if i < len(again) && !strings.Contains(src, "//go:") && again[i].text != d.text {
				t.Fatalf("%q and %q", d.text, again[i].text)
			}
		}
	})
}
