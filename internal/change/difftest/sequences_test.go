package difftest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const countersText = `package m

import "errors"

type words struct{ n map[string]int }

// A Counter counts words.
type Counter struct {
	in    *words
	least int
	Calls int
}

// NewCounter counts from a number on.
func NewCounter(least int, strict bool) (*Counter, error) {
	if least < 0 {
		return nil, errors.New("negative")
	}
	return &Counter{in: &words{map[string]int{}}, least: least}, nil
}

// Add counts a word.
func (c *Counter) Add(word string) int {
	c.Calls++
	c.in.n[word]++
	return c.in.n[word] + c.least
}

// Merge adds what another has counted.
func (c *Counter) Merge(other *Counter) {
	for w, n := range other.in.n {
		c.in.n[w] += n
	}
}

// Clone returns a copy.
func (c *Counter) Clone() *Counter {
	d, _ := NewCounter(c.least, true)
	d.Merge(c)
	return d
}

// Len is how many words there are.
func (c *Counter) Len() int { return len(c.in.n) }

// Any returns something.
func (c *Counter) Any(what string) interface{} {
	if what == "me" {
		return c
	}
	return c.in.n[what]
}

// Each calls a function with all words.
func (c *Counter) Each(f func(string)) {
	for w := range c.in.n {
		f(w)
	}
}
`

const countersTest = `package m

import "testing"

func TestCounter(t *testing.T) {
	c, err := NewCounter(2, true)
	if err != nil || c.Add("a") != 3 || c.Len() != 1 {
		t.Error("wrong")
	}
	d := c.Clone()
	d.Add("b")
	c.Merge(d)
	if c.Any("me") != c || c.Any("a") != 2 {
		t.Error("wrong")
	}
}

func BenchmarkAdd(b *testing.B) {
	for i := 0; i < b.N; i++ {
		c, _ := NewCounter(0, false)
		for _, w := range []string{"x", "y", "z", "x", "x"} {
			c.Add(w)
		}
	}
}

func BenchmarkEach(b *testing.B) {
	c, _ := NewCounter(0, false)
	for i := 0; i < b.N; i++ {
		c.Add("x")
		c.Each(func(string) {})
	}
}

func BenchmarkSet(b *testing.B) {
	c, _ := NewCounter(0, false)
	set(c)
	for i := 0; i < b.N; i++ {
		c.Add("x")
	}
}

func set(c *Counter) { c.in.n["y"] = 7 }

func BenchmarkMade(b *testing.B) {
	c := &Counter{in: &words{map[string]int{}}, least: 7}
	for i := 0; i < b.N; i++ {
		c.Add("x")
	}
}
`

// A type that is another one inside is driven as others use it: made, asked and told in turn, as tests and benchmarks do.
func TestSequences(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	now := strings.NewReplacer("in    *words", "in    words", "in: &words{", "in: words{").Replace(countersText)
	test := strings.Replace(countersTest, "in: &words{", "in: words{", 1)
	for _, c := range []struct {
		name, was, is string
		in            string
		ok            bool
	}{
		{name: "right", in: "NewCounter", ok: true},
		{name: "wrong sum", in: "(*Counter).Add", was: "c.in.n[word]++\n", is: "c.in.n[word]++\n\tif c.in.n[word] == 3 {\n\t\treturn 3\n\t}\n"},
		{name: "wrong merge", in: "(*Counter).Merge", was: "c.in.n[w] += n", is: "c.in.n[w] = n"},
		{name: "wrong field", in: "(*Counter).Add", was: "c.Calls++", is: "if word != \"y\" {\n\t\tc.Calls++\n\t}"},
		{name: "shared", in: "(*Counter).Clone", was: "d.Merge(c)\n", is: "d.Merge(c)\n\td.in = c.in\n"},
	} {
		m := newModule(t, map[string]string{"m.go": countersText, "m_test.go": test}, map[string]string{"m.go": strings.Replace(now, c.was, c.is, 1)})
		m.cfg.Judges = []model.Benchmark{{Pkg: "example.com/m", Name: "BenchmarkAdd"}, {Pkg: "example.com/m", Name: "BenchmarkEach"}, {Pkg: "example.com/m", Name: "BenchmarkMade"}, {Pkg: "example.com/m", Name: "BenchmarkSet"}}
		found, _ := m.run(t)
		d := found[c.in]
		if d.Pairs == 0 || c.ok && d.Pairs < 100 || d.OK() != c.ok || !strings.Contains(strings.Join(d.Uncompared, "\n"), "what else than a sequence of calls (PawlSequence0) may call it with") {
			t.Errorf("%s: %+v", c.name, found)
		}
		if c.ok && (d.Concurrent || d.NoConcurrent != "each sequence of calls makes values of its own") {
			t.Errorf("what is called on values of its own is said to be called at the same time: %v, %q", d.Concurrent, d.NoConcurrent)
		}
		if want := []model.Judged{
			{Benchmark: "BenchmarkAdd", Calls: 1, Inputs: 1},
			{Benchmark: "BenchmarkEach", Calls: 1, Why: "pawl cannot note calls of Counter.Each"},
			{Benchmark: "BenchmarkMade", Calls: 1, Why: "it is called with a value that no exported function has made"},
			{Benchmark: "BenchmarkSet", Calls: 1, Why: "it sets fields of what it calls"},
		}; c.ok && !cmp.Equal(d.Judged, want) {
			t.Error(cmp.Diff(want, d.Judged))
		}
	}
}

