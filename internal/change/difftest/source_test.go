package difftest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// Each case is one package in two versions; want has the functions that are
// found, with a part of the reason where they are skipped.
var sourceCases = []struct {
	name       string
	base, cand string
	want       map[string]string
	notes      []string
}{
	{
		name: "methods, helpers, blank and unnamed parameters, variadic",
		base: `package m
import ("fmt"; "io")
type T struct { n int }
func (t *T) F(a int, _ string, rest ...byte) (n int, err error) { return t.g(a) + len(rest), nil }
func (t *T) g(a int) int { return a + t.n }
func (T) Name() string { return "T" }
func H(int, string) {}
func W(w io.Writer, v any) { fmt.Fprintln(w, v) }
func Same(x int) int { return H2(x) } // unchanged
func H2(x int) int { return x }
`,
		cand: `package m
import "io"
type T struct { n int; scratch []byte }
func (t *T) F(a int, _ string, rest ...byte) (n int, err error) { n = t.g(a); return n + len(rest), nil }
func (t *T) g(a int) int { return t.n + a }
func (T) Name() string { s := "T"; return s }
func H(int, string) { _ = 1 }
func W(w io.Writer, v any) { io.WriteString(w, "x") }
func Same(x int) int {
	return H2(x)
}
func H2(x int) int { return 0 + x }
`,
		want: map[string]string{"(*T).F": "", "(*T).g": "", "T.Name": "", "H": "", "W": "", "H2": ""},
	},
	{
		name: "generic functions and receivers",
		base: `package m
import "cmp"
type Set[K comparable, V any] struct { m map[K]V }
func (s *Set[K, V]) Get(k K) (V, bool) { v, ok := s.m[k]; return v, ok }
func (s *Set[A, B]) Len() int { return len(s.m) }
func Max[T cmp.Ordered](a, b T) T { if a > b { return a }; return b }
func Map[T, U any](in []T, f func(T) U) []U { var out []U; for _, x := range in { out = append(out, f(x)) }; return out }
`,
		cand: `package m
import "cmp"
type Set[K comparable, V any] struct { m map[K]V }
func (s *Set[K, V]) Get(k K) (v V, ok bool) { v, ok = s.m[k]; return }
func (s *Set[A, B]) Len() int { n := len(s.m); return n }
func Max[T cmp.Ordered](a, b T) T { return max(a, b) }
func Map[T, U any](in []T, f func(T) U) []U { out := make([]U, 0, len(in)); for _, x := range in { out = append(out, f(x)) }; return out }
`,
		want: map[string]string{"(*Set).Get": "", "(*Set).Len": "", "Max": "", "Map": ""},
	},
	{
		name: "variables, constants, removed declarations",
		base: `package m
import "sync"
const ( a = iota; b; size = 16; ratio = 1.0 / 3; name string = "x"; r = 'x' )
var table = [4]byte{1, 2, 3, 4}
var pool = sync.Pool{New: func() any { return new(buf) }}
type buf struct { b []byte }
func (b *buf) add(x byte) { b.b = append(b.b, x) }
func helper(x int) int { return x*size + b }
func F(x int) int { p := pool.Get().(*buf); p.add(byte(x)); defer pool.Put(p); return helper(x) + int(table[x&3]) + int(ratio*3) + len(name) + r }
func Uses(x int) byte { return table[x&3] }
func old(x int) int { return x }
`,
		cand: `package m
const ( zero = iota; a; b; size = 8; ratio = 0.5; name string = "yy"; r = 'y' )
var table = [4]byte{1, 2, 3, 5}
func F(x int) int { return x*16 + 1 + int(table[x&3]) }
func Uses(x int) byte { return table[x&3] }
`,
		want: map[string]string{"F": "", "Uses": ""},
	},
	{
		name: "what cannot be driven",
		base: `package m
import "unsafe"
type T struct { buf []byte }
func (t *T) Layout() int { return len(t.buf) }
func Sig(a int) int { return a }
func Chan(c chan int) int { return <-c }
func Ptr(p unsafe.Pointer) bool { return p == nil }
func Rec() { recover() }
func New() *T { return &T{buf: nil} }
var ready = map[string]int{}
func init() { ready["x"] = 1 }
func Init(s string) int { return ready[s] }
`,
		cand: `package m
import "unsafe"
type T struct { buf [8]byte }
func (t *T) Layout() int { return len(t.buf) + 0 }
func Sig(a int64) int { return int(a) }
func Chan(c chan int) int { x := <-c; return x }
func Ptr(p unsafe.Pointer) bool { return nil == p }
func Rec() { _ = recover() }
func New() *T { return &T{} }
func Init(s string) int { if s == "x" { return 1 }; return 0 }
`,
		want: map[string]string{
			"(*T).Layout": "it is a method of T, which is another type", "Sig": "its signature changed", "Chan": "takes a channel (c)",
			"Ptr": "unsafe pointer (p)", "Rec": "recovers", "New": "takes or returns T", "Init": "init function",
		},
		notes: []string{"m.init differs: both versions ran with the candidate's"},
	},
	{
		name: "names in the way",
		base: `package m
import str "strings"
func F(strings, any, pawldrive string, int interface{}) bool { return str.Contains(strings, any) }
type E struct{ error }
func (e E) Wrap(err error) error { return E{err} }
func G() (s string) { s = str.ToUpper("x"); return }
`,
		cand: `package m
import "strings"
func F(s, any, pawldrive string, int interface{}) bool { return strings.Index(s, any) >= 0 }
type E struct{ error }
func (e E) Wrap(err error) error { w := E{err}; return w }
func G() (s string) { return strings.ToUpper("x") }
`,
		want: map[string]string{"F": "", "E.Wrap": "", "G": ""},
	},
	{
		name: "a type of the base's own, with its methods and an interface",
		base: `package m
import "fmt"
type state struct { n int }
func (s *state) String() string { return fmt.Sprint(s.n) }
func F(n int) string { var x fmt.Stringer = &state{n}; return x.String() }
`,
		cand: `package m
import "strconv"
func F(n int) string { return strconv.Itoa(n) }
`,
		want: map[string]string{"F": ""},
	},
}

