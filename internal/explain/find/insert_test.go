package find

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// Fixes of several rules that each put a declaration before one function, and
// an import before another, are made in one run.
func TestFixAtOnePlace(t *testing.T) {
	const old = `package m

import "fmt"

// check is called for each line.
func check(n int, s string) error {
	if n == 0 {
		return fmt.Errorf("no number")
	}
	if n == 1 {
		return fmt.Errorf("no lines")
	}
	if regexp.MustCompile("^[a-z]+$").MatchString(s) || regexp.MustCompile("^[0-9]+$").MatchString(s) {
		return fmt.Errorf("no text in %d: %s", n, s)
	}
	return nil
}
`
	const want = `package m

import (
	"errors"
	"fmt"
	"regexp"
)

var errNoNumber = errors.New("no number")

var errNoLines = errors.New("no lines")

var checkRE = regexp.MustCompile("^[a-z]+$")

var checkRE2 = regexp.MustCompile("^[0-9]+$")

// check is called for each line.
func check(n int, s string) error {
	if n == 0 {
		return errNoNumber
	}
	if n == 1 {
		return errNoLines
	}
	if checkRE.MatchString(s) || checkRE2.MatchString(s) {
		return fmt.Errorf("no text in %d: %s", n, s)
	}
	return nil
}
`
	src := "package m\n\nimport (\n\t\"fmt\"\n\t\"regexp\"\n)\n" + old[len("package m\n\nimport \"fmt\"\n"):]
	dir := files(t, map[string]string{"a.go": src})
	o := Options{Dir: dir, Tier: "all", Env: environ()}
	fixed, err := Fix(t.Context(), o, run(t, o), "AB")
	if err != nil {
		t.Fatal(err)
	}
	if len(fixed.Files) != 1 || len(fixed.Left) > 0 {
		t.Fatalf("%d files, left %+v", len(fixed.Files), fixed.Left)
	}
	if diff := cmp.Diff(want, string(fixed.Files[0].New)); diff != "" {
		t.Error(diff)
	}
}

// Two fixes that declare one name, in two files, are not made together; the
// same declaration in two fixes is one.
func TestFixNames(t *testing.T) {
	const src = "package m\n\nfunc A() int { return 1 }\n"
	dir := files(t, map[string]string{"a.go": src, "b.go": "package m\n\nfunc B() int { return 1 }\n"})
	declare := func(file, text string, at int) model.Finding {
		return model.Finding{Rule: "r", Class: "A", Pkg: "m", At: model.Pos{File: file}, Fix: &model.Fix{Edits: []model.Edit{
			{File: file, Start: 11, End: 11, New: "var one = " + text + "\n\n"}, {File: file, Start: at, End: at + 1, New: "one"},
		}}}
	}
	again := declare("a.go", "1", 33)
	again.Fix.Edits = again.Fix.Edits[:1]
	f := &model.Findings{Root: dir, Findings: []model.Finding{declare("a.go", "1", 33), again, declare("b.go", "1", 33)}}
	fixed, err := Fix(t.Context(), Options{Dir: dir, Env: environ()}, f, "A")
	if err != nil {
		t.Fatal(err)
	}
	const want = "it overlaps with another fix, or declares the same name; run pawl find -fix once more"
	if len(fixed.Applied) != 2 || len(fixed.Left) != 1 || fixed.Left[0].Why != want {
		t.Errorf("%d applied, left %+v", len(fixed.Applied), fixed.Left)
	}
}

func TestUnordered(t *testing.T) {
	for _, c := range []struct {
		at   place
		a, b string
		want bool
	}{
		{between, "var a = 1\n\n", "var b = 2\n\n", true},
		{between, "\n\nimport \"a\"", "\n\nimport \"b\"", true},
		{between, "func f() {}\n", "var b = 2\n\n", true},
		{between, "var a = f", "(1)\n\n", false},                // no declaration
		{between, "var a = 1", "var b = 2\n\n", false},          // one line
		{between, "// of a ", "var b = 2\n", false},             // a comment only
		{between, "var a = 1 //", "var b = 2\n", false},         // would be the comment's
		{between, "import \"a\"\n", "var b = 2\n\n", false},     // imports come first
		{inside, "var a = f()\n", "var b = g()\n", false},       // statements
		{imported, "\"a\"\n\t", "\"b\"\n\t", true},              // before a third
		{imported, "\n\t\"a\"", "\n\t\"b\"", true},              // after it
		{imported, "\"a\"\n)\nvar x int\n", "\"b\"\n\t", false}, // what else is there
	} {
		if got := unordered(c.at, c.a, c.b); got != c.want {
			t.Errorf("%d, %q and %q: %v", c.at, c.a, c.b, got)
		}
	}
}

func TestPlaceOf(t *testing.T) {
	const src = "// p.\npackage p\n\nimport (\n\t\"fmt\"\n)\n\n// f.\nfunc f() { x }\n\nvar x = fmt.Sprint()\n"
	for at, want := range map[int]place{0: inside, 15: between, 28: imported, 33: imported, 17: between, 36: between, 40: inside, 55: inside, 58: between, 60: inside, len(src): between} {
		if got := placeOf([]byte(src), at); got != want {
			t.Errorf("at %d, before %q: %d, want %d", at, src[at:min(at+8, len(src))], got, want)
		}
	}
	if placeOf([]byte("package p\nfunc {"), 9) != inside {
		t.Error("a file that does not parse")
	}
}
