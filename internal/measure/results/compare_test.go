package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const header = "goos: linux\ngoarch: amd64\npkg: example.com/wire\ncpu: AMD EPYC 9B14\n"

// Wall times of one block of ten runs, in nanoseconds, and of a faster one.
var (
	slow = []float64{1013, 1002, 1021, 998, 1008, 1017, 1004, 1011, 999, 1006}
	fast = []float64{931, 944, 938, 929, 941, 935, 947, 933, 940, 936}
)

// rows prints one benchmark the way go test does, once for each time.
func rows(name string, n int, times []float64, rest string) string {
	var b strings.Builder
	for _, t := range times {
		fmt.Fprintf(&b, "%s \t%8d\t%12.1f ns/op%s\n", name, n, t, rest)
	}
	return b.String()
}

func mem(bytes, allocs int) string {
	return fmt.Sprintf("\t%8d B/op\t%8d allocs/op", bytes, allocs)
}

func compare(t *testing.T, base, cand string) *model.Comparison {
	t.Helper()
	c, err := Compare(context.Background(),
		Input{"old.txt", strings.NewReader(base)}, Input{"new.txt", strings.NewReader(cand)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// seen are all warnings of a comparison, one a line.
func seen(c *model.Comparison) string {
	var b strings.Builder
	ws := c.Warnings
	for _, bm := range c.Benchmarks {
		ws = append(ws[:len(ws):len(ws)], bm.Warnings...)
	}
	for _, w := range ws {
		fmt.Fprintf(&b, "%s | %s | %s\n", w.Seen, w.Cause, w.Try)
	}
	return b.String()
}

func TestTimesAreNoClaim(t *testing.T) {
	c := compare(t, header+rows("BenchmarkPack-8", 1000000, slow, ""), header+rows("BenchmarkPack-8", 1080000, fast, ""))
	want := []model.Compared{{
		Benchmark: model.Benchmark{Pkg: "example.com/wire", Name: "BenchmarkPack"},
		Standing:  model.Open,
		Why:       "wall time 1.007 µs → 937 ns (−7.0 %, p=0.000 n=10+10), unpaired: no claim",
		Before:    &model.Stats{WallNs: 1007},
		After:     &model.Stats{WallNs: 937},
	}}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })
	if diff := cmp.Diff(want, c.Benchmarks, near); diff != "" {
		t.Errorf("benchmarks (-want +got):\n%s", diff)
	}
	if s := seen(c); !strings.Contains(s, "pawl compare REF REF measures in pairs") || strings.Count(s, "\n") != 1 {
		t.Errorf("warnings:\n%s", s)
	}
	if c.Base.Kind != model.SideSamples || c.Base.Name != "old.txt" || c.Base.Settings["GOMAXPROCS"] != "8" || c.Env.CPU != "AMD EPYC 9B14" || c.Alpha != 0.05 {
		t.Errorf("base %+v, env %+v, alpha %v", c.Base, c.Env, c.Alpha)
	}
}

// Each case compares one benchmark; the first benchmark of the comparison is
// looked at.
func TestStandings(t *testing.T) {
	three := slow[:3]
	bench := func(n int, times []float64, rest string) string {
		return header + rows("BenchmarkPack-8", n, times, rest)
	}
	for name, tc := range map[string]struct {
		base, cand string
		standing   model.Standing
		why        []string // parts
		warning    string   // part
	}{
		"allocs rise": {
			bench(1000000, slow, mem(64, 3)), bench(1000000, slow, mem(80, 4)),
			model.Regressed, []string{"allocs/op 3 → 4", "B/op 64 → 80", "unpaired"}, "",
		},
		"allocs fall": {
			bench(1000000, slow, mem(64, 3)), bench(1000000, fast, mem(48, 2)),
			model.Improved, []string{"allocs/op 3 → 2", "B/op 64 → 48", "−7.0 %", "unpaired: no claim"}, "",
		},
		"bytes are the price of fewer allocations": {
			bench(1000000, slow, mem(64, 3)), bench(1000000, slow, mem(96, 1)),
			model.Improved, []string{"allocs/op 3 → 1", "B/op 64 → 96 with fewer"}, "",
		},
		"bytes alone": {
			bench(1000000, slow, mem(64, 1)), bench(1000000, slow, mem(96, 1)),
			model.Regressed, []string{"B/op 64 → 96"}, "",
		},
		"a trifle of bytes": {
			bench(1000000, slow, mem(1000, 1)), bench(1000000, slow, mem(1020, 1)),
			model.Open, []string{"B/op 1000 → 1020, less than 5 %"}, "",
		},
		"an unsteady count": {
			bench(1000000, slow[:5], mem(64, 3)) + rows("BenchmarkPack-8", 1000000, slow[5:], mem(64, 4)), bench(1000000, slow, mem(64, 5)),
			model.Open, []string{"allocs/op 3.50 → 5 varies within a side: no claim"}, "",
		},
		"counts of too few runs": {
			bench(1000000, slow[:2], mem(64, 3)), bench(1000000, slow[:2], mem(80, 4)),
			model.Open, []string{"no test possible at n=2+2", "allocs/op 3 → 4 is not claimed: 2 samples cannot show that it repeats"}, "no rank test can be significant",
		},
		"three runs show a count but no time": {
			bench(1000000, three, mem(64, 3)), bench(1000000, three, mem(80, 4)),
			model.Regressed, []string{"allocs/op 3 → 4", "no test possible at n=3+3"}, "1 of 1 benchmarks have fewer than 10 samples on a side, the least 3",
		},
		"a fraction that crosses one": {
			bench(1000000, slow, mem(15, 0)), bench(1000000, slow, mem(15, 1)),
			model.Open, []string{"allocs/op 0 → 1 is not claimed: 0 allocs/op with 15 B/op is a fraction"}, "",
		},
		"a fraction whose bytes go with it": {
			bench(1000000, slow, mem(8, 0)), bench(1000000, slow, mem(24, 1)),
			model.Regressed, []string{"allocs/op 0 → 1", "B/op 8 → 24"}, "B/op moves with it",
		},
		"a rise that may be a fraction": {
			bench(1000000, slow, mem(64, 1)), bench(1000000, slow, mem(64, 2)),
			model.Regressed, []string{"allocs/op 1 → 2"}, "may be a fraction of 1",
		},
		"set-up over another b.N": {
			bench(100, slow, mem(1048576, 20)), bench(200, slow, mem(524288, 10)),
			model.Open, []string{"allocs/op 20 → 10 is not claimed: b.N differs"}, "b.N 100",
		},
		"no set-up explains a rise with b.N": {
			bench(200, slow, mem(524288, 10)), bench(400, slow, mem(1048576, 20)),
			model.Regressed, []string{"allocs/op 10 → 20"}, "",
		},
		"counts only": {
			header + strings.Repeat("BenchmarkPack-8 \t 100\t 64 B/op\t 3 allocs/op\n", 5),
			header + strings.Repeat("BenchmarkPack-8 \t 100\t 64 B/op\t 3 allocs/op\n", 5) + "PASS\n",
			model.Clean, []string{"allocs/op 3, B/op 64 as before"}, "",
		},
		"an unknown unit": {
			bench(100, slow, "\t 3.0 widgets/op"), bench(100, slow, "\t 5.0 widgets/op"),
			model.Open, []string{"widgets/op 3 → 5 (+66.7 %, p=0.000 n=10+10): direction unknown, not judged; say -metric 'widgets/op:lower' or higher"}, "",
		},
		"a unit with a direction": {
			"Unit hits/op better=higher\n" + bench(100, slow, "\t 3.0 hits/op"), bench(100, slow, "\t 5.0 hits/op"),
			model.Improved, []string{"hits/op 3 → 5"}, "",
		},
		"one that varies": {
			"Unit hits/op better=higher\n" + bench(100, slow, "\t 3.0 hits/op") + bench(100, slow, "\t 3.1 hits/op"), bench(100, slow, "\t 5.0 hits/op"),
			model.Open, []string{"hits/op 3.05 → 5", "unpaired: no claim"}, "",
		},
		"a clock that ticks slowly": {
			bench(100, slow, "\t 3.0 p99-ms"), bench(100, slow, "\t 4.0 p99-ms"),
			model.Open, []string{"p99-ms", "unpaired: no claim"}, "",
		},
		"an exact unit that improves": {
			"Unit hits/op better=higher assume=exact\n" + bench(100, slow, "\t 3.0 hits/op"), bench(100, slow, "\t 5.0 hits/op"),
			model.Improved, []string{"hits/op 3 → 5"}, "",
		},
		"an exact unit that worsens": {
			bench(100, slow, "\t 3.0 hits/op"), "Unit hits/op better=higher assume=exact\n" + bench(100, slow, "\t 2.0 hits/op"),
			model.Regressed, []string{"hits/op 3 → 2"}, "",
		},
		"speed is the time again": {
			bench(100, slow, "\t 300.00 MB/s"), bench(100, fast, "\t 330.00 MB/s"),
			model.Open, []string{"wall time 1.007 µs → 937 ns (−7.0 %, p=0.000 n=10+10), unpaired: no claim"}, "",
		},
		"a unit on one side": {
			bench(100, slow, ""), bench(100, slow, mem(3, 1)),
			model.Open, []string{"wall time"}, "",
		},
		"fails on the candidate": {
			bench(100, slow, ""), header + "BenchmarkPack-8 \t--- FAIL: BenchmarkPack-8\n    wire_test.go:7: short read\nFAIL\nexit status 1\nFAIL\texample.com/wire\t0.2s\n",
			model.Failed, []string{"fails in new.txt: “wire_test.go:7: short read”"}, "",
		},
		"fails in its first iteration, before its package is named": {
			bench(100, slow, ""), "--- FAIL: BenchmarkPack\n    wire_test.go:7: short read\nFAIL\nexit status 1\nFAIL\texample.com/wire\t0.2s\n",
			model.Failed, []string{"fails in new.txt: “wire_test.go:7: short read”"}, "",
		},
		"fails now and then": {
			bench(100, slow, ""), bench(100, slow[1:], "") + "BenchmarkPack-8 \t--- FAIL: BenchmarkPack-8\n",
			model.Failed, []string{"fails in new.txt; 9 runs of it passed there"}, "",
		},
		"fails on both sides now and then": {
			bench(100, slow, "") + "BenchmarkPack-8 \t--- FAIL: BenchmarkPack-8\n", bench(100, slow[1:], "") + "BenchmarkPack-8 \t--- FAIL: BenchmarkPack-8\n",
			model.Open, []string{"wall time"}, "fails in old.txt; fails in new.txt | a benchmark that is not steady",
		},
		"panics": {
			bench(100, slow, ""), header + "BenchmarkPack-8 \t       0\t               NaN ns/op\npanic: boom\n\ngoroutine 9 [running]:\nexit status 2\nFAIL\texample.com/wire\t0.2s\n",
			model.Failed, []string{"fails in new.txt: “panic: boom”"}, "ended early: “panic: boom”",
		},
		"panics in its first iteration": {
			bench(100, slow, ""), header + "panic: boom\n\ngoroutine 9 [running]:\nexample.com/wire.BenchmarkPack(0xc000104a88)\n\t/w/wire_test.go:9 +0x1d\nexit status 2\nFAIL\texample.com/wire\t0.2s\n",
			model.Failed, []string{"fails in new.txt: “panic: boom”"}, "",
		},
		"a parent that fails": {
			header + rows("BenchmarkPack/small-8", 100, slow, ""), header + "--- FAIL: BenchmarkPack\nFAIL\texample.com/wire\t0.2s\n",
			model.Failed, []string{"fails in new.txt"}, "",
		},
		"torn on one side": {
			bench(100, slow, ""), header + rows("BenchmarkOther-8", 100, slow, "") + "BenchmarkPack-8 \thello from 100\n     100\t      1001 ns/op\n",
			model.OneSided, []string{"only in old.txt: in new.txt its lines are torn"}, "new.txt:15: the line of BenchmarkPack-8 is torn by “hello from 100”; 1 sample is lost",
		},
		"skipped on one side": {
			bench(100, slow, ""), header + rows("BenchmarkOther-8", 100, slow, "") + "--- SKIP: BenchmarkPack\n",
			model.OneSided, []string{"only in old.txt: skipped in new.txt"}, "",
		},
		"moved to another package": {
			bench(100, slow, ""), strings.Replace(bench(100, slow, ""), "example.com/wire", "example.com/wire/v2", 1),
			model.OneSided, []string{"only in old.txt: new.txt has BenchmarkPack in example.com/wire/v2"}, "no benchmark has results in both files",
		},
		"another spelling": {
			bench(100, slow, ""), strings.ReplaceAll(bench(100, slow, ""), "BenchmarkPack", "BenchmarkPACK"),
			model.OneSided, []string{"new.txt has BenchmarkPACK"}, "",
		},
		"no package on one side": {
			bench(100, slow, ""), rows("BenchmarkPack-8", 100, slow, ""),
			model.Open, []string{"wall time"}, "",
		},
		"another GOMAXPROCS": {
			bench(100, slow, ""), strings.ReplaceAll(bench(100, slow, ""), "BenchmarkPack-8", "BenchmarkPack"),
			model.Open, []string{"wall time"}, "GOMAXPROCS (the -N of the names) differs: 8 in old.txt, 1 in new.txt",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := compare(t, tc.base, tc.cand)
			if len(c.Benchmarks) == 0 {
				t.Fatal("no benchmark")
			}
			b := c.Benchmarks[0]
			for _, o := range c.Benchmarks {
				if strings.HasPrefix(o.Benchmark.Name, "BenchmarkPack") {
					b = o
					break
				}
			}
			if b.Standing != tc.standing || b.Verdict != nil {
				t.Errorf("%s (%s), verdict %v; want %s", b.Standing, b.Why, b.Verdict, tc.standing)
			}
			for _, part := range tc.why {
				if !strings.Contains(b.Why, part) {
					t.Errorf("why: %s\nlacks: %s", b.Why, part)
				}
			}
			if !strings.Contains(seen(c), tc.warning) {
				t.Errorf("warnings:\n%s\nlack: %s", seen(c), tc.warning)
			}
		})
	}
}

