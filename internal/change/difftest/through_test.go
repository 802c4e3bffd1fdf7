package difftest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// A function that takes a channel is driven through those that call it.
func TestThrough(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	// Both changes are of one module, so that one binary is linked: Kept behaves as before, and Lost does not.
	const one = `
func drainKept(c chan int) (n int) {
	for x := range c {
		n += x
	}
	return n
}

// Kept adds up.
func Kept(list []int) int {
	c := make(chan int, len(list))
	for _, x := range list {
		c <- x
	}
	close(c)
	return drainKept(c)
}
`
	lost := strings.ReplaceAll(one, "Kept", "Lost")
	const test = `package m

import "testing"

func TestTotal(t *testing.T) {
	if Kept([]int{1, 2}) != 3 || Lost([]int{1, 2}) != 3 {
		t.Error("wrong")
	}
}
`
	m := newModule(t, map[string]string{"m.go": "package m\n" + one + lost, "m_test.go": test}, map[string]string{
		"m.go": "package m\n" + strings.Replace(one, "n += x", "n = n + x", 1) + strings.Replace(lost, "n += x", "if x >= 0 {\n\t\t\tn += x\n\t\t}", 1),
	})
	found, _ := m.run(t)
	if len(found) != 2 {
		t.Errorf("%d functions", len(found))
	}
	for name, ok := range map[string]bool{"Kept": true, "Lost": false} {
		d, driven := found["drain"+name]
		if !driven || d.Pairs == 0 || d.OK() != ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than "+name+" may call it with: it takes a channel (c)") {
			t.Errorf("%q: %+v", name, found)
		}
	}
}

// Functions of a type that is another one now are driven through what does not show
// it, in the base by way of functions that did not change.
func TestRetyped(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

type classes map[rune]int

func table() classes {
	t := classes{}
	t.add("aeiou", 1)
	return t
}

func (c classes) add(s string, n int) {
	for _, r := range s {
		c[r] = n
	}
}

func vowels(s string) (n int) {
	for _, r := range s {
		n += table()[r]
	}
	return n
}

// Count counts vowels.
func Count(s string) int { return vowels(s) }
`
	const test = `package m

import "testing"

func TestCount(t *testing.T) {
	if Count("some text") != 3 || Count("") != 0 {
		t.Error("wrong")
	}
}
`
	change := strings.NewReplacer("map[rune]int", "[128]int", "t := classes{}", "t := &classes{}", "return t", "return *t", "(c classes)", "(c *classes)")
	for now, ok := range map[string]bool{"table().of(r)": false, "table().safe(r)": true} {
		cand := strings.Replace(change.Replace(base), "func (c *classes) add", `func (c classes) of(r rune) int { return c[r&127] }

func (c classes) safe(r rune) int {
	if r > 127 {
		return 0
	}
	return c[r]
}

func (c *classes) add`, 1)
		before := strings.Replace(base, "func (c classes) add", "func (c classes) of(r rune) int { return c[r] }\n\nfunc (c classes) safe(r rune) int { return c[r] }\n\nfunc (c classes) add", 1)
		m := newModule(t, map[string]string{"m.go": strings.Replace(before, "table()[r]", now, 1), "m_test.go": test}, map[string]string{"m.go": strings.Replace(cand, "table()[r]", now, 1)})
		found, _ := m.run(t)
		for _, name := range []string{"table", "(*classes).add"} {
			if d := found[name]; d.Pairs == 0 || d.OK() != ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than Count may call it with") {
				t.Errorf("%s, %s: %+v", name, now, found)
			}
		}
	}
}

// What an interface holds of a type that is another one now is named as not compared: the base has a copy of it.
func TestRetypedInside(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

// A Counter counts.
type Counter interface{ Count() int }

type counter struct {
	n   int
	odd bool
}

func (c *counter) Count() int { return c.n }

// New returns one.
func New(n int) (Counter, int) { return &counter{n: n, odd: n%2 == 1}, n + 1 }
`
	const test = `package m

import "testing"

func TestNew(t *testing.T) {
	if c, _ := New(3); c.Count() != 3 {
		t.Error("wrong")
	}
}
`
	for now, ok := range map[string]bool{"n + 1": true, "n + n/3": false} {
		cand := strings.NewReplacer("\n\todd bool", "", ", odd: n%2 == 1", "", "n + 1", now).Replace(base)
		m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": cand})
		found, _ := m.run(t)
		if d := found["New"]; d.Pairs == 0 || d.OK() != ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "*m.counter, a type that changed") {
			t.Errorf("%s: %+v", now, found)
		}
	}
}

