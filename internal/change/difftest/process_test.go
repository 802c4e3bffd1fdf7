package difftest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// TestWithout has outputs of test binaries that did not come to the driver.
func TestWithout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stdout, stderr string
		code                 int
		from                 []string // what is left out already
		judges               []string
		want                 selection
	}{
		{
			name:   "a failed test and its part",
			stdout: "--- FAIL: TestDial (0.01s)\n    --- FAIL: TestDial/tcp (0.00s)\n        x_test.go:3: no network\nFAIL\n", code: 1,
			want: selection{level: all, out: []string{"TestDial"}},
		},
		{
			name:   "a timeout",
			stderr: "panic: test timed out after 1s\n\trunning tests:\n\t\tTestSlow (1s)\n", code: 2,
			stdout: "panic: test timed out after 1s\n\trunning tests:\n\tTestSlow (1s)\n",
			want:   selection{level: all, out: []string{"TestSlow"}},
		},
		{
			name:   "a fatal error in a benchmark",
			stderr: "fatal error: all goroutines are asleep\n\ngoroutine 7 [running]:\nexample.com/m.BenchmarkAll(0xc0000)\n\t/x/m_test.go:9 +0x1\n", code: 2,
			want: selection{level: all, out: []string{"BenchmarkAll"}},
		},
		{
			name: "a third benchmark that fails", from: []string{"BenchmarkA", "TestA", "BenchmarkB"},
			stdout: "--- FAIL: BenchmarkC\n", code: 1,
			want: selection{level: tests, out: []string{"BenchmarkA", "TestA", "BenchmarkB", "BenchmarkC"}},
		},
		{
			name: "a third benchmark that fails, and another one judges", from: []string{"BenchmarkA", "BenchmarkB"}, judges: []string{"BenchmarkAll"},
			stdout: "--- FAIL: BenchmarkC\n", code: 1,
			want: selection{level: judging, out: []string{"BenchmarkA", "BenchmarkB", "BenchmarkC"}},
		},
		{
			name: "a third benchmark that fails, and it judges", from: []string{"BenchmarkA", "BenchmarkB"}, judges: []string{"BenchmarkC"},
			stdout: "--- FAIL: BenchmarkC\n", code: 1,
			want: selection{level: tests, out: []string{"BenchmarkA", "BenchmarkB", "BenchmarkC"}},
		},
		{
			name:   "too slow in a benchmark's closure",
			stderr: "goroutine 7 [running]:\nexample.com/m_test.BenchmarkSub.func1.2(0xc0000)\n\t/x/m_test.go:9 +0x1\n", code: slow,
			want: selection{level: tests, out: []string{"BenchmarkSub"}},
		},
		{
			name: "a slow test, and one that waits for it",
			stderr: "goroutine 7 [sleep]:\ntime.Sleep(0x1)\nexample.com/m.TestSlow(0xc0000)\n\t/x/m_test.go:9 +0x1\n\n" +
				"goroutine 8 [chan receive]:\ntesting.(*T).Parallel(0xc0001)\nexample.com/m.TestNext(0xc0001)\n", code: 2,
			want: selection{level: all, out: []string{"TestSlow"}},
		},
		{
			name: "too slow in a test, and a benchmark judges", judges: []string{"BenchmarkAll"},
			stderr: "goroutine 7 [running]:\nexample.com/m.TestPow(0xc0000)\n\t/x/m_test.go:9 +0x1\n", code: slow,
			want: selection{level: benchmarks, out: []string{"TestPow"}},
		},
		{
			name: "too slow in the benchmark that judges", judges: []string{"BenchmarkAll"},
			stderr: "goroutine 7 [running]:\nexample.com/m.BenchmarkAll(0xc0000)\n\t/x/m_test.go:9 +0x1\n", code: slow,
			want: selection{level: tests, out: []string{"BenchmarkAll"}},
		},
		{name: "nothing said", code: 1, want: selection{level: tests}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := ended{exit: gocmd.Exit{Code: c.code, Stdout: []byte(c.stdout), Stderr: []byte(c.stderr)}}
			got, more := selection{level: all, out: c.from}.without(e, c.judges)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(selection{})); diff != "" || !more {
				t.Errorf("more %v (-want +got):\n%s", more, diff)
			}
		})
	}
}

// Where a third of the time is gone with tests that do not come to their end, the benchmarks that judge are driven at least.
func TestHurried(t *testing.T) {
	t.Parallel()
	s := selection{level: all, out: []string{"TestSlow"}}
	if got := s.hurried(nil); got.level != all {
		t.Errorf("without a benchmark that judges: %v", got.level)
	}
	got := s.hurried([]string{"BenchmarkAll"})
	args := got.args(time.Second, []string{"BenchmarkAll"})
	if want := []string{"-test.run=^$", "-test.bench=^(BenchmarkAll|" + benchmark + ")$"}; !cmp.Equal(want, args[:2]) {
		t.Errorf("%q, not %q", args[:2], want)
	}
	if _, more := got.without(ended{exit: gocmd.Exit{Code: slow}}, []string{"BenchmarkAll"}); more {
		t.Error("nothing less is left")
	}
}