// Each case is a pair of files about whose circumstances something is to be said.
func TestWarnings(t *testing.T) {
	base := header + rows("BenchmarkPack-8", 1000000, slow, "")
	replace := func(old, new string) string { return strings.ReplaceAll(base, old, new) }
	rising := []float64{100, 101, 102, 103, 104, 105, 106, 107, 108, 109}
	jump := []float64{100, 101, 100.5, 120, 119, 120.5, 100.2, 119.5, 100.8, 120.2}
	wide := []float64{1000, 1300, 900, 1210, 1080, 1500, 870, 1150, 1010, 1400}
	for name, tc := range map[string]struct {
		base, cand string
		want       string
	}{
		"goos":         {base, replace("goos: linux", "goos: darwin"), "goos differs: linux in old.txt, darwin in new.txt | two machines"},
		"goarch":       {base, replace("amd64", "arm64"), "goarch differs"},
		"cpu":          {base, replace("9B14", "7B13"), "cpu differs: AMD EPYC 9B14 in old.txt"},
		"go":           {"go: go1.25.1\n" + base, "go: go1.26.8\n" + base, "the Go version differs: go1.25.1"},
		"setting":      {"goamd64: v1\n" + base, "goamd64: v3\n" + base, "goamd64 differs"},
		"identical":    {base, base, "old.txt and new.txt are the same, line by line"},
		"drift":        {base, header + rows("BenchmarkPack-8", 1000, rising, ""), "the runs in new.txt drift: the second half takes +4.9 %"},
		"modes":        {base, header + rows("BenchmarkPack-8", 1000, jump, ""), "the runs in new.txt have two modes: 5 of 10 at 100.5 ns, the others at 120 ns"},
		"benchtime":    {base, header + rows("BenchmarkPack-8", 10000, slow, ""), "a run of Pack takes 1.007 s in old.txt (b.N 1000000) and 10.07 ms"},
		"removed":      {base, header + rows("BenchmarkPack-8", 1000, []float64{.3, .3, .3, .3, .3, .3, .3, .3, .3, .3}, ""), "a few instructions at the most"},
		"benchmem":     {base, replace("ns/op", "ns/op 3 B/op 1 gets/op"), "gets/op of BenchmarkPack is not in old.txt"},
		"syntax":       {base + "BenchmarkPack-8 many 12 ns/op\n", base, "old.txt:15: parsing iteration count: invalid syntax; the line is passed over"},
		"unit line":    {base + "Unit\n", base, "old.txt:15: missing unit"},
		"negative":     {base + "BenchmarkPack-8 100 -3 ns/op\n", base, "old.txt:15: -3 ns/op; passed over"},
		"zero":         {base + "BenchmarkPack-8 100 0 ns/op\n", base, "old.txt:15: 0 ns/op; passed over"},
		"infinite":     {base + "BenchmarkPack-8 100 Inf ns/op\nBenchmarkPack-8 100 NaN ns/op\n", base, "old.txt:15: +Inf ns/op (and 1 more); passed over"},
		"absurd":       {base + "BenchmarkPack-8 100 1e18 ns/op\n", base, "old.txt:15: 1e+18 ns/op; passed over"},
		"negative N":   {base + "BenchmarkPack-8 -5 12 ns/op\n", base, "old.txt:15: -5 iterations"},
		"negative B":   {base + "BenchmarkPack-8 5 12 ns/op -1 B/op\n", base, "old.txt:15: -1 B/op"},
		"twice":        {base + "BenchmarkPack-8 5 1000 ns/op 12 ns/op\n", base, "old.txt:15: a second figure in sec/op"},
		"no end":       {base + "BenchmarkPack-8 1000 51", base, "the last line of old.txt has no end and is not counted"},
		"long line":    {base + strings.Repeat("x", 1<<17) + "\n", base, "lines longer than 32 KiB are passed over: 1"},
		"prefix":       {base + "logBenchmarkPack-8 \t 100\t 12 ns/op\n", base, "old.txt:15: the line of BenchmarkPack-8 is torn by “log”"},
		"print only":   {base + "BenchmarkPack-8 \t42\n 100\t 12 ns/op\nBenchmarkPack-8 \t42\n 100\t 12 ns/op\n", base, "is torn by “42”; 2 samples are lost"},
		"print inline": {base + "BenchmarkPack-8 \tx 100\t 12 ns/op\n", base, "is torn by “x”"},
		"built":        {base + "FAIL\texample.com/other [build failed]\n", base, "ended early: “FAIL example.com/other [build failed]”"},
		"killed":       {base + "signal: killed\nFAIL\texample.com/wire\t3s\n", base, "ended early: “signal: killed”"},
		"pooled": {
			header + "commit: a\n" + rows("BenchmarkPack-8", 1000, slow[:5], "") + "commit: b\n" + rows("BenchmarkPack-8", 1000, slow[5:], ""), base,
			"old.txt holds the same benchmarks under several values of \"commit\" (a, b)",
		},
		"both fail": {base + "--- FAIL: BenchmarkBad\n    x_test.go:1: no\n", base + "--- FAIL: BenchmarkBad\n", "BenchmarkBad fails in both files"},
		"few":       {base, header + rows("BenchmarkPack-8", 1000, slow[:6], ""), "the least 6 | a small -count | go test -count=10"},
	} {
		t.Run(name, func(t *testing.T) {
			if s := seen(compare(t, tc.base, tc.cand)); !strings.Contains(s, tc.want) {
				t.Errorf("warnings:\n%s\nlack: %s", s, tc.want)
			}
		})
	}
	t.Run("spread", func(t *testing.T) {
		c := compare(t, header+rows("BenchmarkPack-8", 1000, wide, ""), base)
		if why := c.Benchmarks[0].Why; !strings.Contains(why, "with this spread that sees 21 % at best") {
			t.Error(why)
		}
	})
	t.Run("none", func(t *testing.T) {
		// What go test prints beside results is no reason for a warning.
		talk := "=== RUN   BenchmarkPack\nBenchmarkPack\n" + base + "--- BENCH: BenchmarkPack-8\n    wire_test.go:9: note\nsome: log\nPASS\nok  \texample.com/wire\t3.2s\n"
		if s := seen(compare(t, talk, base)); strings.Count(s, "\n") != 1 {
			t.Errorf("more than the one about blocks:\n%s", s)
		}
	})
}

