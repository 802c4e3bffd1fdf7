//go:build linux

package loadtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// marked returns options whose processes carry a mark in their environment,
// and checks at the end of the test that none of them is left.
func marked(t *testing.T, base, candidate, load string) Options {
	t.Helper()
	mark := fmt.Sprintf("PAWL_LOAD_TEST=%s-%d", t.Name(), os.Getpid())
	t.Cleanup(func() {
		if left := withMark(mark); len(left) > 0 {
			t.Errorf("processes that were left: %v", left)
		}
	})
	return Options{
		Base: self(t, base), Candidate: self(t, candidate), Command: self(t, load),
		// A program that is built for the race detector sleeps for a second before it ends.
		Env: append(os.Environ(), mark, "GORACE=atexit_sleep_ms=0"), WarmUp: -1, MaxUnits: 2, Meter: gocmd.NewMeter(time.Now()),
	}
}

// withMark returns the processes with a setting in their environment.
func withMark(mark string) []string {
	var left []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range files {
		env, err := os.ReadFile(name)
		if err == nil && bytes.Contains(env, []byte(mark)) {
			cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			left = append(left, filepath.Base(filepath.Dir(name))+" "+string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
		}
	}
	return left
}

// The candidate costs several times as much, so that a busy machine does not hide it.
func TestSlower(t *testing.T) {
	t.Parallel()
	o := marked(t, "server", "server -work 80000", "load -d 100ms")
	o.WarmUp, o.MaxUnits, o.Quantiles = 2, 30, []string{"p50"}
	var noise *model.Noise
	units := 0
	o.Watch = func(p Progress) {
		if p.Noise != nil {
			noise = p.Noise
		}
		if !p.WarmUp {
			units = p.Units
		}
	}
	l, _, err := Compare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if cpu := l.Metrics[0]; l.Standing != model.Regressed || cpu.Verdict.Answer != model.Slower || cpu.Name != "cpu/request" || cpu.After <= cpu.Before {
		t.Errorf("got %s: %s; %+v", l.Standing, l.Why, cpu)
	}
	if len(l.Metrics) != 2 || l.Metrics[1].Name != "latency-p50" || l.Metrics[1].Before <= 0 {
		t.Errorf("metrics %+v", l.Metrics)
	}
	if l.Units != units || l.Units != len(l.Runs) || l.Requests[0] <= 0 || l.Requests[1] <= 0 || l.Runs[0].Base.PeakRSS <= 0 {
		t.Errorf("units %d, %d seen, requests %v, peak %v", l.Units, units, l.Requests, l.Runs[0].Base.PeakRSS)
	}
	if noise == nil || noise.Duets != 2 || noise.SD <= 0 || noise.Sees <= 0 || noise.Seconds <= 0 {
		t.Errorf("noise %+v", noise)
	}
}

// A rule of chance: at this error rate equals are told apart once in some
// thousand runs of the test.
func TestSameIsNotSlower(t *testing.T) {
	t.Parallel()
	for _, alternate := range sample.Part([]bool{false, true}, 2) {
		o := marked(t, "server -work 2000", "server -work 2000", "load -d 100ms")
		o.Alpha, o.MaxUnits, o.Alternate = 0.001, 12, alternate
		l, _, err := Compare(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if l.Standing != model.Open && l.Standing != model.Clean || l.Why == "" {
			t.Errorf("alternate %v: %s: %s", alternate, l.Standing, l.Why)
		}
	}
}

// CPU time that children of a program use is the program's.
func TestChildrenCount(t *testing.T) {
	t.Parallel()
	o := marked(t, "server", "server -child", "load -d 100ms")
	l, _, err := Compare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range l.Runs {
		if b, c := perRequest(pair.Base), perRequest(pair.Candidate); c < b/3 {
			t.Errorf("a request costs %v ns, with a child %v ns: the child is not counted", b, c)
		}
		if pair.Candidate.PeakRSS < 1.3*pair.Base.PeakRSS {
			t.Errorf("peak of two processes %v, of one %v", pair.Candidate.PeakRSS, pair.Base.PeakRSS)
		}
	}
}

func TestErrorsOnOneSide(t *testing.T) {
	t.Parallel()
	o := marked(t, "server -work 4000", "server -fail 2", "load -d 50ms") // few requests are enough then
	o.MaxUnits = 20
	l, warnings, err := Compare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if l.Standing != model.Open || !strings.HasPrefix(l.Why, "errors on the candidate: ") {
		t.Errorf("got %s: %s", l.Standing, l.Why)
	}
	if l.Units != minErrorUnits {
		t.Errorf("went on for %d units", l.Units)
	}
	if !warned(warnings, "errors on the candidate") {
		t.Errorf("warnings %+v", warnings)
	}
}

func warned(warnings []model.Warning, about string) bool {
	for _, w := range warnings {
		if strings.Contains(w.Seen, about) {
			return true
		}
	}
	return false
}

// Digits that are too coarse say nothing, least of all that nothing changed.
func TestCoarseLatencyIsNotJudged(t *testing.T) {
	t.Parallel()
	o := marked(t, "server", "server", "load -d 20ms")
	hey := filepath.Join(t.TempDir(), "hey.txt")
	const out = "Summary:\n  Total:\t0.0200 secs\n  Requests/sec:\t1000.0\n\n  50% in 0.0002 secs\n  99% in 0.0083 secs\n\n  [200]\t20 responses\n"
	if err := os.WriteFile(hey, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	o.Command = fmt.Sprintf("sh -c '%s >&2; cat %s'", strings.ReplaceAll(o.Command, "'", ""), hey)
	l, warnings, err := Compare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Metrics) != 2 || l.Metrics[1].Name != "latency-p99" || !warned(warnings, "latency-p50 is about 200µs") {
		t.Errorf("judged %+v, warnings %+v", l.Metrics, warnings)
	}
}

func TestMemoryGuard(t *testing.T) {
	t.Parallel()
	o := marked(t, "server -work 20000", "server -hold 40", "load -d 50ms")
	o.MaxUnits = 15
	l, warnings, err := Compare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if l.Standing != model.Open || !strings.Contains(l.Why, "resident set rose") || !warned(warnings, "peak resident set rose") {
		t.Errorf("got %s: %s; %+v", l.Standing, l.Why, warnings)
	}
}

func TestWhatGoesWrong(t *testing.T) {
	t.Parallel()
	const server, load = "server", "load -d 20ms"
	tests := []struct {
		name                  string
		base, candidate, load string
		change                func(*Options)
		want                  []string
	}{
		{name: "exits at once", base: server, candidate: "server -exit 3", load: load,
			want: []string{"candidate program exited with code 3", "config.json: no such file", "{addr}", "server -exit 3"}},
		{name: "never listens", base: "server -mute", candidate: server, load: load,
			change: func(o *Options) { o.Ready = time.Second },
			want:   []string{"base program did not listen on 127.0.0.1:", "waiting for a database", "$PORT"}},
		{name: "dies under load", base: server, candidate: "server -die 5", load: load,
			want: []string{"candidate program exited with code 2 under load", "out of cheese"}},
		{name: "load exits", base: server, candidate: server, load: "load -d 20ms -exit 3",
			want: []string{"load command exited with code 3", "thresholds were crossed", "run it by hand"}},
		{name: "load hangs", base: server, candidate: server, load: "load -hang",
			change: func(o *Options) { o.Timeout = 2 * time.Second },
			want:   []string{"load command did not end within 2s", "printed nothing"}},
		{name: "load prints nothing known", base: server, candidate: server, load: "load -d 20ms -say fine",
			want: []string{"\tfine", "requests 1234"}},
		{name: "load is not there", base: server, candidate: server, load: load,
			change: func(o *Options) { o.Command = "no-such-load-command" }, want: []string{"load command: no-such-load-command is not on PATH"}},
		{name: "quantile is not there", base: server, candidate: server, load: load,
			change: func(o *Options) { o.Quantiles = []string{"p42"} }, want: []string{"p42 was asked for", "p50, p99"}},
		{name: "alpha", base: server, candidate: server, load: load,
			change: func(o *Options) { o.Alpha = 5 }, want: []string{"alpha 5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 3)
			o := marked(t, tt.base, tt.candidate, tt.load)
			if tt.change != nil {
				tt.change(&o)
			}
			l, _, err := Compare(t.Context(), o)
			if err == nil {
				t.Fatalf("no error; %+v", l)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error\n%v\nhas no %q", err, want)
				}
			}
		})
	}
}

// A load command that fails later leaves the units before it.
func TestUnitsBeforeAnErrorStay(t *testing.T) {
	t.Parallel()
	o := marked(t, "server", "server", "load -d 20ms")
	count := filepath.Join(t.TempDir(), "count")
	o.Command = fmt.Sprintf(`sh -c 'echo x >>%s; test $(wc -l <%s) -le 4 || { echo gave up >&2; exit 7; }; exec %s'`, count, count, strings.ReplaceAll(o.Command, "'", ""))
	o.MaxUnits = 20
	l, warnings, err := Compare(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "code 7") || !strings.Contains(err.Error(), "gave up") {
		t.Errorf("error %v", err)
	}
	if l == nil || l.Units != 2 || len(l.Runs) != 2 || l.Standing != model.Open {
		t.Errorf("got %+v", l)
	}
	few := func(w model.Warning) bool {
		return w.Seen == "not decided after 2 units" && strings.HasPrefix(w.Cause, "a verdict needs")
	}
	if !slices.ContainsFunc(warnings, few) {
		t.Errorf("two units are too few for a claim, and no warning says so: %v", warnings)
	}
}

// An interrupt, in a unit, leaves no process, and what was found. A program that
// ignores SIGTERM is ended all the same, after each unit and then.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"server", "server -stubborn", "server -child"} {
		o := marked(t, program, program, "load -d 100ms")
		o.MaxUnits = 100
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.NewTimer(time.Hour)
		o.Watch = func(p Progress) {
			if p.Units == 1 {
				timer = time.AfterFunc(50*time.Millisecond, cancel)
			}
		}
		l, _, err := Compare(ctx, o)
		timer.Stop()
		cancel()
		if !errors.Is(err, context.Canceled) || l == nil || l.Units < 1 {
			t.Errorf("%s: got %+v, %v", program, l, err)
		}
	}
}

