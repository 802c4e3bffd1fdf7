package pawldrive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestMemoIsSeenInFresh(t *testing.T) {
	clear(global)
	slow := func(s string) string {
		out := ""
		for i := range 50 {
			out += fmt.Sprint(i, s)
		}
		return out
	}
	p := pairing{f: Func{Params: []string{"s"}, Results: 1, States: []State{{Name: "global", Kind: "package variable", Var: &global}}},
		calls: [][]any{{"some text that is long enough"}, {"another text of letters"}},
		base:  fn1(slow),
		cand: fn1(func(s string) string {
			if v, ok := global[s]; ok {
				return v
			}
			global[s] = slow(s)
			return global[s]
		})}
	d, states := last(t, p.drive(t))
	f := d.Fresh
	if f == nil || f.Inputs < 200 || f.CandAllocs < f.BaseAllocs*0.8 || f.RepeatCandAllocs > f.RepeatBaseAllocs/2 {
		t.Errorf("fresh %+v", f)
	}
	if len(states) != 1 || !states[0].Grows || states[0].Retained < 1<<10 || states[0].Instances != 1 {
		t.Errorf("states %+v", states)
	}
}

// Most inputs that are made up fail early, and cost more than those that do not: they say
// nothing of what the others save.
func TestSavedOnInputsThatPass(t *testing.T) {
	parse := func(number func(int) string) arm {
		return fn1(func(s string) string {
			if len(s)%3 > 0 {
				return fmt.Sprintf("%q of %v bytes, %v, is no text", s, len(s), []byte(s))
			}
			return number(1000 + len(s))
		})
	}
	p := pairing{f: onText, calls: texts,
		base: parse(func(n int) string { return fmt.Sprint(n) + fmt.Sprint() }),
		cand: parse(strconv.Itoa)}
	d, _ := last(t, p.drive(t))
	f := d.Fresh
	const most = 0.75 // of the one that is saved: the runtime allocates, too; with those that fail it would be a third
	if f == nil || f.RepeatBaseAllocs-f.RepeatCandAllocs < most || f.BaseAllocs-f.CandAllocs < most {
		t.Errorf("fresh %+v", f)
	}
}

// What panics between taking from a pool and putting back leaves it empty for the next input,
// which says nothing of answers that are remembered.
func TestPoolsThatPanicsEmpty(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([1 << 10]byte) }}
	var sink *[1 << 10]byte
	sum := func(s string, buf *[1 << 10]byte) (n int) {
		if len(s)%2 > 0 {
			panic("odd")
		}
		for _, c := range buf[:copy(buf[:], s)] {
			n += int(c)
		}
		return n
	}
	p := pairing{f: onText, calls: texts,
		base: fn1(func(s string) int {
			sink = new([1 << 10]byte)
			return sum(s, sink)
		}),
		cand: fn1(func(s string) int {
			buf := pool.Get().(*[1 << 10]byte)
			n := sum(s, buf)
			pool.Put(buf)
			return n
		})}
	d, _ := last(t, p.drive(t))
	f := d.Fresh
	const most = 0.75 // see above
	if f == nil || f.RepeatBaseAllocs-f.RepeatCandAllocs < most || f.BaseAllocs-f.CandAllocs < most {
		t.Errorf("fresh %+v", f)
	}
}

func TestShortInputsCanBeVaried(t *testing.T) {
	f := fn1(func(s string) int { return len(s) })
	d, _ := last(t, pairing{f: onText, calls: [][]any{{"hello"}, {"x 1 2 3"}}, base: f, cand: f}.drive(t))
	if d.Fresh == nil || d.Fresh.Inputs < 200 || len(d.Uncompared) > 0 {
		t.Errorf("%+v, fresh %+v", d, d.Fresh)
	}
}

func TestFieldState(t *testing.T) {
	p := fine["scratch kept"]
	p.f.States = []State{{Name: "framer.scratch", Kind: "field", Field: "scratch"}}
	p.calls = methodCalls("one long text", "two longer texts", "three texts")
	_, states := last(t, p.drive(t))
	if len(states) != 1 || states[0].Grows || states[0].Retained <= 24 || states[0].Instances != 3 {
		t.Errorf("states %+v", states)
	}
}

func TestHang(t *testing.T) {
	p := pairing{f: onText, calls: texts[:2],
		base: fn1(func(s string) int { return len(s) }),
		cand: fn1(func(s string) int {
			if len(s) == 1 {
				select {}
			}
			return len(s)
		})}
	list := p.drive(t)
	d, _ := last(t, list)
	if !slices.Contains(kinds(d), diffHang) {
		t.Errorf("found %+v", d.Differences)
	}
	if end := list[len(list)-1].End; end == nil || end.Reason != "hang" {
		t.Errorf("end %+v", end)
	}
}

