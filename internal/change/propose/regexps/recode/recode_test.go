package recode

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// supported are patterns for which there is code.
var supported = []string{
	"^(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?$",
	`^[a-zA-Z_:][a-zA-Z0-9_:]*$`, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
	`^(\d{4})-(\d{2})-(\d{2})$`, `^(GET|POST|PUT) ([^ ]+) HTTP/(\d)\.(\d)$`, `^([^:]+):(\d+)$`, `^(foo|bar)=(.*)$`,
	`^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$`, `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
	`^(\w+)\s*=\s*(\S*)$`, `^goos: (.+)$`, `^(a?)$`, `^(a*)$`, `^a+b*`, `^(a+)(b*)c?`,
	`^(a(b)?)+$`, `^(?:ab|a)c$`, `^(?:a|ab)$`, `^(?:a|ab)(c)$`, `^(?:foo|foobar|bar)$`,
	`^(ab)*$`, `^(?:ab)+c$`, `^(?:(a)b)*(c)?$`, `^x(?:,(\d+))*$`, `^(é+)?x$`, `^[^/]+/[^/]*$`, `^([^/]*)/(.*)$`,
	`^(?s)(.*)$`, `^(.*)$`, `^(?i)ab$`, `^(?i:x)[yz]$`, `^a{2,3}$`, `^a{3}a*$`, `^[ab]{2}[bc]*$`, `^(?:ab){2,}$`, `^(?:ab){1,3}$`,
	`^(|a)$`, `^(a|)$`, `^(?:m|ms|s)$`, `^(\d+)(m|ms|s)$`, `^a*?$`, `^(a+?)b$`, `^(a??)b$`,
	`^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$`, `^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$`,
	`^[^a]*a$`, `^[^a]*[b-z]$`, `^[^\x00-\x7f]*$`, `^[^\x00-\x7f]+a?`, `\A\s*(\w+)\z`, `^[\\\]\-^]+$`, `^"[^"]*"$`, "^`[a-z]`$",
	`^(?:a(?:b(?:c)?)?)?$`, `^(?:(a+)-)?(b+)$`, `^(?:a+,)*a+$`, `^(?:[a-z]+\.)+[a-z]+$`, `^[a-z]+(?:\.[a-z]+)*$`,
	`^(?:\d+|[a-z]+):$`, `^(?:\d+|\d+[a-z])$`, `^\t+(x)?`, `^[a-c][^a-c]*$`, `^(\d+)?$`, `^(\d+)?x?$`,
}

// stepped are patterns that have an automaton to match them, as no byte ahead says which way to go.
var stepped = []string{`^[a-z0-9._%+\-]+@[a-z0-9.\-]+\.[a-z]{2,4}$`, `[^a]*b`, `[^ab]+b`, `a+b`, `(?:ab)*c$`, `(\d+) blocks`, `^a*ab$`,
	`^(a|ab)(c|bcd)$`, `^.*foo$`, `^(.+)\.(.+)$`, `^(?:(?:a+b)?a)*$`, `(?i)foo.+bar`, `(?s)a.+b$`, `^[^/]*[^:]*x$`}

func TestStates(t *testing.T) {
	var cases []Case
	for i, p := range stepped {
		base := fmt.Sprintf("Stepped%dx", i)
		f, err := Generate(Spec{Pattern: p, Kind: Match, Base: base, Taken: func(name string) bool { return !strings.Contains(name, base) }})
		if err != nil || !f.States {
			t.Errorf("%s: %v, no automaton", p, err)
			continue
		}
		cases = append(cases, Case{p, Match, f})
	}
	compare(t, cases, 2000)
}

// What an automaton would not know, or is too large for, has none.
func TestNoStates(t *testing.T) {
	for p, word := range map[string]string{`^.*[à-ü]$`: "ASCII", `^.*(?i)k$`: "ASCII", `^.*\bx$`: "ends of the text", `(?m)x$`: "ends of the text", `x*`: "each text",
		`^[ab]{60}[a-c]$`: "more than", `^.*a.{9}$`: "more than"} {
		if _, err := tableOf(p); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v, want a word of %q", p, err, word)
		}
	}
}

