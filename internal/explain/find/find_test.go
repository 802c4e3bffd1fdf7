package find

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// files writes files into a module m.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all["go.mod"] = "module m\n\ngo 1.24\n"
	for name, text := range all {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, o Options) *model.Findings {
	t.Helper()
	if o.Env == nil {
		o.Env = environ()
	}
	f, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// environ is the environment of go commands here: with -trimpath, the build cache knows what was compiled in another directory.
func environ() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath") }

func places(f *model.Findings) []string {
	var out []string
	for _, x := range f.Findings {
		out = append(out, x.At.String()+" "+x.Rule)
	}
	return out
}

const (
	lib    = "package lib\n\nimport \"runtime\"\n\nfunc Work() {\n\trun()\n}\n\nfunc run() {\n\truntime.GC()\n}\n"
	looped = "package user\n\nimport \"m/lib\"\n\nfunc All() {\n\tfor range 3 {\n\t\tlib.Work()\n\t}\n}\n"
	once   = "package user\n\nimport \"m/lib\"\n\nfunc All() {\n\tlib.Work()\n}\n"
)

// What another package does with a function decides, and the cache does not
// hide it.
func TestCallersOverPackages(t *testing.T) {
	dir := files(t, map[string]string{"lib/lib.go": lib, "user/user.go": looped})
	o := Options{Dir: dir, Patterns: []string{"./..."}, CacheDir: t.TempDir()}
	want := []string{"lib/lib.go:10:2 gcrequest"}
	f := run(t, o)
	if diff := cmp.Diff(want, places(f)); diff != "" || f.Cached != 0 {
		t.Errorf("%d cached; -want +got:\n%s", f.Cached, diff)
	}
	if why := f.Findings[0].Callers; why != "called in a loop at user.go:7" {
		t.Errorf("callers: %q", why)
	}
	again := run(t, o)
	if diff := cmp.Diff(f.Findings, again.Findings); diff != "" || again.Cached != 2 {
		t.Errorf("from the cache, %d cached:\n%s", again.Cached, diff)
	}
	if err := os.WriteFile(filepath.Join(dir, "user/user.go"), []byte(once), 0o666); err != nil {
		t.Fatal(err)
	}
	changed := run(t, o)
	if len(changed.Findings) != 0 || changed.Cached != 1 || changed.Hidden.Callers != 1 {
		t.Errorf("after the loop is gone: %v, %d cached, %+v", places(changed), changed.Cached, changed.Hidden)
	}
	alone := run(t, Options{Dir: dir, Patterns: []string{"./lib"}})
	if alone.Packages != 1 || len(alone.Findings) != 0 {
		t.Errorf("lib alone: %d packages, %v", alone.Packages, places(alone))
	}
}

func TestHeat(t *testing.T) {
	src := "package hot\n\nimport \"strings\"\n\nfunc A(s string) string {\n\tp := strings.Split(s, \"/\")\n\treturn p[0]\n}\n\nfunc B(s string) string {\n\tp := strings.Split(s, \"/\")\n\treturn p[0]\n}\n"
	dir := files(t, map[string]string{"hot/hot.go": src})
	heat := Heat([]model.LineCost{
		{Pkg: "m/hot", File: "hot.go", Line: 11, Resource: "allocs", Share: 0.4},
		{Pkg: "m/hot", File: "hot.go", Line: 11, Resource: "cpu", Share: 0.2},
		{Pkg: "m/hot", File: "hot.go", Line: 6, Resource: "cpu", Share: 0.001},
		{Pkg: "other/hot", File: "hot.go", Line: 6, Resource: "cpu", Share: 0.9},
	})
	f := run(t, Options{Dir: dir, Heat: heat})
	if len(f.Findings) != 1 || f.Findings[0].At.Line != 11 || f.Findings[0].Share != 0.4 || f.Findings[0].Resource != "allocs" || f.Hidden.Cold != 1 {
		t.Errorf("found %v, hidden %+v", places(f), f.Hidden)
	}
	src = "package hot\n\nimport \"fmt\"\n\nfunc C(n int) string {\n\treturn fmt.Sprintf(\"%d/%d\", n, n)\n}\n"
	dir = files(t, map[string]string{"hot/hot.go": src})
	o := Options{Dir: dir, Heat: Heat([]model.LineCost{{Pkg: "m/hot", File: "hot.go", Line: 6, Resource: "allocs", Share: 0.3}}), Env: environ()}
	f = run(t, o)
	if err := Explain(t.Context(), o, f); err != nil {
		t.Fatal(err)
	}
	if len(f.Findings) != 1 || !slices.Contains(f.Findings[0].Notes, "n escapes to heap") {
		t.Errorf("findings with notes: %+v", f.Findings)
	}
	o.Heat = Heat(nil)
	if f := run(t, o); f.Hidden != (model.Hidden{Cold: 1}) {
		t.Errorf("with a profile that does not have the line, hidden %+v: the profile was given", f.Hidden)
	}
	// What the compiler keeps on the stack is no finding.
	src = "package hot\n\ntype T struct{ n int }\n\ntype w interface{ Write([]byte) (int, error) }\n\ntype null struct{}\n\nfunc (null) Write(b []byte) (int, error) { return len(b), nil }\n\n" +
		"func (t *T) put(x w) {\n\tvar a [8]byte\n\ta[0] = byte(t.n)\n\tx.Write(a[:])\n}\n\nfunc (t *T) keep() {\n\tvar x w = null{}\n\tvar b [8]byte\n\tb[0] = byte(t.n)\n\tx.Write(b[:])\n}\n"
	dir = files(t, map[string]string{"hot/hot.go": src})
	o.Dir, o.Heat = dir, Heat([]model.LineCost{{Pkg: "m/hot", File: "hot.go", Line: 12, Resource: "allocs", Share: 0.3}, {Pkg: "m/hot", File: "hot.go", Line: 19, Resource: "cpu", Share: 0.3}})
	f = run(t, o)
	before := places(f)
	if err := Explain(t.Context(), o, f); err != nil {
		t.Fatal(err)
	}
	if len(before) != 2 || len(f.Findings) != 1 || f.Findings[0].At.Line != 12 || f.Hidden.Compiler != 1 {
		t.Errorf("before the compiler was asked %v, after it %v, %+v", before, places(f), f.Hidden)
	}
	var b strings.Builder
	if err := WriteHeat(&b, heat); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "heat.json")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := rule.ReadHeat(file)
	if err != nil {
		t.Fatal(err)
	}
	if share, res := back.Between("m/hot", "/any/where/hot.go", 10, 12); share != 0.4 || res != "allocs" {
		t.Errorf("read back: %v of %s", share, res)
	}
}

