package observe

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const (
	usualLine  = "gc 18 @3.046s 3%: 0.026+3.1+0.005 ms clock, 0.053+0.5/2.9/5.3+0.010 ms cpu, 7->8->4 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P"
	forcedLine = "gc 2 @0.007s 12%: 0.10+0.46+0.012 ms clock, 0.20+0/0.44/0+0.025 ms cpu, 0->0->0 MB, 4 MB goal, 1 MB stacks, 1 MB globals, 8 P (forced)"
	leakLine   = "gc 3 @1.2s 1% (checking for goroutine leaks): 1+2+3 ms clock, 4+5/6/7+8 ms cpu, 9->10->11 MB, 12 MB goal, 0 MB stacks, 0 MB globals, 4 P (forced)"
	olderLine  = "gc 3 @1.234s 1%: 1+2+3 ms clock, 4+5/6/7+8 ms cpu, 9->10->11 MB, 12 MB goal, 4 P"
)

func TestParseCycle(t *testing.T) {
	got, ok := parseCycle(usualLine)
	want := cycle{n: 18, at: 3.046, percent: 3, stop1: 0.026, mark: 3.1, stop2: 0.005, cpu1: 0.053, assist: 0.5, worker: 2.9, idle: 5.3, cpu2: 0.010,
		before: 7, after: 8, live: 4, goal: 8, procs: 2}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cycle{})); !ok || diff != "" {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
	for _, line := range []string{forcedLine, leakLine, olderLine} {
		if c, ok := parseCycle(line); !ok || c.procs == 0 || c.forced != strings.HasSuffix(line, "(forced)") {
			t.Errorf("%q: %v %+v", line, ok, c)
		}
	}
	for _, line := range []string{"", "gc", "gc 1", "gc 1 @1s 1%", usualLine + " ", usualLine[:len(usualLine)-1], "x" + usualLine, strings.Replace(usualLine, "3.1", "3.1.1", 1)} {
		if c, ok := parseCycle(line); ok {
			t.Errorf("%q was read as %+v", line, c)
		}
	}
}

