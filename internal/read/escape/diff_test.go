package escape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestDiff(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module for each case")
	}
	before := mustTake(t, program)
	hotLine := func(text string) func(model.Pos) bool {
		line := lineOf(t, "a/a.go", text)
		return func(p model.Pos) bool { return p.File == "a/a.go" && p.Line == line }
	}
	for _, c := range []struct {
		name     string
		old, new string
		hot      func(model.Pos) bool
		want     []Change
	}{
		{name: "lines move", old: "type T struct", new: "// one\n// two\n\ntype T struct"},
		{name: "statements move", old: "\ts := scratch()\n\tt.sink = s\n\tt.add(n)\n", new: "\tt.add(n)\n\n\ts := scratch()\n\tt.sink = s\n"},
		{
			name: "new escape in a hot function", old: "t.add(n)", new: "t.add(n)\n\tt.buf = make([]byte, n)",
			hot:  hotLine("t.sink = s"),
			want: []Change{{Kind: NewEscape, Func: "(*T).Keep", Text: "make([]byte, n) escapes to heap", Count: 1, Hot: true}},
		},
		{
			name: "new escape in a cold function", old: "t.add(n)", new: "t.add(n)\n\tt.buf = make([]byte, n)",
			hot:  hotLine("if !ok"),
			want: []Change{{Kind: NewEscape, Func: "(*T).Keep", Text: "make([]byte, n) escapes to heap", Count: 1}},
		},
		{
			name: "new escape before an error", old: "if !ok {", new: "if !ok {\n\t\ti := len(args)\n\t\tleak(&i)",
			hot:  hotLine("if !ok"),
			want: []Change{{Kind: NewEscape, Func: "check", Text: "i escapes to heap", Count: 1}},
		},
		{
			name: "a second one of the same text", old: "t.sink = s", new: "t.sink = s\n\tt.sink = scratch()",
			want: []Change{{Kind: NewEscape, Func: "(*T).Keep", Text: "new([8]byte) escapes to heap", Count: 1, Again: true, Hot: true}},
		},
		{
			name: "lost inline on a hot line", old: "{ t.buf = append(t.buf, byte(n)) }", new: "{\n\tdefer func() { t.sink = nil }()\n\tt.buf = append(t.buf, byte(n))\n}",
			hot: hotLine("t.add(n)"),
			want: []Change{{
				Kind: LostInline, Func: "(*T).Keep", Count: 1, Hot: true,
				Text: "call of add is no longer inlined: unhandled op DEFER",
			}},
		},
		{
			name: "lost inline on a cold line", old: "{ t.buf = append(t.buf, byte(n)) }", new: "{\n\tdefer func() { t.sink = nil }()\n\tt.buf = append(t.buf, byte(n))\n}",
			hot: hotLine("if !ok"),
		},
		{
			name: "made at once what append made", old: "{ t.buf = append(t.buf, byte(n)) }",
			new: "{\n\tt.buf = make([]byte, 0, n)\n\tt.buf = append(t.buf, byte(n))\n}",
		},
		{
			name: "made at once, of a type with a name", old: "{ t.buf = append(t.buf, byte(n)) }",
			new: "{\n\ttype list []byte\n\tt.buf = make(list, 0, n)\n\tt.buf = append(t.buf, byte(n))\n}",
		},
		{name: "a constant in a panic", old: "\tt.add(n)\n", new: "\tif n < 0 {\n\t\tpanic(\"negative\")\n\t}\n\tt.add(n)\n"},
		{name: "a call is gone", old: "\tt.add(n)\n", new: "\t_ = n\n"},
		{name: "an escape is gone", old: "return new([8]byte)", new: "return nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 3)
			files := edited(t, c.old, c.new)
			files["a/b.go"] = "package a\n\nvar kept *int\n\n//go:noinline\nfunc leak(p *int) { kept = p }\n"
			got := Diff(before, mustTake(t, files), c.hot)
			got = without(got, "a/b.go")
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(Change{}, "At"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Diff (-want +got):\n%s", diff)
			}
		})
	}
}

// A conversion that an inlined function made, and that is written out now, is not new; one
// more is.
func TestDiffWrittenOut(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module for each case")
	}
	with := func(text, other string) map[string]string {
		return map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a/a.go": "package a\n\nimport \"bytes\"\n\nfunc Text(b *bytes.Buffer) string { return " + text + " }\n\nfunc Other(b []byte) string { return " + other + " }\n",
		}
	}
	before := mustTake(t, with("b.String()", `""`))
	if got := Diff(before, mustTake(t, with("string(b.Bytes())", `""`)), nil); len(got) > 0 {
		t.Errorf("a conversion that is written out: %v", got)
	}
	got := Diff(before, mustTake(t, with(`""`, "string(b)")), nil)
	if len(got) != 1 || got[0].Kind != NewEscape || got[0].Func != "Other" {
		t.Errorf("a conversion in another function: %v", got)
	}
	if got := Diff(before, mustTake(t, with("[2]string{string(b.Bytes()), string(b.Bytes()[1:])}[b.Len()]", `""`)), nil); len(got) == 0 {
		t.Error("one more conversion is not new")
	}
}

func TestDiffInlinedNow(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module for each case")
	}
	of := func(make, keep string) *Notes {
		return mustTake(t, map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a/a.go": "package a\n\ntype T struct{ n int }\n\nvar kept *T\n\n" + make + "\n\nfunc Keep(s string) { " + keep + " }\n",
		})
	}
	const loop = "for i := range s {\n\t\tif s[i] > '0' {\n\t\t\tt.n += 3*int(s[i]) + len(s[i:])\n\t\t}\n\t\tif s[i] < 'a' && t.n > i {\n\t\t\tt.n ^= 5*i + t.n>>3\n\t\t}\n\t}\n\tfor t.n > 1000 {\n\t\tt.n -= len(s)*7 + t.n/9\n\t}\n\treturn t\n}"
	before := of("func read(s string) *T {\n\tt := &T{}\n\t"+loop, "kept = read(s)")
	const inlined = "func read(s string) *T { return readInto(&T{}, s) }\n\nfunc readInto(t *T, s string) *T {\n\t" + loop
	if got := Diff(before, of(inlined, "kept = read(s)"), nil); len(got) > 0 {
		t.Errorf("an escape of a function that is inlined now: %v", got)
	}
	if got := Diff(before, of(inlined, "kept = read(s); kept = &T{len(s)}"), nil); len(got) != 1 || got[0].Func != "Keep" {
		t.Errorf("another one in the caller: %v", got)
	}
}

func without(changes []Change, file string) []Change {
	var out []Change
	for _, c := range changes {
		if c.At.File != file {
			out = append(out, c)
		}
	}
	return out
}

func TestCanInline(t *testing.T) {
	notes := mustTake(t, edited(t, "{ t.buf = append(t.buf, byte(n)) }", "{\n\tdefer func() { t.sink = nil }()\n\tt.buf = append(t.buf, byte(n))\n}"))
	for name, want := range map[string]struct {
		text string
		can  bool
	}{
		"(*T).add": {"unhandled op DEFER", false},
		"scratch":  {"cost: ", true},
		"missing":  {"", false},
	} {
		if text, can := notes.CanInline(model.Declared{File: "a/a.go", Name: name}); !strings.HasPrefix(text, want.text) || can != want.can {
			t.Errorf("%s: %q, %v; want %q, %v", name, text, can, want.text, want.can)
		}
	}
}