// An error of a type that is another one now is of the type that callers ask for, as it was: what it holds besides its text is not
// compared.
func TestRetypedError(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

import "fmt"

// A LengthError is about a length.
type LengthError struct {
	n     *int
	Found int
}

func (e LengthError) Error() string { return fmt.Sprint("length ", *e.n) }

// An OtherError is, too.
type OtherError struct{ LengthError }

// Check returns one for what is longer than ten.
func Check(n int) error {
	if n > 10 {
		return LengthError{&n, n}
	}
	return nil
}
`
	const test = `package m

import "testing"

func TestCheck(t *testing.T) {
	if Check(1) != nil || Check(11) == nil || Check(12).Error() != "length 12" {
		t.Error("wrong")
	}
}
`
	for now, ok := range map[string]bool{"LengthError{n, n}": true, "OtherError{LengthError{n, n}}": false} {
		cand := strings.NewReplacer("*int", "int", "*e.n", "e.n", "LengthError{&n, n}", now).Replace(base)
		m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": cand})
		found, _ := m.run(t)
		d := found["Check"]
		if d.Pairs == 0 || d.OK() != ok || ok && !strings.Contains(strings.Join(d.Uncompared, "\n"), "m.LengthError, a type that changed") {
			t.Errorf("%s: %+v", now, found)
		}
	}
}

// A method of a type that its package alone can make may write to its receiver where
// all callers have one each, and may not where one of them shares it.
func TestOutOfReach(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

type parser struct{ text string }

func (p *parser) size() int {
	n := 0
	for range p.text {
		n++
	}
	return n
}

// Size counts the characters of a text.
func Size(text string) int {
	p := &parser{text: text}
	return p.size()
}

type shared struct{ text string }

func (p *shared) size() int { return len(p.text) }

// A Box holds a text.
type Box struct{ p *shared }

// NewBox returns a box of a text.
func NewBox(text string) *Box { return &Box{&shared{text: text}} }

// Size counts the bytes in a box.
func (b *Box) Size() int { return b.p.size() }
`
	const test = `package m

import "testing"

func TestSize(t *testing.T) {
	if Size("abc") != 3 || NewBox("abc").Size() != 3 {
		t.Error("wrong")
	}
}
`
	cand := strings.NewReplacer("struct{ text string }", "struct {\n\ttext string\n\tat int\n}", "n := 0\n", "p.at = 0\n", "n++", "p.at++", "return n\n", "return p.at\n",
		"{ return len(p.text) }", "{\n\tp.at = len(p.text)\n\treturn p.at\n}").Replace(base)
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": cand})
	m.cfg.NoRace = false
	found, _, err := m.plan(t).Run(t.Context())
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	for i, races := range []bool{false, true} { // of the parser, and of what is shared
		d := found[i]
		if d.NoConcurrent == "the race detector does not build here" {
			t.Skip(d.NoConcurrent)
		}
		if got := slices.ContainsFunc(d.Differences, isConcurrent); got != races || d.Pairs == 0 {
			t.Errorf("%s races: %v, want %v: %+v", d.Func, got, races, d)
		}
	}
}

