package difftest

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// run drives a module without the race detector.
func (m module) run(t *testing.T) (map[string]model.Driven, []model.State) {
	t.Helper()
	m.cfg.NoRace = true
	found, states, err := m.plan(t).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]model.Driven)
	for _, d := range found {
		t.Logf("%+v", d)
		out[strings.TrimPrefix(d.Func, "example.com/m.")] = d
	}
	return out, states
}

// TestBaseStaysBase: what the base makes without the candidate's new field is
// never handed to the candidate's methods, though an interface and an unchanged
// function lie between.
func TestBaseStaysBase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	base := `package m

import (
	"bytes"
	"io"
)

type counter struct{ n int }

func newCounter() *counter { return &counter{} }

func (c *counter) Write(p []byte) (int, error) {
	seen := map[byte]bool{}
	for _, b := range p {
		seen[b] = true
	}
	c.n += len(seen)
	return len(p), nil
}

func unchanged(w io.Writer, p []byte) { io.Copy(w, bytes.NewReader(p)) }

func Count(p []byte) int {
	c := newCounter()
	unchanged(c, p)
	return c.n
}
`
	cand := strings.NewReplacer(
		"struct{ n int }", "struct{ n int; seen map[byte]bool }",
		"&counter{}", "&counter{seen: make(map[byte]bool)}",
		"seen := map[byte]bool{}", "clear(c.seen)",
		"seen[b] = true", "c.seen[b] = true", "len(seen)", "len(c.seen)",
		"c := newCounter()\n", "var c = newCounter()\n",
	).Replace(base)
	tests := `package m

import "testing"

func TestCount(t *testing.T) {
	for _, s := range []string{"", "aab", "hello"} {
		Count([]byte(s))
	}
}
`
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": cand})
	found, states := m.run(t)
	for _, name := range []string{"Count", "newCounter", "(*counter).Write"} {
		if d := found[name]; !d.OK() || d.Skipped != "" || d.Pairs == 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if len(states) != 1 || states[0].Name != "counter.seen" || states[0].Kind != "map" {
		t.Errorf("states: %+v", states)
	}
}

// TestForeignPool: a pool whose values are of a type that the candidate has changed is
// not shared, though it is declared in the same words.
func TestForeignPool(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	base := `package m

import "sync"

type trail struct {
	steps []int
	last  *int
}

func newTrail() any { return &trail{} }

var (
	trails = sync.Pool{New: func() any { return &trail{steps: make([]int, 0, 4)} }}
	others = sync.Pool{New: newTrail}
	spare  = sync.Pool{New: func() any { return any(blank()) }}
	known  = map[string]func() any{}
	_      = register("trail", newTrail)
	count  = register("another", newTrail)
)

func register(name string, f func() any) int {
	if known[name] != nil {
		panic(name + " is known")
	}
	known[name] = f
	return len(known)
}

func blank() *trail { return nil }

func capture(n int) *trail {
	t := trails.Get().(*trail)
	t.steps = append(t.steps[:0], n, n+1)
	t.last = &t.steps[1]
	return t
}

func (t *trail) free() { t.last = nil; trails.Put(t) }

func Sum(n int) int {
	t := capture(n)
	defer t.free()
	o := others.Get().(*trail)
	o.steps = append(o.steps[:0], t.steps...)
	others.Put(o)
	if s := spare.Get().(*trail); s != nil {
		panic("a value")
	}
	return o.steps[0] + *t.last + count - 2
}
`
	cand := strings.NewReplacer("\tlast  *int\n", "", "\tt.last = &t.steps[1]\n", "", "t.last = nil; ", "", "*t.last", "t.steps[1]").Replace(base)
	tests := `package m

import "testing"

func TestSum(t *testing.T) {
	for i := range 20 {
		if Sum(i) != 2*i+1 {
			t.Fatal(i)
		}
	}
}
`
	found, _ := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": cand}).run(t)
	if d := found["Sum"]; d.Pairs == 0 || len(d.Differences) > 0 {
		t.Errorf("Sum: %+v", d)
	}
}