// The programs end with pawl, also when it is killed.
func TestKilled(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mark := fmt.Sprintf("PAWL_LOAD_TEST=killed-%d", os.Getpid())
	cmd := exec.Command(exe, "helper", "compare")
	runs := filepath.Join(t.TempDir(), "runs")
	cmd.Env = append(os.Environ(), mark, "PAWL_LOAD_RUNS="+runs)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := os.Stat(runs); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	during := withMark(mark)
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
	if len(during) < 4 {
		t.Errorf("only %v ran", during)
	}
	var left []string
	for range 200 {
		if left = withMark(mark); len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes that were left: %v", left)
}

// A program that has ended is gone, also while nobody has waited for it: it has
// no clock any more, and what stat has of it is coarser than what was read before.
func TestEndedProgramIsGone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if m, err := readMember(cmd.Process.Pid); err != nil {
			t.Fatal(err)
		} else if m.ended {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if u, err := measure(cmd.Process.Pid); !errors.Is(err, errGone) {
		t.Errorf("it used %+v, %v", u, err)
	}
	_ = cmd.Wait()
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	line := "4711 (a (b) c) S 1 4710 4710 0 -1 4194560 1 2 3 4 150 25 7 3 20 0 5 0 987654 1 2 3 4"
	got, err := parseStat(4711, []byte(line))
	want := member{pid: 4711, parent: 1, group: 4710, start: 987654, own: 1750 * time.Millisecond, waited: 100 * time.Millisecond}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "4711 (x", "4711 (x) S 1 2"} {
		if _, err := parseStat(1, []byte(bad)); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}