// A function that only its package calls may differ when it is called alone, as long as its callers do not.
func TestInside(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const one = `
func noteKept(seen map[string]int, name string) int {
	n, ok := seen[name]
	if !ok {
		n = len(seen)
		seen[name] = n
	}
	return n
}

// Kept numbers names.
func Kept(names []string) (out []int) {
	seen := map[string]int{}
	for _, name := range names {
		out = append(out, noteKept(seen, name))
	}
	return out
}
`
	lost := strings.ReplaceAll(one, "Kept", "Lost")
	const test = `package m

import "testing"

func TestNumbers(t *testing.T) {
	for _, f := range []func([]string) []int{Kept, Lost} {
		if n := f([]string{"one", "two", "one", "three", "ten"}); n[2] != 0 || n[4] != 3 {
			t.Error(n)
		}
	}
}
`
	m := newModule(t, map[string]string{"m.go": "package m\n" + one + lost, "m_test.go": test}, map[string]string{
		"m.go": "package m\n" + strings.ReplaceAll(one, "seen[name]", `seen["."+name]`) +
			strings.ReplaceAll(lost, "seen[name]", "seen[name[:min(2, len(name))]]"),
	})
	m.cfg.Callers = true
	found, _ := m.run(t)
	for name, want := range map[string]model.SuspicionKind{"noteKept": model.SuspectInternal, "noteLost": ""} {
		d := found[name]
		if d.OK() {
			t.Errorf("%s is equal: %+v", name, d)
		}
		for _, x := range d.Differences {
			if x.Consent() != want {
				t.Errorf("%s: %+v may be allowed by %q, want %q", name, x, x.Consent(), want)
			}
		}
	}
}

// A number that a function tells beside its own name is what it says.
func TestBesideNames(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const base = `package m

import (
	"fmt"
	"runtime"
)

// Show tells its name, and how long a text is.
func Show(text string) string {
	at, _, _, _ := runtime.Caller(0)
	return fmt.Sprintf("%s:%d", runtime.FuncForPC(at).Name(), len(text))
}
`
	const test = `package m

import "testing"

func TestShow(t *testing.T) {
	for _, text := range []string{"", "a", "some text"} {
		if Show(text) == "" {
			t.Error(text)
		}
	}
}
`
	for cand, want := range map[string]bool{strings.Replace(base, "len(", "0+len(", 1): true, strings.Replace(base, "len(", "1+len(", 1): false} {
		m := newModule(t, map[string]string{"m.go": base, "m_test.go": test}, map[string]string{"m.go": cand})
		found, _ := m.run(t)
		if d := found["Show"]; d.Pairs == 0 || d.Skipped != "" || d.OK() != want {
			t.Errorf("equal: %v, want %v: %+v", d.OK(), want, d)
		}
	}
}

// Without goroutines, channels and locks, calls at the same time that write to one receiver are a race.
func TestUnordered(t *testing.T) {
	t.Parallel()
	const text = "package m\n\nimport \"strings\"\n\ntype T struct{ n int }\n\nfunc (t *T) Add(s string) { t.n += len(strings.TrimSpace(s)) }\n"
	for added, want := range map[string]bool{
		"":                        true,
		"\nfunc f() { go f() }\n": false,
		"\nvar c chan int\n":      false,
		"\nimport \"context\"\n\nfunc w(c context.Context) { <-c.Done() }\n": false,
		"\nimport _ \"example.com/m/lock\"\n":                                false,
		"\nimport _ \"sync/atomic\"\n":                                       false,
		"\nimport _ \"net\"\n":                                               false,
	} {
		base := strings.Replace(text, "import \"strings\"\n", "import \"strings\"\n"+added, 1)
		m := newModule(t, map[string]string{"m.go": base, "lock/lock.go": "package lock\n"}, map[string]string{"m.go": strings.Replace(base, "t.n +=", "t.n = t.n +", 1)})
		p := m.plan(t)
		if got := p.subjects[0].c.base.unordered(); got != want {
			t.Errorf("%q: %v", added, got)
		}
	}
}