// TestWithoutEnds: a binary that never drives is given up.
func TestWithoutEnds(t *testing.T) {
	t.Parallel()
	s, more := selection{level: all}, true
	for range 20 {
		if s, more = s.without(ended{exit: gocmd.Exit{Code: 1}}, []string{"BenchmarkAll"}); !more {
			return
		}
	}
	t.Errorf("still %+v", s)
}

const said = `{"start":{"id":0,"func":"m.F","phase":"recorded","input":3}}
{"func":{"id":0,"func":"m.F","inputs":5,"pairs":1000,"calls":70,"differences":[{"kind":"result","where":"result 0","times":2}]}}
{"states":[{"func":"m.F","name":"pool","retained":100,"instances":1}]}
not json
{"start":{"id":1,"func":"m.G","phase":"sequence","input":9}}
{"fun`

func TestRecords(t *testing.T) {
	t.Parallel()
	e := ended{records: parse([]byte(said)), exit: gocmd.Exit{Code: 2, Stderr: []byte("fatal error: stack overflow\nmore\n")}}
	if !e.began() || e.complete() {
		t.Errorf("began %v, complete %v", e.began(), e.complete())
	}
	if at := e.last(); at == nil || at.ID != 1 || at.String() != "sequence, input 9" {
		t.Errorf("last: %v", at)
	}
	if got := e.done(); !slices.Equal(got, []int{0}) {
		t.Errorf("done: %v", got)
	}
	if got := e.cause(1 << 30); got != "fatal error: stack overflow" {
		t.Errorf("cause: %q", got)
	}
	e.exit.Stderr = []byte("fatal error: runtime: out of memory\n\nruntime stack:\n")
	if got := e.cause(1 << 30); got != "it needs more than 1024 MiB" {
		t.Errorf("cause: %q", got)
	}
}

// TestMerge: the binary that drove more is believed, and no difference is
// lost.
func TestMerge(t *testing.T) {
	t.Parallel()
	d := &driven{}
	one := model.Difference{Kind: model.DiffResult, Where: "result 0", Times: 2}
	two := model.Difference{Kind: model.DiffError, Where: "result 1", Times: 1}
	d.takePairs(model.Driven{Func: "F", Inputs: 3, Pairs: 10, Calls: 5, Differences: []model.Difference{one}})
	d.takePairs(model.Driven{Func: "F", Inputs: 9, Pairs: 1000, Calls: 7, Differences: []model.Difference{one, two}})
	d.takePairs(model.Driven{Func: "F", Skipped: "not called"})
	if d.Pairs != 1000 || d.Inputs != 9 || d.Calls != 12 || len(d.Differences) != 2 || d.Differences[0].Times != 4 || d.Skipped != "" {
		t.Errorf("%+v", d.Driven)
	}
	d.takeBase(0, "", "a method without a receiver that was recorded")
	if d.baseConcurrent || d.NoConcurrent == "" {
		t.Errorf("%+v", d)
	}
	d.takeBase(8, "", "")
	d.takeCandidate(8, "1 data race", "", "F(1)")
	if !d.Concurrent || d.NoConcurrent != "" || d.OK() || d.Differences[2].Kind != model.DiffConcurrent {
		t.Errorf("%+v", d)
	}
}

// TestLateIsNoRace: a candidate that had no time for calls at the same time differs in nothing.
func TestLateIsNoRace(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{true, false} {
		r := &runner{Plan: &Plan{subjects: make([]*subject, 1)}, found: map[int]*driven{0: {baseConcurrent: true}}}
		r.died(&session{job: job{mode: modeCandidate}}, spot{}, ended{late: late})
		if d := r.found[0]; d.OK() != late || late == (d.NoConcurrent == "") {
			t.Errorf("late %v: %+v", late, d)
		}
	}
}

// TestUnseen: a reason that is not known is not given.
func TestUnseen(t *testing.T) {
	t.Parallel()
	tests := []gocmd.Package{{ImportPath: "m"}, {ImportPath: "m/n"}}
	all := map[string]bool{"m": true, "m/n": true}
	not := &driven{Driven: model.Driven{Skipped: notCalled}}
	for _, tt := range []struct {
		name        string
		d           *driven
		ended, late map[string]bool
		said        []string
		want        string
	}{
		{"all ran", not, all, nil, nil, notCalled},
		{"no time", nil, nil, all, []string{"the time did not suffice to drive it in m"}, "the time did not suffice to drive it in m"},
		{"tests were left out", not, all, map[string]bool{"m/n": true}, nil, "the time did not suffice for all"},
		{"one does not build", not, map[string]bool{"m": true}, nil, []string{"the tests of m/n do not build"}, "that ran calls it, and the tests of m/n do not build"},
		{"not copied", &driven{Driven: model.Driven{Skipped: "no input could be copied: x"}}, all, all, nil, "no input could be copied: x"},
	} {
		r := &runner{Plan: &Plan{cfg: Config{Tests: tests}}, ended: tt.ended, late: tt.late, said: tt.said}
		if got := r.unseen(tt.d); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(said))
	f.Add([]byte(strings.Repeat("{", 100)))
	f.Add([]byte(`{"start":null,"concurrent":{"id":-7},"end":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := ended{records: parse(data)}
		e.last()
		e.complete()
		for _, id := range e.done() {
			if id < 0 {
				t.Errorf("function %d", id)
			}
		}
	})
}