// TestBadTests: tests that fail, panic or hang keep nothing from being driven,
// and a candidate that ends the process is a difference.
func TestBadTests(t *testing.T) {
	sample.One(t, 3)
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	t.Parallel() // it waits
	base := `package m

func Deep(n int) int {
	if n > 1<<20 {
		return -1
	}
	return n
}

func Shallow(n int) int { return n + 1 }

func Never(n int) int { return n }
`
	cand := `package m

func Deep(n int) int {
	if n == 7 {
		return Deep(n) + 1
	}
	if n > 1<<20 {
		return -1
	}
	return n
}

func Shallow(n int) int { return 1 + n }

func Never(n int) int { return 0 + n }
`
	tests := `package m

import "testing"

func TestDeep(t *testing.T) {
	if pawl := Shallow(1); pawl != 2 {
		t.Error(pawl)
	}
	defer func() { recover() }()
	deep(5)
}

var deep = Deep

func TestFails(t *testing.T) { t.Error("no network") }

func TestPanics(t *testing.T) { panic("no terminal") }

func TestHangs(t *testing.T) { select {} }

func BenchmarkShallow(b *testing.B) {
	for i := range b.N {
		Shallow(i)
		Deep(6)
		Deep(8)
	}
}
`
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": cand})
	found, _ := m.run(t)
	if d := found["Shallow"]; !d.OK() || d.Skipped != "" || d.Pairs < 100 {
		t.Errorf("Shallow: %+v", d)
	}
	if d := found["Deep"]; d.OK() {
		t.Errorf("Deep: %+v", d)
	}
	if d := found["Never"]; !d.OK() || d.Inputs != 0 || d.Pairs < 100 { // its inputs are all made up
		t.Errorf("Never: %+v", d)
	}
}

// TestLongTests: tests that would take longer than the whole budget are cut
// short, and what they recorded is driven.
func TestLongTests(t *testing.T) {
	sample.One(t, 3)
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	t.Parallel() // it waits
	base := "package m\n\nfunc Inc(n int) int { return n + 1 }\n"
	tests := `package m

import (
	"fmt"
	"testing"
	"time"
)

func TestInc(t *testing.T) {
	for i := range 1000 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			Inc(i)
			time.Sleep(time.Second / 5)
		})
	}
}
`
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": strings.Replace(base, "n + 1 ", "1 + n ", 1)})
	m.cfg.Budget = 10 * time.Second
	found, _ := m.run(t)
	if d := found["Inc"]; !d.OK() || d.Skipped != "" || d.Inputs == 0 || !partly.MatchString(strings.Join(d.Uncompared, "\n")) {
		t.Errorf("Inc: %+v, want a word on the tests that were left out", d)
	}
}

// partly is what is said of a function that was driven with inputs of some tests.
var partly = regexp.MustCompile(`(?m)^what the rest of the tests of example.com/m call it with: in the time for recording [1-9]\d* tests, subtests and benchmarks began, and [1-9]\d* more did not; [1-9]\d* inputs are from those that did$`)

// TestLongTestsBeforeBenchmarks: tests that take all of the time for recording
// do not keep the benchmarks from recording.
func TestLongTestsBeforeBenchmarks(t *testing.T) {
	sample.One(t, 3)
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	t.Parallel() // it waits
	base := "package m\n\nfunc Inc(n int) int { return n + 1 }\n"
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": longTest + "\nfunc BenchmarkInc(b *testing.B) {\n\tfor i := range b.N {\n\t\tInc(i)\n\t}\n}\n"},
		map[string]string{"m.go": strings.Replace(base, "n + 1 ", "1 + n ", 1)})
	m.cfg.Budget = 15 * time.Second
	found, _ := m.run(t)
	if d := found["Inc"]; !d.OK() || d.Skipped != "" || d.Pairs == 0 || !slices.ContainsFunc(d.Uncompared, func(u string) bool { return strings.HasPrefix(u, "what the tests of example.com/m call it with: ") }) {
		t.Errorf("Inc: %+v", d)
	}
}

// longTest takes longer than any budget.
const longTest = `package m

import (
	"fmt"
	"testing"
	"time"
)

func TestA(t *testing.T) {
	for i := range 1000 {
		t.Run(fmt.Sprint(i), func(t *testing.T) { time.Sleep(time.Second / 10) })
	}
}
`

// TestShortOfTime: that nothing calls a function is not said where tests were
// left out, or none ran, for lack of time.
func TestShortOfTime(t *testing.T) {
	sample.One(t, 3)
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	t.Parallel() // it waits
	base := "package m\n\nfunc Inc(n int) int { return n + 1 }\n"
	tests := longTest + "\nfunc TestB(t *testing.T) { Inc(1) }\n"
	m := newModule(t, map[string]string{"m.go": base, "m_test.go": tests}, map[string]string{"m.go": strings.Replace(base, "n + 1 ", "1 + n ", 1)})
	all := "the time did not suffice for all tests and benchmarks, and those that ran do not call it"
	for budget, want := range map[time.Duration][]string{
		time.Second:      {"the time did not suffice to drive it in example.com/m", all}, // as far as it comes
		10 * time.Second: {all},
	} {
		m.cfg.Budget = budget
		found, _ := m.run(t)
		if d := found["Inc"]; !slices.Contains(want, d.Skipped) {
			t.Errorf("in %s: %q, want %q", budget, d.Skipped, want)
		}
	}
}