// What changes values between the calls that are noted is not in their sequence: what a benchmark does with them was not compared.
// Nor can values of types that changed be handed to both sides, in an interface.
func TestBetweenSteps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	text := `package m

import "io"

type more struct{ extra int }

func (m *more) Bump() { m.extra++ }

type words struct{ n map[string]int }

type Counter struct {
	more
	in    *words
	Calls int
	from  io.Reader
	to    io.Writer
}

func NewCounter(from io.Reader, to io.Writer) *Counter {
	return &Counter{in: &words{map[string]int{}}, from: from, to: to}
}

func (c *Counter) Add(word string) int {
	c.in.n[word]++
	return c.in.n[word] + c.extra + c.Calls
}

func (c *Counter) Reset(from io.Reader) { c.from = from }

func (c *Counter) Read() error {
	var b [1]byte
	_, err := c.from.Read(b[:])
	c.Add(string(b[:]))
	return err
}

func (c *Counter) Write() error {
	_, err := c.to.Write([]byte{byte(len(c.in.n))})
	return err
}

func (c *Counter) Is(what interface{}) bool {
	_, ok := what.(*Counter)
	return ok
}

func (c Counter) Put(word string) { c.in.n[word] += 2 }

func Fill(c *Counter) { c.in.n["y"] = 7 }
`
	test := `package m

import (
	"bytes"
	"testing"
)

func TestIs(t *testing.T) {
	c := NewCounter(nil, nil)
	if !c.Is(c) || c.Is(1) {
		t.Error("wrong")
	}
}
`
	var want []model.Judged
	var judges []model.Benchmark
	const between = "what changes its values in between was not noted"
	for _, c := range []struct{ name, does, why string }{
		{"Bump", "c.Bump()", between},
		{"Copy", "d := NewCounter(nil, nil); d.Add(`y`); *c = *d", between},
		{"Fill", "Fill(c)", between},
		{"More", "buf.WriteString(`xy`); c.Read()", between},
		{"Pointer", "p := &c.Calls; *p = 1", between},
		{"Put", "c.Put(`x`)", between},
		{"Reset", "r.Reset([]byte(`xyz`)); c.Reset(r); c.Read(); c.Read()", ""},
		{"Write", "buf.Reset(); c.Write()", ""},
	} {
		test += "\nfunc Benchmark" + c.name + "(b *testing.B) {\n\tbuf, r := new(bytes.Buffer), bytes.NewReader(nil)\n\tc := NewCounter(buf, buf)\n" +
			"\t_ = r\n\tfor i := 0; i < b.N; i++ {\n\t\tc.Add(`x`)\n\t\t" + c.does + "\n\t\tc.Add(`x`)\n\t}\n}\n"
		judges = append(judges, model.Benchmark{Pkg: "example.com/m", Name: "Benchmark" + c.name})
		j := model.Judged{Benchmark: "Benchmark" + c.name, Calls: 1, Why: c.why}
		if c.why == "" {
			j.Inputs = 1
		}
		want = append(want, j)
	}
	now := strings.NewReplacer("in    *words", "in    words", "in: &words{", "in: words{").Replace(text)
	m := newModule(t, map[string]string{"m.go": text, "m_test.go": test}, map[string]string{"m.go": now})
	m.cfg.Judges = judges
	found, _ := m.run(t)
	d := found["NewCounter"]
	for i := range d.Judged {
		d.Judged[i].Calls = 1
	}
	if !d.OK() || d.Pairs < 100 || !cmp.Equal(d.Judged, want) {
		t.Errorf("%+v\n%s", d, cmp.Diff(want, d.Judged))
	}
}

// Types that changed may be embedded in each other, and others cannot have made their values: all copies compile.
func TestSequencesEmbedded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a binary")
	}
	text := `package m

type inner struct {
	n *int
}

func (b *inner) size() int { return *b.n }

type Box struct {
	inner
	Next *Box
}

func NewBox(n int) *Box { return &Box{inner: inner{n: &n}} }

func (b *Box) Size() int { return b.inner.size() + b.size() }

func (b *Box) Any() interface{} { return b }
`
	now := strings.NewReplacer("n *int", "n int", "*b.n", "b.n", "n: &n", "n: n").Replace(text)
	p := newModule(t, map[string]string{"m.go": text, "m_test.go": "package m\n"}, map[string]string{"m.go": now}).plan(t)
	p.compiles(t, false)
	n := 0
	for _, s := range p.subjects {
		if s.sequence() {
			n++
			if s.skipped != "" || !strings.HasPrefix(s.cand.key, sequencePrefix) {
				t.Errorf("%s: %s", s.cand.key, s.skipped)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d sequences", n)
	}
}

// A pool that an init function sets has values of the candidate's type: the base does not ask it for one.
func TestPoolSetByInit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs a binary")
	}
	text := `package m

import "sync"

type in struct{ n int }

type Box struct{ in *in }

var boxes sync.Pool

func init() { boxes = sync.Pool{New: func() interface{} { return &Box{in: &in{}} }} }

func NewBox() *Box { return boxes.Get().(*Box) }

func (b *Box) Add() int {
	b.in.n++
	return b.in.n
}
`
	now := strings.NewReplacer("in *in }", "in in }", "in: &in{", "in: in{", "b.in.n++\n\treturn b.in.n", "n := b.in.n + 1\n\tb.in.n = n\n\treturn n").Replace(text)
	test := "package m\n\nimport \"testing\"\n\nfunc TestBox(t *testing.T) {\n\tif NewBox().Add() != 1 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n"
	m := newModule(t, map[string]string{"m.go": text, "m_test.go": test}, map[string]string{"m.go": now})
	found, _ := m.run(t)
	if d := found["(*Box).Add"]; !d.OK() || d.Skipped == "" && d.Pairs == 0 {
		t.Errorf("%+v", found)
	}
}
