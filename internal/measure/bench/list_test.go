package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

func TestBenchmarks(t *testing.T) {
	t.Parallel()
	want := []string{
		"BenchmarkN", "BenchmarkNothing", "BenchmarkLoop",
		"BenchmarkSub/size=1", "BenchmarkSub/with_space", "BenchmarkSub/a/b", "BenchmarkSub/x-8",
		"BenchmarkSub/dup", "BenchmarkSub/dup#01", "BenchmarkSub/re(x|y)*[z]",
		"BenchmarkLateReset", "BenchmarkTimedSetup", "BenchmarkStopStart", "BenchmarkAllocs", "BenchmarkParallel",
		"BenchmarkSleep", "BenchmarkPrints", "BenchmarkDirectory", "BenchmarkEnvironment",
		"BenchmarkKeepsNothing", "BenchmarkKeepsBuffer", "BenchmarkKeepsGarbage", "BenchmarkSkipsSub/yes", "BenchmarkNested", "BenchmarkHoldsForAWhile", "BenchmarkGrows", "BenchmarkCollects",
	}
	for _, hooks := range []bool{true, false} {
		f := styles(t, hooks)
		found, failed, err := f.suite.Benchmarks(t.Context(), f.binary(t, "good"), ".", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var names, skipped []string
		for _, bm := range found {
			names = append(names, bm.Name)
		}
		if d := cmp.Diff(want, names); d != "" {
			t.Errorf("hooks %v: %s", hooks, d)
		}
		for _, f := range failed {
			if !f.Skipped {
				t.Errorf("hooks %v: %v", hooks, &f)
			}
			skipped = append(skipped, f.Benchmark.Name+": "+f.Output)
		}
		if len(skipped) != 2 || !strings.HasPrefix(skipped[0], "BenchmarkSkips: ") || !strings.Contains(skipped[0], "not today") ||
			!strings.HasPrefix(skipped[1], "BenchmarkSkipsSub/no: ") || !strings.Contains(skipped[1], "nor this") {
			t.Errorf("hooks %v: skipped: %q", hooks, skipped)
		}
	}
}

func TestBenchmarksPattern(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	for pattern, want := range map[string]string{
		"^BenchmarkN$":         "BenchmarkN",
		"Sub/^a$":              "BenchmarkSub/a/b",
		"Sub/^(size|x)":        "BenchmarkSub/size=1 BenchmarkSub/x-8",
		"^BenchmarkLoop$|Nest": "BenchmarkLoop BenchmarkNested",
		"NoSuch":               "",
		"BenchmarkN$/sub":      "",
	} {
		found, failed, err := f.suite.Benchmarks(t.Context(), f.binary(t, "good"), pattern, time.Minute)
		if err != nil || len(failed) > 0 {
			t.Fatal(pattern, err, failed)
		}
		var names []string
		for _, bm := range found {
			names = append(names, bm.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	if _, _, err := f.suite.Benchmarks(t.Context(), f.binary(t, "good"), "(", time.Minute); err == nil || !strings.Contains(err.Error(), "regexp") {
		t.Errorf("a bad pattern: %v", err)
	}
}

// Benchmarks that fail do not hide the others, whatever way they fail.
func TestBenchmarksFailing(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	b := f.binary(t, "bad")
	found, failed, err := f.suite.Benchmarks(t.Context(), b, ".", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, bm := range found {
		names = append(names, bm.Name)
	}
	wantNames := []string{"BenchmarkPanics/before", "BenchmarkPanics/after", "BenchmarkFine", "BenchmarkAlsoFine", "BenchmarkLater", "BenchmarkHangs"}
	if d := cmp.Diff(wantNames, names); d != "" {
		t.Error(d)
	}
	want := map[string]string{
		"BenchmarkFatal":           "fatal words",
		"BenchmarkPanics/sub":      "panic words",
		"BenchmarkErrors/sub":      "error words",
		"BenchmarkExits":           "unexpected call to os.Exit(0)",
		"BenchmarkExitsThree":      "exit code 3",
		"BenchmarkGoroutinePanics": "in a goroutine",
	}
	for _, f := range failed {
		words, ok := want[f.Benchmark.Name]
		if !ok || !strings.Contains(f.Error(), words) {
			t.Errorf("%s: %v", f.Benchmark.Name, &f)
		}
		delete(want, f.Benchmark.Name)
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
}

func TestBenchmarksOfTestMain(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	_, _, err := f.suite.Benchmarks(t.Context(), f.binary(t, "exit"), ".", time.Minute)
	if err == nil || !strings.Contains(err.Error(), "exit code 4") || !strings.Contains(err.Error(), "no database") {
		t.Errorf("TestMain that exits: %v", err)
	}
	found, failed, err := f.suite.Benchmarks(t.Context(), f.binary(t, "helper"), ".", time.Minute)
	if err != nil || len(failed) > 0 || len(found) != 1 {
		t.Errorf("TestMain with set-up: %v, %v, %v", found, failed, err)
	}
}

// The time is over before any benchmark began; TestBenchmarksEndless has what is over
// within one.
func TestBenchmarksTimeout(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	_, _, err := f.suite.Benchmarks(t.Context(), f.binary(t, "stuck"), ".", 100*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "within") {
		t.Errorf("timeout: %v", err)
	}
}

// A benchmark that does not end costs its own figures, and not those of the
// others; the error names it.
func TestBenchmarksEndless(t *testing.T) {
	t.Parallel()
	sample.Rest(t, "waits for half a minute")
	all := []string{"BenchmarkBefore", "BenchmarkSub/before", "BenchmarkSub/after", "BenchmarkAfter"}
	for hooks, want := range map[bool][]string{true: all, false: {all[0], all[1], all[3]}} { // testing prints no end of a parent
		f := styles(t, hooks)
		found, failed, err := f.suite.Benchmarks(t.Context(), f.binary(t, "endless"), ".", 15*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, bm := range found {
			names = append(names, bm.Name)
		}
		if d := cmp.Diff(want, names); d != "" {
			t.Errorf("hooks %v: %s", hooks, d)
		}
		if len(failed) != 1 || failed[0].Benchmark.Name != "BenchmarkSub/endless" || !strings.Contains(failed[0].Error(), "was running") || !failed[0].Late || failed[0].Last {
			t.Errorf("hooks %v: %+v", hooks, failed)
		}
	}
}