// plainTexts have code for Find only.
var plainTexts = []string{`^`, `^$`, `^a`, `^a$`, `^a\$b$`, `^()$`, `^(ab)c`, `^(a)`, `^(a*)`, `^.*`, `^((((a))))$`, `^(a)(b)(c)(d)(e)(f)(g)$`}

// replaceable are patterns for which there is code that replaces their matches.
var replaceable = []string{`[^a-zA-Z0-9_]`, `[^a-zA-Z0-9_]+`, `\s`, `\s+`, `-+`, `\.`, `[\n\r\t]`, `(\W)`, `([^a]+)`, `[^\x00-\x7f]`, `[^\x00-\x7f]+`, `.`, `(?s).+`, `(?i)x`, `[[:punct:]]+`}

// unreplaceable are patterns for which there is none.
var unreplaceable = []string{`ab`, `^a`, `a*`, `a+?`, `a{2,}`, `[é]`, `é`, `[à-ü]+`, `(?i)k`, `a|bc`, `(a)(b)`, `\pL`, `[^é]`, `a?`, `$`, ``, `\b`}

// refused are patterns for which there must be none, with a word of the
// reason.
var refused = map[string]string{
	`a*`: "nothing at all", `[^a]*b`: "give back", `[^a]+b?c`: "give back", `[^ab]+b`: "any character", `a+b`: "square", `(?:ab)*c$`: "square", `(\d+) blocks`: "square", `(a|[^b]+)`: "any character",
	`^a|b`: "within", `^(a$|b)`: "within", `(?m)^a$`: "lines", `^a(?m:$)`: "lines", `^\bfoo`: "boundary",
	`^[^a]$`: "any length", `^.$`: "any length", `^[^a]{2}`: "any length", `^.{2,}$`: "any length", `^(?i)k$`: "outside ASCII", `^(?i)[a-z]$`: "outside ASCII",
	`^[éè]+$`: "outside ASCII", "^\ufffd": "U+FFFD", `^(a*)*$`: "empty", `^(?:a*|b)$`: "empty", `^a*a$`: "", `^a*ab$`: "give back",
	`^(a|ab)(c|bcd)$`: "depends", `^((a)?(b)?c)?$`: "before it is known",
	`^(?:(a)?b)*$`: "before it is known", `^(?:(a)(b)?,)*$`: "before it is known", `^(a+)(ab)?$`: "", `^.*foo$`: "give back", `^(\d+)(\d)$`: "give back", `^(a|b)*a$`: "", `^a*?`: "depends", `^(?:ab)??`: "only if",
	`^(?:(a)b|c(d))$`: "has a group", `^(?:(a)|b)$`: "has a group", `^[^/]*[^:]*$`: "told apart", `^(?:ab){9}$`: "more than", `^(.+)\.(.+)$`: "give back",
	`^(?:(?:a+b)?a)*$`: "square", `^(?:a+b|a)*$`: "square", `^(?:(?:a+b)*a)*$`: "square",
}

// What the text is called may begin with a letter outside ASCII.
func TestNamesOutsideASCII(t *testing.T) {
	for _, base := range []string{"änderung", "größe", "世界"} {
		f, err := Generate(Spec{Pattern: `^[0-9]+$`, Kind: Find, Base: base})
		if err != nil {
			t.Errorf("%s: %v", base, err)
		} else if !utf8.ValidString(f.Source) {
			t.Errorf("%s:\n%s", base, f.Source)
		}
	}
}

func TestRefused(t *testing.T) {
	for pattern, want := range refused {
		f, err := Generate(Spec{Pattern: pattern, Kind: Find, Base: "x"})
		switch {
		case err == nil && want != "":
			t.Errorf("%s: want an error with %q, got\n%s", pattern, want, f.Source)
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: error %q, want one with %q", pattern, err, want)
		}
	}
}

func TestUnreplaceable(t *testing.T) {
	for _, pattern := range unreplaceable {
		if f, err := Generate(Spec{Pattern: pattern, Kind: Replace, Base: "x"}); err == nil {
			t.Errorf("%s: want an error, got\n%s", pattern, f.Source)
		}
	}
}