// What is no line of gctrace comes through as it is, however the writes are cut.
func TestFilter(t *testing.T) {
	in := "hello\n" + usualLine + "\ngc is fun\ngc 12 monkeys\n" + forcedLine + "\nname? "
	want := "hello\ngc is fun\ngc 12 monkeys\nname? "
	for _, step := range []int{1, 2, 7, 50, len(in)} {
		var out bytes.Buffer
		f := &gcFilter{to: &out}
		for rest := in; rest != ""; rest = rest[min(step, len(rest)):] {
			if n, err := f.Write([]byte(rest[:min(step, len(rest))])); err != nil || n != min(step, len(rest)) {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		if out.String() != want { // the prompt is there before the end
			t.Errorf("in steps of %d: %q", step, out.String())
		}
		if f.sum.Cycles != 2 || f.sum.Forced != 1 || f.sum.Programs != 2 || f.sum.GoalBytes != 8<<20 || f.sum.Processors != 8 {
			t.Errorf("in steps of %d: %+v", step, f.sum)
		}
	}
}

// A prompt that may be the beginning of such a line is held back, and not lost;
// a line that a kill has cut short is.
func TestFilterEnd(t *testing.T) {
	for _, tt := range []struct {
		parts []string
		want  string
	}{
		{[]string{"g", "c ", "1 @", "3"}, "gc 1 @3"},
		{[]string{"gc 798 @2.8", "82s 4"}, ""},
	} {
		var out bytes.Buffer
		f := &gcFilter{to: &out}
		for _, s := range tt.parts {
			if _, err := f.Write([]byte(s)); err != nil {
				t.Fatal(err)
			}
		}
		if out.Len() > 0 {
			t.Errorf("%q was passed on too early", out.String())
		}
		if err := f.end(); err != nil || out.String() != tt.want {
			t.Errorf("%q, %v, want %q", out.String(), err, tt.want)
		}
	}
}

// Whatever is written: only whole lines are taken out, and nothing is held for
// long.
func FuzzFilter(f *testing.F) {
	for _, s := range []string{usualLine + "\n", forcedLine + "\nx", "gc \n", "gc 1 @" + strings.Repeat("9", 500), "a\x00\ngc 1"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, in string, step int) {
		step = 1 + max(step, 0)%64
		var out bytes.Buffer
		g := &gcFilter{to: &out}
		for rest := in; rest != ""; rest = rest[min(step, len(rest)):] {
			if n, err := g.Write([]byte(rest[:min(step, len(rest))])); err != nil || n != min(step, len(rest)) {
				t.Fatalf("wrote %d, %v", n, err)
			}
			if len(g.held) > longestLine {
				t.Fatalf("%d bytes are held", len(g.held))
			}
		}
		if err := g.flush(); err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		cycles := int64(0)
		for line := range strings.Lines(in) {
			if _, ok := parseCycle(strings.TrimSuffix(line, "\n")); ok && strings.HasSuffix(line, "\n") {
				cycles++
				continue
			}
			want.WriteString(line)
		}
		if out.String() != want.String() || g.sum.Cycles != cycles {
			t.Errorf("%q came through as %q, %d cycles of %d", in, out.String(), g.sum.Cycles, cycles)
		}
	})
}

func TestResults(t *testing.T) {
	out := "goos: linux\npkg: x\nBenchmarkA/b-8   \t    1000\t      1500 ns/op\t  16 B/op\nBenchmarkPrints-8 hello\n 10\t 5 ns/op\nBenchmarkC \t 2\t 1.5e+09 ns/op\nPASS\n"
	want := []model.RanBenchmark{{Name: "BenchmarkA/b-8", N: 1000, Seconds: 0.0015}, {Name: "BenchmarkC", N: 2, Seconds: 3}}
	if diff := cmp.Diff(want, results(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Which benchmarks a process failed for is read of what testing printed until
// then.
func TestCulprits(t *testing.T) {
	for name, tt := range map[string]struct {
		out, stderr string
		began       []string
		want        []failure
		over        bool
		limit       time.Duration
	}{
		"late": {out: "BenchmarkA\nBenchmarkA-8 \t 10\t 5 ns/op\nBenchmarkB\n", began: []string{"BenchmarkA", "BenchmarkB"}, limit: time.Minute,
			want: []failure{{"BenchmarkB", "it had not ended when the 1m0s for all of the package were over"}}},
		"fatal": {out: "BenchmarkA-8 \t--- FAIL: BenchmarkA-8\n    a_test.go:5: no\nBenchmarkB-8 \t 10\t 5 ns/op\nFAIL\n", began: []string{"BenchmarkA"},
			want: []failure{{"BenchmarkA", "a_test.go:5: no"}}, over: true},
		"named so": {out: "BenchmarkA/x-8\n--- FAIL: BenchmarkA/x-8\n--- FAIL: BenchmarkA\nFAIL\n", began: []string{"BenchmarkA", "BenchmarkA/x-8"},
			want: []failure{{"BenchmarkA/x-8", ""}}, over: true},
		"verbose": {out: "BenchmarkA\n    a_test.go:5: no\n--- FAIL: BenchmarkA\nBenchmarkB\nBenchmarkB-8 \t 10\t 5 ns/op\nFAIL\n", began: []string{"BenchmarkA"},
			want: []failure{{"BenchmarkA", "a_test.go:5: no"}}, over: true},
		"panic": {out: "BenchmarkA\nBenchmarkA-8 \t 10\t 5 ns/op\nBenchmarkB\n", stderr: "panic: oh\n\ngoroutine 1\n", began: []string{"BenchmarkA", "BenchmarkB"},
			want: []failure{{"BenchmarkB", "panic: oh"}}},
		"the next began meanwhile": {out: "BenchmarkA\nBenchmarkA-8 \t 1\t 5 ns/op\nBenchmarkB\n", stderr: "panic: oh\n\ngoroutine 7 [running]:\nx/m.BenchmarkA(0x1)\n\t/m_test.go:3 +0x1\ntesting.(*B).runN(0x1)\n\ngoroutine 1 [runnable]:\nx/m.BenchmarkB(0x1)\n",
			began: []string{"BenchmarkA", "BenchmarkB"}, want: []failure{{"BenchmarkA", "panic: oh"}}},
		"the last, and all ended meanwhile": {out: "BenchmarkA/x-8\nPASS\n", stderr: "panic: oh\n\ngoroutine 7 [running]:\nx/m.work()\ncreated by x/m.BenchmarkA.func1 in goroutine 6\n",
			began: []string{"BenchmarkA/x"}, want: []failure{{"BenchmarkA/x", "panic: oh"}}},
		"of no benchmark": {out: "BenchmarkA\n", stderr: "panic: oh\n\ngoroutine 7 [running]:\nx/m.work()\n", began: []string{"BenchmarkA"}, want: []failure{{"BenchmarkA", "panic: oh"}}},
		"later":           {out: "BenchmarkA-8 \t 10\t 5 ns/op\nBenchmarkB-8 \tbye\n", want: []failure{{"BenchmarkB", "its process ended with exit code 1"}}},
		"behind them":     {out: "BenchmarkA-8 \t 10\t 5 ns/op\n"},
		"TestMain":        {out: "BenchmarkA-8 \t 10\t 5 ns/op\nPASS\n", stderr: "found goroutines\n", over: true},
		"before them":     {out: "", stderr: "panic: no database\n"},
	} {
		got, over := culprits(&failedRun{exit: gocmd.Exit{Code: 1, Stdout: []byte(tt.out), Stderr: []byte(tt.stderr)}, limit: tt.limit}, tt.began)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(failure{})); diff != "" || over != tt.over {
			t.Errorf("%s: over %v (-want +got):\n%s", name, over, diff)
		}
	}
}

// The pattern leaves out the failed benchmarks and no others.
func TestSkip(t *testing.T) {
	b := testBinary{failed: []failure{{name: "BenchmarkA"}, {name: "BenchmarkB/x.y/n=1"}}}
	if got, want := b.skip(), `^BenchmarkA$|^BenchmarkB$/^x\.y$/^n=1$`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// Where all want the same file that is not there, some are named.
func TestLeftOut(t *testing.T) {
	b := testBinary{failed: make([]failure, 30)}
	ws := b.leftOut()
	if len(ws) != mostNamed+1 || !strings.HasPrefix(ws[mostNamed].Seen, "22 more of ") {
		t.Errorf("%+v", ws)
	}
}

// Whatever a benchmark prints, what is read of it can be written as JSON.
func FuzzResults(f *testing.F) {
	f.Add("BenchmarkA/b-8   \t    1000\t      1500 ns/op\nBenchmarkB 9999999999999999999 1 ns/op\nBenchmarkC 999 9e307 ns/op\n")
	f.Fuzz(func(t *testing.T, out string) {
		for _, r := range results(out) {
			if !strings.HasPrefix(r.Name, "Benchmark") || r.N < 0 || r.Seconds < 0 {
				t.Errorf("%q: %+v", out, r)
			}
		}
		if _, err := json.Marshal(results(out)); err != nil {
			t.Errorf("%q: %v", out, err)
		}
	})
}

// What testing does between the rounds is none of the benchmark's cost; what a
// benchmark does is, whatever calls it.
func TestOfTesting(t *testing.T) {
	for _, tt := range []struct {
		stack string // innermost first
		want  bool
	}{
		{"runtime.gcStart runtime.GC testing.(*B).runN testing.(*B).launch runtime.goexit", true},
		{"runtime.ReadMemStats testing.(*B).StopTimer example.com/m.BenchmarkX testing.(*B).runN", true},
		{"internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock testing.(*common).flushPartial testing.(*B).launch", true},
		{"runtime.chanrecv1 runtime/pprof.StopCPUProfile testing.(*M).writeProfiles testing.(*M).after testing.(*M).Run main.main runtime.main", true},
		{"runtime.chanrecv1 runtime/pprof.StopCPUProfile example.com/m.BenchmarkX testing.(*B).runN", false},
		{"runtime.GC example.com/m.BenchmarkX testing.(*B).runN testing.(*B).launch", false},
		{"runtime.mallocgc strings.ToUpper example.com/m.BenchmarkX testing.(*B).runN", false},
		{"runtime.gcBgMarkWorker runtime.goexit", false},
		{"", false},
	} {
		s := &profile.Sample{}
		for name := range strings.FieldsSeq(tt.stack) {
			s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
		}
		if got := ofTesting(s); got != tt.want {
			t.Errorf("%s: %v", tt.stack, got)
		}
	}
}

func TestWithGCTrace(t *testing.T) {
	for _, tt := range []struct{ in, want string }{{"A=1", "gctrace=1"}, {"GODEBUG=", "gctrace=1"}, {"GODEBUG=netdns=go", "netdns=go,gctrace=1"}} {
		env := withGCTrace([]string{tt.in})
		if got := env[len(env)-1]; got != "GODEBUG="+tt.want {
			t.Errorf("%s: %s", tt.in, got)
		}
	}
}

// A program that ends before its time has no trace, and is told of it.
func TestNoTrace(t *testing.T) {
	for name, tt := range map[string]struct {
		seconds     float64
		interrupted bool
		want        string
	}{"ended": {6, false, "-seconds 4"}, "at once": {1, false, ""}, "interrupted": {6, true, ""}} {
		out := t.TempDir()
		for _, mark := range []string{"begun", "done"} {
			if err := os.WriteFile(filepath.Join(out, mark), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := &Result{Observed: model.Observed{Seconds: tt.seconds, Interrupted: tt.interrupted}}
		if err := r.collect(t.TempDir(), out); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range r.Warnings {
			if w.Seen == "there is no execution trace" {
				got = w.Try
			}
		}
		if got != tt.want {
			t.Errorf("%s: try %q, want %q", name, got, tt.want)
		}
	}
}
