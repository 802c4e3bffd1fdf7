package rule

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWants(t *testing.T) {
	for _, c := range []struct {
		asked string
		tier  Tier
		hot   bool
		want  bool
	}{
		{"", Always, false, true}, {"", Profiled, false, false}, {"", Profiled, true, true}, {"", Special, true, false},
		{"all", Special, false, true}, {"all", Obsolete, true, false}, {"profiled", Profiled, false, true}, {"profiled", Always, true, false},
		{"special", Special, false, true}, {"obsolete", Obsolete, true, false},
	} {
		if got := Wants(c.asked, c.tier, c.hot); got != c.want {
			t.Errorf("asked for %q, tier %s, hot %v: %v", c.asked, c.tier, c.hot, got)
		}
	}
}

func TestIgnores(t *testing.T) {
	const src = `package a

//lint:ignore pawl/one,SA1000,pawl/two start-up only
var x = 1
var y = 2 //lint:ignore pawl/one because
//lint:ignore pawl/one
//lint:ignore SA1000 not ours
// lint:ignore pawl/one not a directive
var z = 3

//nolint:gosec,pawl // the whole function
func f() {
	z++
}

func g() { //nolint:pawl // its line
	z++ //nolint:pawl
	//nolint:gosec // not ours
	z--
}
`
	name := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ig := range Ignores(fset, []*ast.File{f}) {
		text := strings.Join(ig.Rules, "+") + ": " + ig.Reason
		text += fmt.Sprintf(" (%d lines)", ig.Last-ig.Line+1)
		if ig.All {
			text = "all" + text
		}
		if ig.Problem != "" {
			text += " (problem)"
		}
		got = append(got, text)
	}
	want := []string{
		"one+two: start-up only (2 lines)", "one: because (1 lines)", "one:  (2 lines) (problem)",
		"all: the whole function (4 lines)", "all: its line (1 lines)", "all:  (1 lines) (problem)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBaseline(t *testing.T) {
	keys := []Key{{"b", "m/x.go", "0a"}, {"a", "m/x.go", "0b"}, {"b", "m/x.go", "0a"}}
	var text strings.Builder
	if err := WriteBaseline(&text, keys); err != nil {
		t.Fatal(err)
	}
	b, err := ParseBaseline(strings.NewReader(text.String() + "c m/y.go 0c # a reason\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range append(keys, Key{"c", "m/y.go", "0c"}) {
		if !b.Has(k) {
			t.Errorf("%v is missing", k)
		}
	}
	if n := strings.Count(text.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want a comment and two keys:\n%s", n, text.String())
	}
	if _, err := ParseBaseline(strings.NewReader("a b\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("error %v", err)
	}
}

// A file whose content is not what the command line says is refused: the go
// command would have cached the old answer.
func TestDigest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "heat.json")
	if err := os.WriteFile(name, []byte(`{"version":1,"lines":{"m/a.go":{"3":{"share":0.5,"resource":"cpu"}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	flag, err := Digested(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := checked(flag)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeat(file)
	if err != nil {
		t.Fatal(err)
	}
	if share, res := h.Between("m", "/any/a.go", 1, 9); share != 0.5 || res != "cpu" {
		t.Errorf("share %v of %s", share, res)
	}
	if err := os.WriteFile(name, []byte(`{"version":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := checked(flag); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("error %v", err)
	}
	if _, err := ReadHeat(name); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("error %v", err)
	}
}

func FuzzParseIgnore(f *testing.F) {
	f.Add("//lint:ignore pawl/x because")
	f.Add("//lint:ignore pawl/,,pawl/x")
	f.Add("//nolint:gosec, pawl // because")
	f.Fuzz(func(t *testing.T, text string) {
		ig, ok := ParseIgnore(text)
		if ok && (len(ig.Rules) == 0 != ig.All || ig.Reason == "" && ig.Problem == "") {
			t.Errorf("%q: %+v", text, ig)
		}
	})
}

func FuzzParseBaseline(f *testing.F) {
	f.Add("a b c\n# x\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBaseline(strings.NewReader(text))
		if err != nil {
			return
		}
		var keys []Key
		for k := range b.keys {
			keys = append(keys, k)
		}
		var again strings.Builder
		if err := WriteBaseline(&again, keys); err != nil {
			t.Fatal(err)
		}
		c, err := ParseBaseline(strings.NewReader(again.String()))
		if err != nil || len(c.keys) != len(b.keys) {
			t.Errorf("%q: read back %d of %d keys, %v", text, len(c.keys), len(b.keys), err)
		}
	})
}