func TestBaseHangs(t *testing.T) {
	p := pairing{f: onText, calls: [][]any{{"x"}},
		base: fn1(func(s string) int { select {} }), cand: fn1(func(s string) int { select {} })}
	d, _ := last(t, p.drive(t))
	if len(d.Differences) != 0 || len(d.Uncompared) == 0 {
		t.Errorf("%+v", d)
	}
}

type counter struct {
	mu sync.Mutex
	m  map[string]int
}

func TestConcurrent(t *testing.T) {
	locked := fn2(func(c *counter, s string) int {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.m[s] = len(s)
		return c.m[s]
	})
	calls := [][]any{}
	for _, s := range []string{"a", "bb", "ccc", "dddd"} {
		calls = append(calls, []any{&counter{m: map[string]int{}}, s})
	}
	shared := fn2(func(c *counter, s string) int { // the lock is let go too early
		c.mu.Lock()
		c.m["len"] = len(s)
		c.mu.Unlock()
		time.Sleep(time.Microsecond)
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.m["len"]
	})
	p := pairing{f: Func{Params: []string{"c", "s"}, Results: 1, Receiver: true}, calls: calls, base: locked, cand: shared}
	get := func(mode string) *concurrent {
		for _, r := range p.mode(t, mode) {
			if r.Concurrent != nil {
				return r.Concurrent
			}
		}
		t.Fatal("no record")
		return nil
	}
	if b := get(modeConcurrentB); b.Calls < 100 || b.Detail != "" || b.Reason != "" {
		t.Errorf("base %+v", b)
	}
	if c := get(modeConcurrentC); c.Detail == "" {
		t.Errorf("candidate %+v", c)
	}
}

// Where the base panics, it has shown nothing of calls at the same time: a map that is made when something is stored in it
// is compared by calls one after the other.
func TestConcurrentWhereTheBasePanics(t *testing.T) {
	add := fn2(func(c *counter, s string) int { c.m[s]++; return c.m[s] })
	late := fn2(func(c *counter, s string) int {
		if c.m == nil {
			c.m = map[string]int{}
		}
		time.Sleep(time.Microsecond)
		c.m[s]++
		return c.m[s]
	})
	p := pairing{f: Func{Params: []string{"c", "s"}, Results: 1, Receiver: true}, calls: [][]any{{&counter{}, "a"}, {&counter{}, "b"}}, base: add, cand: late}
	for _, r := range p.mode(t, modeConcurrentC) {
		if c := r.Concurrent; c != nil && (c.Calls > 0 || c.Detail != "" || c.Reason == "") {
			t.Errorf("candidate %+v", c)
		}
	}
}

func TestHeldMutex(t *testing.T) {
	calls := [][]any{}
	for i := range 20 {
		c := &counter{m: map[string]int{"a": i}}
		c.mu.Lock()
		calls = append(calls, []any{c, "a"})
	}
	get := fn2(func(c *counter, s string) int { c.mu.Unlock(); c.mu.Lock(); return c.m[s] })
	p := pairing{f: Func{Params: []string{"c", "s"}, Results: 1, Receiver: true}, calls: calls, base: get, cand: get}
	d, _ := last(t, p.drive(t))
	if len(d.Differences) > 0 || d.Pairs < 300 || d.Inputs == 0 {
		t.Errorf("%+v", d)
	}
}

func TestNoArguments(t *testing.T) {
	f := func([]any) []any { return []any{&counter{m: map[string]int{}}} }
	d, _ := last(t, pairing{f: Func{Results: 1}, calls: [][]any{{}, {}}, base: f, cand: f}.drive(t))
	if d.Skipped != "" || len(d.Differences) > 0 || d.Pairs < 300 || slices.ContainsFunc(d.Uncompared, func(s string) bool { return strings.Contains(s, "failed") }) {
		t.Errorf("%+v", d)
	}
}

func TestUnrecorded(t *testing.T) {
	nothing := fn1(func(any) any { return nil })
	for want, calls := range map[string][][]any{
		"no test and no benchmark calls it":                nil,
		"no input could be copied: larger than 65536 KiB":  {{make([]byte, maxLarge+1)}}, // what is smaller is kept once
		"no input could be copied: holds a live testing.T": {{t}},
		"no input could be copied: holds an open file":     {{openNull(t)}},
	} {
		d, _ := last(t, pairing{f: onText, calls: calls, base: nothing, cand: nothing}.drive(t))
		if d.Skipped != want {
			t.Errorf("%q, want %q", d.Skipped, want)
		}
	}
}