// One name under several values of a key that both files know.
func TestVariants(t *testing.T) {
	file := func(amd, arm int) string {
		return "pkg: example.com/wire\ngoarch: amd64\n" + rows("BenchmarkPack", 1000000, slow, mem(16*amd, amd)) +
			"goarch: arm64\n" + rows("BenchmarkPack", 1000000, slow, mem(16*arm, arm))
	}
	c := compare(t, file(3, 5), file(3, 6))
	got := make(map[string]model.Standing)
	for _, b := range c.Benchmarks {
		got[b.Benchmark.Name] = b.Standing
	}
	want := map[string]model.Standing{"BenchmarkPack goarch=amd64": model.Open, "BenchmarkPack goarch=arm64": model.Regressed}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// A date of its own for each sample tells nothing apart.
	var dated strings.Builder
	for i, x := range slow {
		fmt.Fprintf(&dated, "date: 2026-01-%02d\nBenchmarkPack 1000 %g ns/op\n", i+1, x)
	}
	c = compare(t, dated.String(), dated.String()+"\n")
	if len(c.Benchmarks) != 1 || !strings.Contains(c.Benchmarks[0].Why, "n=10+10") {
		t.Errorf("%+v", c.Benchmarks)
	}
}

func TestSuffixes(t *testing.T) {
	names := func(c *model.Comparison) string {
		var out []string
		for _, b := range c.Benchmarks {
			out = append(out, b.Benchmark.Name+" "+string(b.Standing))
		}
		return strings.Join(out, ", ")
	}
	cpus := rows("BenchmarkX", 1000, slow, "") + rows("BenchmarkX-2", 1000, slow, "") + rows("BenchmarkX-4", 1000, slow, "")
	for _, tc := range []struct{ base, cand, want string }{
		{cpus, cpus, "BenchmarkX undecided, BenchmarkX-2 undecided, BenchmarkX-4 undecided"},
		{rows("BenchmarkX/k-3", 1000, slow, ""), rows("BenchmarkX/k-3-8", 1000, slow, ""), "BenchmarkX/k-3 undecided"},
		{rows("BenchmarkX/k-3", 1000, slow, ""), rows("BenchmarkX/k-4", 1000, slow, ""), "BenchmarkX/k undecided"},
	} {
		if got := names(compare(t, tc.base, tc.cand)); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}

// What shells and editors on Windows make of a file.
func TestEncodings(t *testing.T) {
	plain := header + rows("BenchmarkPack-8", 1000, slow, mem(64, 3))
	var utf16 strings.Builder
	utf16.WriteString("\xff\xfe")
	for _, b := range []byte(strings.ReplaceAll(plain, "\n", "\r\n")) {
		utf16.Write([]byte{b, 0})
	}
	for name, file := range map[string]string{
		"CRLF": strings.ReplaceAll(plain, "\n", "\r\n"), "BOM": "\ufeff" + plain, "UTF-16": utf16.String(),
	} {
		c := compare(t, file, plain)
		if len(c.Benchmarks) != 1 || !strings.Contains(c.Benchmarks[0].Why, "n=10+10") || c.Env.CPU != "AMD EPYC 9B14" {
			t.Errorf("%s: %+v %+v", name, c.Benchmarks, c.Env)
		}
	}
}

func TestErrors(t *testing.T) {
	good := header + rows("BenchmarkPack-8", 1000, slow, "")
	for name, tc := range map[string]struct {
		file    io.Reader
		nothing bool
		parts   []string
	}{
		"empty":      {strings.NewReader(" \n\n"), true, []string{"new.txt is empty", "go test -bench=. -count=10"}},
		"no results": {strings.NewReader("PASS\nok  \texample.com/wire\t0.1s\n"), true, []string{"new.txt: no benchmark results", "run go test -bench=."}},
		"json":       {strings.NewReader(`{"Time":"2026-01-01T00:00:00Z","Action":"output","Package":"x","Output":"BenchmarkX 1 2 ns/op\n"}` + "\n"), true, []string{"go test -json"}},
		"torn":       {strings.NewReader("BenchmarkPack-8 \thello\n 100\t 12 ns/op\n"), true, []string{"torn", "line 1"}},
		"broken":     {strings.NewReader("BenchmarkPack-8 many\n"), true, []string{"new.txt:1: parsing iteration count"}},
		"not built":  {strings.NewReader("# example.com/wire\n./wire.go:3:1: syntax error\nFAIL\texample.com/wire [build failed]\nFAIL\n"), true, []string{"[build failed]", "repair"}},
		"odd":        {strings.NewReader("BenchmarkPack-8 100 0 ns/op\n"), true, []string{"new.txt:1: 0 ns/op"}},
		"binary":     {strings.NewReader("\x7fELF\x02\x01\x01\x00\n\x00\x00"), true, []string{"new.txt"}},
		"reading":    {iotest.ErrReader(errors.New("disk on fire")), false, []string{"reading new.txt: disk on fire"}},
	} {
		_, err := Compare(context.Background(), Input{"old.txt", strings.NewReader(good)}, Input{"new.txt", tc.file}, Options{})
		if err == nil || errors.Is(err, errNothing) != tc.nothing {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range tc.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nlacks: %s", name, err, part)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, Input{"old.txt", strings.NewReader(good)}, Input{"new.txt", strings.NewReader(good)}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Compare(context.Background(), Input{"old.txt", strings.NewReader(good)}, Input{"new.txt", strings.NewReader(good)}, Options{Alpha: 2}); err == nil || !strings.Contains(err.Error(), "-alpha") {
		t.Errorf("alpha of 2: %v", err)
	}
}