// What both versions share without being the same is said.
func TestSharedMethods(t *testing.T) {
	t.Parallel()
	m := newModule(t, map[string]string{"m.go": "package m\n\ntype T struct{ n int }\n\nfunc F(n int) T { return T{n} }\n"},
		map[string]string{"m.go": "package m\n\ntype T struct{ n int }\n\nfunc (T) String() string { return \"T\" }\n\nfunc (T) less() bool { return false }\n\nfunc F(n int) T { return T{n: n} }\n"})
	want := []string{"only the candidate has the method T.String: what finds it through an interface was not compared"}
	if got := m.plan(t).Notes(); !slices.Equal(got, want) {
		t.Errorf("notes: %q, want %q", got, want)
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	for _, c := range sourceCases {
		t.Run(c.name, func(t *testing.T) {
			sample.One(t, 3)
			m := newModule(t, map[string]string{"m.go": c.base}, map[string]string{"m.go": c.cand})
			p := m.plan(t)
			got := make(map[string]string)
			for _, d := range p.Functions() {
				name := strings.TrimPrefix(d.Func, "example.com/m.")
				if got[name] = d.Skipped; strings.HasPrefix(name, sequencePrefix) {
					delete(got, name)
				}
				if w := c.want[name]; w != "" && strings.Contains(d.Skipped, w) {
					got[name] = w
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("functions (-want +got):\n%s", diff)
			}
			if !slices.Equal(p.Notes(), c.notes) {
				t.Errorf("notes: %q, want %q", p.Notes(), c.notes)
			}
			p.compiles(t, false)
		})
	}
}

// TestSharedVariable: what functions put into a variable is there for both
// sides, though it is declared in another way.
func TestSharedVariable(t *testing.T) {
	t.Parallel()
	base := `package m
import "sync"
var formats = map[string]int{}
var pool = sync.Pool{New: func() any { return new(int) }}
func Register(s string) { formats[s] = len(s) }
func Get(s string) int { p := pool.Get().(*int); defer pool.Put(p); return formats[s] }
`
	cand := `package m
import "sync"
var formats = make(map[string]int, 8)
var pool = sync.Pool{New: func() any { return new([8]int) }}
func Register(s string) { formats[s] = len(s) }
func Get(s string) int { p := pool.Get().(*[8]int); defer pool.Put(p); return formats[s] }
`
	p := newModule(t, map[string]string{"m.go": base}, map[string]string{"m.go": cand}).plan(t)
	p.compiles(t, false)
	if len(p.Notes()) != 1 || !strings.Contains(p.Notes()[0], "variable formats") {
		t.Errorf("notes: %q", p.Notes())
	}
	d := p.subjects[0].c.base.decls
	if c := p.subjects[0].c; c.dirty[d["formats"]] || !c.dirty[d["pool"]] {
		t.Error("formats has to be shared, and the pool not")
	}
}