// What is written to a file that any writer could be is compared, and what is read from one is read by both.
func TestFileForStream(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(name, []byte("some text"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	say := func(text string) arm { return fn1(func(w io.Writer) int { n, _ := io.WriteString(w, text); return n }) }
	writes := Func{Params: []string{"w"}, Results: 1, Writers: []int{0}}
	d, _ := last(t, pairing{f: writes, calls: [][]any{{file}}, base: say("a"), cand: say("b")}.drive(t))
	if len(d.Differences) == 0 {
		t.Errorf("another text in a file: %+v", d)
	}
	read := fn1(func(r io.Reader) string { b, _ := io.ReadAll(r); return string(b) })
	length := fn1(func(r io.Reader) string { b, _ := io.ReadAll(r); return string(b[:min(len(b), 3)]) })
	reads := Func{Params: []string{"r"}, Results: 1, Readers: []int{0}}
	d, _ = last(t, pairing{f: reads, calls: [][]any{{file}}, base: read, cand: length}.drive(t))
	if len(d.Differences) == 0 || !strings.Contains(fmt.Sprint(d.Differences), "text") {
		t.Errorf("less of a file: %+v", d)
	}
	if at, err := file.Seek(0, io.SeekCurrent); at != 5 || err != nil {
		t.Errorf("the file was moved to %d, %v", at, err)
	}
}

func openNull(t *testing.T) *os.File {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestEnterUnderLoad records from many goroutines, with values that change
// meanwhile: nothing may panic or wait.
func TestEnterUnderLoad(t *testing.T) {
	h := &hub{}
	h.register(Func{ID: 1, Name: "m.F", Receiver: true}, true)
	c := &counter{m: map[string]int{}}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; ctx.Err() == nil; i++ {
				c.mu.Lock()
				c.m[fmt.Sprint(i%100)] = i
				c.mu.Unlock()
				h.enter(h.all()[1], []any{c, strings.Repeat("x", i%50)}, nil, nil)
			}
		}()
	}
	wg.Wait()
	f := h.all()[1]
	if len(f.inputs) == 0 || len(f.inputs) > maxInputs || f.calls.Load() == 0 {
		t.Errorf("%d inputs of %d calls, dropped %v", len(f.inputs), f.calls.Load(), f.dropped)
	}
	if !c.mu.TryLock() {
		t.Error("the mutex is left held")
	}
}

func TestRecordingPrefersNewShapes(t *testing.T) {
	h := &hub{}
	h.register(Func{ID: 1, Name: "m.F"}, true)
	f := h.all()[1]
	for range 5000 {
		h.enter(f, []any{"same"}, nil, nil)
	}
	h.enter(f, []any{""}, nil, nil)
	h.enter(f, []any{strings.Repeat("z", 1000)}, nil, nil)
	if n := len(f.inputs); n < 20 || n > 40 {
		t.Errorf("%d inputs", n)
	}
	if last := f.inputs[len(f.inputs)-1].args[0].(string); len(last) != 1000 {
		t.Errorf("a new shape was not recorded, but %q", last)
	}
}

// TestRecordsAreTheModels decodes what is written into the model's values.
func TestRecordsAreTheModels(t *testing.T) {
	p := wrong["lost wrap"]
	d, _ := last(t, p.drive(t))
	raw, err := json.Marshal(struct {
		*driven
		ID *int `json:"id,omitempty"` // the model has none
	}{driven: d})
	if err != nil {
		t.Fatal(err)
	}
	strict := func(raw []byte, into any) {
		t.Helper()
		dec := json.NewDecoder(strings.NewReader(string(raw)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(into); err != nil {
			t.Error(err)
		}
	}
	var m model.Driven
	strict(raw, &m)
	if m.Pairs != d.Pairs || len(m.Differences) != len(d.Differences) || m.Fresh == nil || !cmp.Equal(*m.Fresh, model.Fresh(*d.Fresh)) {
		t.Errorf("%+v, want %+v", m, d)
	}
	raw, _ = json.Marshal(stateRecord{Name: "x", Grows: true, Detail: "y"})
	var s struct {
		model.State
		Func string `json:"func"`
	}
	strict(raw, &s)
	for k, want := range map[string]model.DifferenceKind{
		diffResult: model.DiffResult, diffError: model.DiffError, diffPanic: model.DiffPanic, diffArgument: model.DiffArgument,
		diffAliasing: model.DiffAliasing, diffLeak: model.DiffLeak, diffCalls: model.DiffCalls, diffHang: model.DiffHang,
		diffGoroutines: model.DiffGoroutines, diffDescriptors: model.DiffDescriptors, diffHeap: model.DiffHeap,
	} {
		if k != string(want) {
			t.Errorf("%q is %q in the model", k, want)
		}
	}
}

// TestSameSeedSameInputs holds the generated inputs to the seed.
func TestSameSeedSameInputs(t *testing.T) {
	inputs := func(seed uint64) (out []string) {
		h := &hub{}
		h.register(Func{ID: 1, Name: "m.F"}, true)
		for _, c := range [][]any{{[]byte("hello"), 3, map[string]int{"a": 1, "b": 2}, []string{"x", "y"}}, {[]byte(""), -1, map[string]int{}, []string(nil)}} {
			h.enter(h.all()[1], c, nil, nil)
		}
		m := newMutator(h.all()[1], seed)
		for range 200 {
			if in := m.generate(); in != nil {
				out = append(out, in.describe())
			}
		}
		return out
	}
	a, b, c := inputs(1), inputs(1), inputs(2)
	if d := cmp.Diff(a, b); d != "" || len(a) < 150 {
		t.Errorf("%d inputs; %s", len(a), d)
	}
	if slices.Equal(a, c) {
		t.Error("another seed makes the same inputs")
	}
}

func TestEnvironment(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x")
	for k, v := range map[string]string{envOut: out, envPairs: "12", envSeconds: "0.5", envSkip: "3, 4", envSeed: "9", envMode: modePairs, envDone: "5", envAvoid: "1 generated 7\n2 leaks", envMemory: "1024"} {
		t.Setenv(k, v)
	}
	want := options{out: out, pairs: 12, seconds: 0.5, skip: map[int]bool{3: true, 4: true}, done: map[int]bool{5: true}, memory: 1024,
		avoid: map[string]bool{"1 generated 7": true, "2 leaks": true}, beside: map[int]bool{}, seed: 9, mode: modePairs}
	if d := cmp.Diff(want, fromEnvironment(), cmp.AllowUnexported(options{})); d != "" {
		t.Error(d)
	}
}

// Where the time ends early, calls at the same time are known of callers, which were registered last.
func TestCallersGoFirst(t *testing.T) {
	h := &hub{}
	same := func([]any) []any { return []any{1} }
	for id := range 3 {
		h.register(Func{ID: id, Name: "m.F", Results: 1, Params: []string{"x"}}, true)
	}
	for id := range 3 {
		h.enter(h.all()[id], []any{1}, same, same)
	}
	w, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	h.drive(options{seconds: 3, mode: modeConcurrentB}, &output{w})
	w.Close()
	var order []int
	for _, r := range readRecords(t, w.Name()) {
		if r.Concurrent != nil {
			order = append(order, r.Concurrent.ID)
		}
	}
	if !slices.Equal(order, []int{2, 1, 0}) {
		t.Error(order)
	}
}

// Of the pairs in which the base gets to a function it is known how many there are, and whether each changes the receiver.
func TestReached(t *testing.T) {
	type counter struct{ N, Odd int }
	add := func(got func()) func([]any) []any {
		return func(args []any) []any {
			c, by := args[0].(*counter), args[1].(int)
			if got(); by%2 == 1 {
				Reached(0, 1)
				c.Odd++
			}
			Reached(0, 0)
			c.N += by
			return []any{c.N}
		}
	}
	h := &recorder // Reached speaks of the process
	h.register(Func{ID: 0, Name: "m.F", Results: 1, Receiver: true, Params: []string{"c", "by"}}, true)
	for by := range 4 {
		h.enter(h.all()[0], []any{&counter{}, by}, add(func() {}), add(func() {}))
	}
	w, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	h.drive(options{seconds: 5, pairs: 200, mode: modePairs, seed: 1}, &output{w})
	w.Close()
	for _, r := range readRecords(t, w.Name()) {
		if r.Func == nil || r.Func.Pairs == 0 {
			continue
		}
		if got := r.Func.Reached; got[0] != r.Func.Pairs || got[1] == 0 || got[1] >= got[0] || got[2] != 0 {
			t.Errorf("%d pairs, of these %v", r.Func.Pairs, got[:3])
		}
		if got := r.Func.Writes; got[0] || !got[1] || got[2] { // adding 0 changes nothing
			t.Error(got[:3])
		}
	}
}