// TestSame compiles the code for all supported patterns and compares it with
// package regexp.
func TestSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	cases := generate(t, supported)
	for _, c := range cases {
		if c.Function == nil {
			t.Fatal("no code")
		}
	}
	for _, c := range generate(t, plainTexts) {
		if c.Function != nil {
			cases = append(cases, c)
		} else if c.Kind == Find {
			t.Errorf("%s: no code", c.Pattern)
		}
	}
	for i, p := range replaceable {
		base := fmt.Sprintf("Replaced%dof%d", i, len(replaceable))
		f, err := Generate(Spec{Pattern: p, Kind: Replace, Base: base, Taken: func(name string) bool { return !strings.Contains(name, base) }})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		cases = append(cases, Case{p, Replace, f})
	}
	compare(t, cases, 2000)
}

// TestSameRandom does so for patterns made at random. Most are
// refused.
func TestSameRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	m := maker{rand.New(rand.NewPCG(uint64(*seed), 2))}
	var patterns []string
	for range *count {
		p := m.sequence(3)
		if m.IntN(4) > 0 {
			p = "^" + p
		}
		if m.IntN(3) > 0 {
			p += "$"
		}
		if _, err := regexp.Compile(p); err == nil {
			patterns = append(patterns, p)
		}
	}
	cases := generate(t, patterns)
	var some []Case
	for _, c := range cases {
		if c.Function != nil {
			some = append(some, c)
		}
	}
	if len(some) < len(cases)/10 {
		t.Errorf("only %d of %d patterns have code", len(some), len(cases))
	}
	t.Logf("%d of %d have code", len(some), len(cases))
	compare(t, some, 300)
}

func generate(t *testing.T, patterns []string) []Case {
	t.Helper()
	var cases []Case
	for i, p := range patterns {
		for _, kind := range []Kind{Match, Find} {
			base := fmt.Sprintf("Case%dof%dkind%d", i, len(patterns), kind)
			foreign := func(name string) bool { return !strings.Contains(name, base) }
			f, err := Generate(Spec{Pattern: p, Kind: kind, Base: base, Taken: foreign})
			if err != nil && strings.Contains(err.Error(), "formatting") {
				t.Errorf("%s: %v", p, err)
			}
			if err != nil && &patterns[0] == &supported[0] {
				t.Errorf("%s: %v", p, err)
				continue
			}
			cases = append(cases, Case{p, kind, f})
		}
	}
	return cases
}

// compare builds one program of all cases and runs it on their inputs.
func compare(t *testing.T, cases []Case, inputs int) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.test/m\n\ngo 1.18\n")
	write("main.go", Program(cases))
	build := exec.Command("go", "build", "-o", "same", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	for i, c := range cases {
		fmt.Fprintf(&in, "case %d\n", i)
		for _, s := range Inputs(c.Pattern, inputs) {
			fmt.Fprintf(&in, "%q\n", s)
		}
	}
	write("inputs", in.String())
	out, err := exec.Command(filepath.Join(dir, "same"), filepath.Join(dir, "inputs")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	same := 0
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "same ") {
			same++
		} else {
			t.Error(line)
		}
	}
	if same != len(cases) && !t.Failed() {
		t.Errorf("%d of %d cases were compared", same, len(cases))
	}
}

// FuzzGenerate looks for patterns for which there is code that is none, or no
// end of it.
func FuzzGenerate(f *testing.F) {
	for _, p := range supported {
		f.Add(p)
	}
	for p := range refused {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if len(pattern) > 60 {
			return
		}
		for _, kind := range []Kind{Match, Find} {
			code, err := Generate(Spec{Pattern: pattern, Kind: kind, Base: "x"})
			if err != nil {
				if strings.Contains(err.Error(), "formatting") {
					t.Errorf("%q: %v", pattern, err)
				}
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "x.go", "package x\n"+code.Source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			var conf types.Config
			if _, err := conf.Check("x", fset, []*ast.File{file}, nil); err != nil {
				t.Errorf("%q: %v\n%s", pattern, err, code.Source)
			}
			Inputs(pattern, 10)
		}
	})
}