// A demoted rule is silent unless it is asked for.
func TestDemoted(t *testing.T) {
	dir := files(t, map[string]string{"a.go": "package a\n\nimport \"strings\"\n\nfunc A(s string) string {\n\tp := strings.Split(s, \"/\")\n\treturn p[0]\n}\n"})
	o := Options{Dir: dir, Demoted: map[string]string{"splitcut": "no gain on go1.99"}}
	if f := run(t, o); len(f.Findings) != 0 || f.Hidden.Demoted != 1 {
		t.Errorf("found %v, hidden %+v", places(f), f.Hidden)
	}
	o.Tier = "always"
	if f := run(t, o); len(f.Findings) != 1 || f.Findings[0].Demoted == "" {
		t.Errorf("asked for: %+v", f.Findings)
	}
}

func TestNothingToLookAt(t *testing.T) {
	dir := files(t, map[string]string{"a/a.go": "package a\n\nvar x int = \"\"\n"})
	_, err := Run(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}, Env: os.Environ()})
	if err == nil || !strings.Contains(err.Error(), "cannot use") {
		t.Errorf("error %v", err)
	}
	var none *NoPackages
	if _, err := Run(t.Context(), Options{Dir: files(t, map[string]string{"x/readme.txt": ""}), Env: os.Environ()}); !errors.As(err, &none) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Options{Dir: dir, Env: os.Environ()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A package that does not parse is named with the place, and the others are
// looked at.
func TestBroken(t *testing.T) {
	dir := files(t, map[string]string{"a.go": "package m\n", "bad/bad.go": "package bad\n\nfunc {\n"})
	f := run(t, Options{Dir: dir})
	want := "m/bad was not looked at, or not by all rules: bad/bad.go:3:6: "
	if len(f.Warnings) != 1 || !strings.HasPrefix(f.Warnings[0].Seen, want) {
		t.Errorf("%d packages, warnings %+v, want one that begins with %q", f.Packages, f.Warnings, want)
	}
}

// Fixes that overlap are left, and those that do not type-check are dropped
// without the others.
func TestFix(t *testing.T) {
	dir := files(t, map[string]string{"a.go": "package m\n\nfunc A() int { return 1 }\n", "b/b.go": "package b\n\nfunc B() int { return 1 }\n"})
	one := func(pkg, file string, start, end int, text string) model.Finding {
		return model.Finding{Rule: "r", Class: "A", Pkg: pkg, At: model.Pos{File: file, Line: start},
			Fix: &model.Fix{Edits: []model.Edit{{File: file, Start: start, End: end, New: text}}}}
	}
	f := &model.Findings{Root: dir, Findings: []model.Finding{
		one("m", "a.go", 33, 34, "2"), one("m", "a.go", 26, 34, "return 3"), one("m/b", "b/b.go", 33, 34, `"x"`),
	}}
	fixed, err := Fix(t.Context(), Options{Dir: dir, Env: environ()}, f, "A")
	if err != nil {
		t.Fatal(err)
	}
	if len(fixed.Files) != 1 || len(fixed.Applied) != 1 || len(fixed.Left) != 2 {
		t.Fatalf("%d files, %d applied, left %+v", len(fixed.Files), len(fixed.Applied), fixed.Left)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := fixed.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("writing over a newer file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), fixed.Files[0].Old, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := fixed.Write(); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(filepath.Join(dir, "a.go"))
	if string(got) != "package m\n\nfunc A() int { return 2 }\n" {
		t.Errorf("fixed: %s", got)
	}
}

// A fix replaces what a link leads to, and what a killed pawl left half
// written goes with the next one that fixes.
func TestWriteFixed(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "real.go")
	link := filepath.Join(dir, "a.go")
	if err := errors.Join(os.WriteFile(outside, []byte("old"), 0o640), os.Symlink(outside, link)); err != nil {
		t.Skip(err)
	}
	fixed := Fixed{Files: []FixedFile{{Name: "a.go", Path: link, Old: []byte("old"), New: []byte("new")}}}
	if err := fixed.Write(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(outside)
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || string(text) != "new" {
		t.Errorf("the link is now %v (%v), and what it leads to holds %q", info.Mode(), err, text)
	}
	sub := filepath.Join(dir, "p")
	left, mine := filepath.Join(sub, ".pawl-fix-1.tmp"), filepath.Join(sub, ".pawl-fix.go")
	if err := errors.Join(os.Mkdir(sub, 0o700), os.WriteFile(left, nil, 0o600), os.WriteFile(mine, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	Sweep(dir, time.Now())
	if _, err := os.Stat(left); err != nil {
		t.Errorf("what is being written now went: %v", err)
	}
	Sweep(dir, time.Now().Add(time.Hour))
	if entries, err := os.ReadDir(sub); err != nil || len(entries) != 1 || entries[0].Name() != ".pawl-fix.go" {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// replacing is a finding of package m whose fix replaces the only occurrence of
// a text in a file.
func replacing(t *testing.T, src, old, text string) model.Finding {
	t.Helper()
	at := strings.Index(src, old)
	if at < 0 || strings.Count(src, old) != 1 {
		t.Fatalf("%q is not once in %q", old, src)
	}
	return model.Finding{Rule: "r", Class: "A", Pkg: "m", At: model.Pos{File: "a.go", Line: 1 + strings.Count(src[:at], "\n")},
		Fix: &model.Fix{Edits: []model.Edit{{File: "a.go", Start: at, End: at + len(old), New: text}}}}
}

// A fix that does not type-check, alone or with those before it, costs its
// package no other.
func TestFixOthers(t *testing.T) {
	const src = `package m

func A() int { return 1 }

func B() int { return 2 }

func C() (n int) {
	x := 3
	n += x
	n -= x
	return n
}

func D() int { return 4 }

func E() int { return 5 }
`
	dir := files(t, map[string]string{"a.go": src, "a_test.go": "package m\n\nvar _ int = D()\n"})
	f := &model.Findings{Root: dir, Findings: []model.Finding{
		replacing(t, src, "return 1", "return 10"),
		replacing(t, src, "return 2", `return "x"`), // no int
		replacing(t, src, "2", "20"),                // overlaps with that
		replacing(t, src, "n += x", "n += 7"),
		replacing(t, src, "n -= x", "n -= 7"),                                  // x is not used any more
		replacing(t, src, "D() int { return 4 }", "D() string { return `4` }"), // breaks the test
		replacing(t, src, "return 5", "return 5 }}"),                           // does not parse
		replacing(t, src, "func E()", "func E( )"),
	}}
	o := Options{Dir: dir, Env: environ()}
	fixed, err := Fix(t.Context(), o, f, "A")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("return 1", "return 10", "return 2", "return 20", "n += x", "n += 7").Replace(src)
	if len(fixed.Files) != 1 {
		t.Fatalf("%d files, left %+v", len(fixed.Files), fixed.Left)
	}
	if diff := cmp.Diff(want, string(fixed.Files[0].New)); diff != "" {
		t.Error(diff)
	}
	if len(fixed.Applied) != 4 || len(fixed.Left) != 4 {
		t.Fatalf("%d applied, left %+v", len(fixed.Applied), fixed.Left)
	}
	for i, why := range []string{"cannot use", "declared and not used: x", "cannot use D()", "expected declaration"} {
		if !strings.Contains(fixed.Left[i].Why, "does not type-check with it: ") || !strings.Contains(fixed.Left[i].Why, why) {
			t.Errorf("left with %q, want %q", fixed.Left[i].Why, why)
		}
	}
}

// The search for the fixes that break a package comes to an end.
func TestFixBounded(t *testing.T) {
	var src strings.Builder
	src.WriteString("package m\n")
	for i := range 4 * mostChecks {
		fmt.Fprintf(&src, "\nfunc F%d() int { return %d }\n", i, 10000+i)
	}
	dir := files(t, map[string]string{"a.go": src.String()})
	f := &model.Findings{Root: dir}
	for i := range 4 * mostChecks {
		f.Findings = append(f.Findings, replacing(t, src.String(), fmt.Sprint(10000+i), `"x"`))
	}
	fixed, err := Fix(t.Context(), Options{Dir: dir, Env: environ()}, f, "A")
	if err != nil {
		t.Fatal(err)
	}
	if len(fixed.Files) > 0 || len(fixed.Left) != 4*mostChecks || !strings.HasPrefix(fixed.Left[len(fixed.Left)-1].Why, "not tried: ") {
		t.Errorf("%d files, %d left, the last: %+v", len(fixed.Files), len(fixed.Left), fixed.Left[len(fixed.Left)-1:])
	}
}

// A fix may import a package of the standard library that no file of its
// package imports.
func TestFixImports(t *testing.T) {
	const old = "package m\n\nimport \"fmt\"\n\nfunc A(n int) string { return fmt.Sprintf(\"n=%d\", n) }\n"
	const want = "package m\n\nimport \"strconv\"\n\nfunc A(n int) string { return \"n=\" + strconv.Itoa(n) }\n"
	dir := files(t, map[string]string{"a.go": old})
	o := Options{Dir: dir, Tier: "all", Env: environ()}
	fixed, err := Fix(t.Context(), o, run(t, o), "A")
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

// A concatenation that would take a constant's name or a text's shape away is a
// proposal.
func TestNamedFormat(t *testing.T) {
	dir := files(t, map[string]string{"a.go": `package m

import "fmt"

const subject = "INFO.%s.%s"

func A(s, t string) []string {
	return []string{
		fmt.Sprintf(subject, s, t),
		fmt.Sprintf("INFO.%s.%s", s, t),
		fmt.Sprintf(` + "`{\n\"s\": %s\n}`" + `, s),
	}
}
`})
	var classes []string
	for _, x := range run(t, Options{Dir: dir, Tier: "all"}).Findings {
		classes = append(classes, x.Class)
	}
	if diff := cmp.Diff([]string{"B", "A", "B"}, classes); diff != "" {
		t.Error(diff)
	}
}

// Two fixes each leave an import to the other, and both add the same.
func TestTidyImports(t *testing.T) {
	const old = "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() { fmt.Println(fmt.Sprint(1), os.Args) }\n"
	const fixed = "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n\t\"strings\"\n)\n\nfunc f() { println(strings.ToUpper(\"x\"), os.Args) }\n"
	const want = "package a\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nfunc f() { println(strings.ToUpper(\"x\"), os.Args) }\n"
	if diff := cmp.Diff(want, string(tidyImports([]byte(old), []byte(fixed)))); diff != "" {
		t.Error(diff)
	}
}

func TestParseChanged(t *testing.T) {
	diff := "diff --git a.go a.go\n--- a.go\n+++ a.go\n@@ -3 +3,2 @@ func x() {\n-old\n+++ b.go\n+new\n@@ -9,2 +10,0 @@\n-x\n-y\ndiff --git d/c.go d/c.go\n--- /dev/null\n+++ \"d/\\303\\244.go\"\n@@ -0,0 +1 @@\n+x\n"
	got := parseChanged([]byte(diff))
	want := Changed{"a.go": {{3, 4}, {11, 10}}, "d/ä.go": {{1, 1}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(lines{})); diff != "" {
		t.Error(diff)
	}
	if !got.Touches("a.go", 4, 9) || got.Touches("a.go", 5, 9) || got.Touches("x.go", 1, 99) ||
		got.Touches("a.go", 5, 10) || got.Touches("a.go", 11, 20) || !got.Touches("a.go", 10, 11) {
		t.Error("touches")
	}
}

func FuzzParseChanged(f *testing.F) {
	f.Add([]byte("+++ a.go\n@@ -1,2 +3,4 @@\n+x\n"))
	f.Add([]byte("+++ \"\\\n@@ -,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for file, spans := range parseChanged(data) {
			for _, s := range spans {
				if s.last < s.first-1 {
					t.Errorf("%s: %v", file, s)
				}
			}
		}
	})
}

// What is hardly looked at is said, and not counted; a call of C has the place where it is written.
func TestCgo(t *testing.T) {
	const plain = "package m\n\nfunc F() int { return g() }\n"
	dir := files(t, map[string]string{
		"m.go": plain,
		"c.go": "package m\n\n// static int one(void) { return 1; }\nimport \"C\"\n\nfunc g() (n int) {\n\tfor range 3 {\n\t\tn += int(C.one())\n\t}\n\treturn n\n}\n",
	})
	// Without -trimpath: what cgo wrote is full of file names, and would come from the cache with those of another directory.
	f := run(t, Options{Dir: dir, Tier: "all", Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")})
	if len(f.Warnings) == 0 && f.Packages == 1 && f.Files == 1 {
		t.Skip("no cgo")
	}
	if f.Files != 1 || f.Lines != strings.Count(plain, "\n")+1 && f.Lines != strings.Count(plain, "\n") {
		t.Errorf("%d files, %d lines", f.Files, f.Lines)
	}
	if len(f.Warnings) != 1 || f.Warnings[0].Seen != `files that import "C" were looked at for calls of C only: c.go` {
		t.Errorf("%+v", f.Warnings)
	}
	if len(f.Findings) != 1 || f.Findings[0].Rule != "cgobatch" || f.Findings[0].At.File != "c.go" || f.Findings[0].At.Line != 8 {
		t.Errorf("%+v", f.Findings)
	}
}
