package trace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	rtrace "runtime/trace"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
	xtrace "golang.org/x/exp/trace"

	"github.com/pawl-dev/pawl/internal/model"
)

func read(t testing.TB, data []byte) *Result {
	t.Helper()
	res, err := Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func summary(t testing.TB, data []byte) *model.Trace {
	t.Helper()
	return read(t, data).Summary("test", "trace.out")
}

// Each kind of work shows its own cause as the largest. Nothing is said of
// times: they are the machine's.
func TestCauses(t *testing.T) {
	if testing.Short() {
		t.Skip("traces programs at work")
	}
	for _, test := range []struct {
		want model.WaitCause
		work func(testing.TB) func()
		at   string // a function of the place where most of it is
	}{
		{model.WaitSync, plain(waitForMutex), "waitForMutex"},
		{model.WaitChannel, plain(waitForChannel), "waitForChannel"},
		{model.WaitSelect, plain(waitInSelect), "waitInSelect"},
		{model.WaitSleep, plain(waitForSleep), "waitForSleep"},
		{model.WaitNetwork, waitForNetwork, "waitForNetwork"},
		{model.WaitGCAssist, plain(assist), "assist"},
		{model.WaitSched, plain(crowd), ""},
	} {
		t.Run(string(test.want), func(t *testing.T) {
			checkCause(t, test.want, test.work(t), test.at)
		})
	}
}

// checkCause traces work and checks that it waits for one cause more than for
// any other, mostly at a stack with the function at.
func checkCause(t *testing.T, want model.WaitCause, work func(), at string) {
	t.Helper()
	sum := summary(t, record(t, work))
	i := leading(sum, want)
	if i < 0 {
		t.Fatalf("causes are %s, want %s first", causeList(sum), want)
	}
	first := sum.Causes[i]
	if at != "" && (len(first.Places) == 0 || !stands(first.Places[0].Stack, at)) {
		t.Errorf("most of it is at %v, want a stack with %s", first.Places, at)
	}
	if len(sum.Warnings) > 0 || sum.Stopped != "" || sum.Format == "" || sum.Processors.Max == 0 || sum.Goroutines == 0 {
		t.Errorf("the trace is not whole: %+v", sum)
	}
	consistent(t, sum)
}

func plain(f func()) func(testing.TB) func() { return func(testing.TB) func() { return f } }

// leading returns where a cause stands among those of a trace if it is the
// greatest, and -1 if it is not. A machine that is busy adds waits for a
// processor to any work: these are passed over, unless they are asked for.
func leading(sum *model.Trace, want model.WaitCause) int {
	for i, c := range sum.Causes {
		if c.Cause == want {
			return i
		}
		if c.Cause != model.WaitSched {
			return -1
		}
	}
	return -1
}

func causeList(t *model.Trace) string {
	var parts []string
	for _, c := range t.Causes {
		parts = append(parts, fmt.Sprintf("%s %.3f", c.Cause, c.Share))
	}
	return strings.Join(parts, ", ")
}

func stands(stack []model.Frame, fn string) bool {
	for _, f := range stack {
		if strings.Contains(f.Func, fn) {
			return true
		}
	}
	return false
}

// consistent checks what must hold of every trace: nothing is longer than the
// trace, and goroutines are in one state at a time.
func consistent(t *testing.T, sum *model.Trace) {
	t.Helper()
	if sum.DurationNs <= 0 {
		t.Errorf("it lasts %d ns", sum.DurationNs)
	}
	for _, c := range sum.Causes {
		if c.LongestNs > sum.DurationNs || c.LongestNs > c.TotalNs || c.Count <= 0 || c.TotalNs < 0 {
			t.Errorf("%s: %+v in a trace of %d ns", c.Cause, c.Waits, sum.DurationNs)
		}
	}
	for _, g := range sum.Groups {
		if spent := g.RunningNs + g.Waited(); spent > int64(g.Goroutines)*sum.DurationNs || g.RunningNs < 0 {
			t.Errorf("%d of %s ran and waited %d ns in a trace of %d ns", g.Goroutines, g.Func, spent, sum.DurationNs)
		}
	}
	for _, share := range []float64{sum.GC.MarkShare, sum.GC.CPUShare, sum.Processors.BusyShare, sum.Processors.SaturatedShare} {
		if !(share >= 0 && share <= 1) {
			t.Errorf("a share is %v", share)
		}
	}
}

func TestCollector(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	gc := summary(t, record(t, func() { runtime.GC(); runtime.GC() })).GC
	if gc.Cycles < 2 || gc.MarkNs <= 0 || gc.LongestStopNs <= 0 {
		t.Errorf("two collections gave %+v", gc)
	}
	var stops []string
	for _, s := range gc.Stops {
		stops = append(stops, s.Reason)
	}
	for _, want := range []string{"GC mark termination", "GC sweep termination"} {
		if !strings.Contains(strings.Join(stops, ", "), want) {
			t.Errorf("stops of the world: %q, want %s among them", stops, want)
		}
	}
}

func TestSaturated(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	p := summary(t, record(t, crowd)).Processors
	if p.SaturatedShare < 0.5 || p.QueueMax < 10 || p.QueueMean < 1 {
		t.Errorf("16 goroutines on one processor gave %+v", p)
	}
}

// Goroutines that never run are counted apart, with the cause that their stack
// tells.
func TestParked(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	ch := make(chan int)
	defer close(ch)
	for range 7 {
		go idle(ch)
	}
	waitForSleep() // until they stand
	sum := summary(t, record(t, waitForSleep))
	for _, p := range sum.Parked {
		if strings.HasSuffix(p.Func, ".idle") {
			if p.Goroutines != 7 || p.Cause != model.WaitChannel || p.Home < 0 {
				t.Errorf("seven idle goroutines are %+v", p)
			}
			return
		}
	}
	t.Errorf("parked are %+v, want seven of idle", sum.Parked)
}

func idle(ch chan int) { <-ch }

// Goroutines that a library starts for a caller are named by the caller.
func TestStarter(t *testing.T) {
	for _, test := range []struct {
		fn      string
		creator []frame
		want    string
	}{
		{"sync.(*WaitGroup).Go.func1", []frame{{fn: "sync.(*WaitGroup).Go"}, {fn: "example.com/a.F"}}, "example.com/a.F"},
		{"example.com/a.F.func1", []frame{{fn: "example.com/a.F"}, {fn: "example.com/a.G"}}, ""},
		{"example.com/a.work", []frame{{fn: "example.com/a.F"}, {fn: "main.main"}}, ""},
		{"net/http.(*conn).serve", []frame{{fn: "net/http.(*Server).Serve"}, {fn: "main.main"}}, ""},
		{"example.com/a.TestF.func1", []frame{{fn: "example.com/a.TestF"}, {fn: "testing.tRunner"}}, ""},
		{"a.F.func1", []frame{{fn: "a.F"}}, ""},
		{"a.F.func1", nil, ""},
	} {
		if got := starter(test.fn, test.creator); got != test.want {
			t.Errorf("starter(%s, %v) = %q, want %q", test.fn, test.creator, got, test.want)
		}
	}
}

// The profiles say what those of go tool trace say. Its sched leaves out how
// long a new goroutine waits for its first turn.
func TestLikeGoToolTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go tool trace")
	}
	network := waitForNetwork(t)
	data := record(t, func() { waitForMutex(); waitForChannel(); waitInSelect(); network() })
	name := filepath.Join(t.TempDir(), "trace.out")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	res := read(t, data)
	for _, kind := range Kinds() {
		out, err := exec.Command("go", "tool", "trace", "-pprof="+kind, name).Output()
		if err != nil {
			t.Skipf("go tool trace does not run: %v", err)
		}
		var buf bytes.Buffer
		if _, err := res.WriteProfile(&buf, kind); err != nil {
			t.Fatal(err)
		}
		want, got := values(t, out), values(t, buf.Bytes())
		switch kind {
		case "net", "sync":
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: go tool trace (-), pawl (+):\n%s", kind, diff)
			}
		case "sched":
			if got["total"][0] < want["total"][0] || got["total"][1] < want["total"][1] {
				t.Errorf("%s: go tool trace has %v, pawl only %v", kind, want["total"], got["total"])
			}
		}
	}
}

// values sums a profile by its innermost functions.
func values(t *testing.T, data []byte) map[string][2]int64 {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	sums := map[string][2]int64{"total": {}}
	for _, s := range p.Sample {
		name := "(none)"
		if len(s.Location) > 0 {
			name = s.Location[0].Line[0].Function.Name
		}
		for _, key := range []string{name, "total"} {
			v := sums[key]
			sums[key] = [2]int64{v[0] + s.Value[0], v[1] + s.Value[1]}
		}
	}
	return sums
}

func TestBroken(t *testing.T) {
	ctx := context.Background()
	head := "go 1.26 trace\x00\x00\x00"
	for _, test := range []struct {
		name, data, want string
		kind             any
	}{
		{"empty", "", "the file is empty", nil},
		{"text", "module example.com/m\n\ngo 1.25\n", "no execution trace", &NoTraceError{}},
		{"short text", "go 2", "no execution trace", &NoTraceError{}},
		{"compressed", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00\x00\x00\x00\x00\x00", "pprof profile", &NoTraceError{}},
		{"header cut", head[:9], "within the first bytes", nil},
		{"header only", head, "nothing", nil},
		{"1.21", "go 1.21 trace\x00\x00\x00", "format of Go 1.21: pawl reads those of Go 1.22 and later", &VersionError{}},
		{"1.11", "go 1.11 trace\x00\x00\x00", "record it with a newer Go", &VersionError{}},
		{"1.99", "go 1.99 trace\x00\x00\x00", "upgrade pawl", &VersionError{}},
		{"1.24", "go 1.24 trace\x00\x00\x00", "no Go release writes", &VersionError{}},
		{"noise", head + strings.Repeat("\xff", 100), "nothing of the trace", nil},
	} {
		_, err := Read(ctx, strings.NewReader(test.data))
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		if test.name != "header only" && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		var none *NoTraceError
		var version *VersionError
		_, wantNone := test.kind.(*NoTraceError)
		_, wantVersion := test.kind.(*VersionError)
		if errors.As(err, &none) != wantNone || errors.As(err, &version) != wantVersion {
			t.Errorf("%s: the error is a %T", test.name, err)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %q", test.name, err)
		}
	}
}

// What is said to be read is what the parser reads. When it learns a newer
// format, newestFormat has to follow.
func TestFormats(t *testing.T) {
	for minor := 1; minor < 60; minor++ {
		text := fmt.Sprintf("go 1.%d trace\x00\x00\x00", minor)
		_, errParser := xtrace.NewReader(strings.NewReader(text))
		_, err := readHeader(bufio.NewReader(strings.NewReader(text)))
		if minor >= oldestFormat && errParser == nil && err != nil {
			t.Errorf("the parser reads Go 1.%d: %v", minor, err)
		}
		if minor > newestFormat && errParser == nil {
			t.Errorf("the parser reads Go 1.%d, newestFormat is %d", minor, newestFormat)
		}
		if minor == newestFormat && errParser != nil {
			t.Errorf("the parser does not read Go 1.%d: %v", minor, errParser)
		}
	}
}

// A trace that breaks off gives what was read before.
func TestTruncated(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	// Two generations: the first has to survive the loss of the second.
	data := record(t, func() {
		for range 12 {
			burn(100 * nap / 2)
			waitForSleep()
		}
	})
	whole := summary(t, data)
	res := read(t, data[:len(data)-len(data)/8])
	part := res.Summary("test", "trace.out")
	if part.Stopped == "" || len(part.Warnings) == 0 || part.Events == 0 || part.Events >= whole.Events {
		t.Errorf("a trace without its end gives %d of %d events, stopped %q, warnings %v", part.Events, whole.Events, part.Stopped, part.Warnings)
	}
	consistent(t, part)
}

// A dump of a flight recorder begins in the middle of everything.
func TestFlightRecorder(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	fr := rtrace.NewFlightRecorder(rtrace.FlightRecorderConfig{MinAge: time.Second})
	if err := fr.Start(); err != nil {
		t.Skipf("this process is traced already: %v", err)
	}
	defer fr.Stop()
	waitForMutex()
	var buf bytes.Buffer
	if _, err := fr.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	sum := summary(t, buf.Bytes())
	if leading(sum, model.WaitSync) < 0 || len(sum.Warnings) > 0 {
		t.Errorf("causes are %s, want sync first; warnings %v", causeList(sum), sum.Warnings)
	}
	consistent(t, sum)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(record(t, func() {}))); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted read: %v", err)
	}
}

func TestLimit(t *testing.T) {
	l := &limited{r: endless{}, limit: 1000}
	if _, err := io.Copy(io.Discard, l); err == nil || !strings.Contains(err.Error(), "record a shorter one") {
		t.Errorf("an endless generation: %v", err)
	}
	if l.total != 1000 {
		t.Errorf("%d bytes were read", l.total)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// Whatever is done to a trace, it ends in a summary or an error.
func FuzzRead(f *testing.F) {
	data := small(f)
	f.Add(data, 0, byte(0), len(data))
	f.Add(data, len(data)/2, byte(0x40), len(data))
	f.Add(data, 17, byte(0xff), len(data))
	f.Add(data, 20, byte(1), len(data)/3)
	f.Fuzz(func(t *testing.T, data []byte, at int, bits byte, end int) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= bits
		}
		check(t, data[:max(0, min(end, len(data)))])
	})
}

func check(t *testing.T, data []byte) {
	res, err := Read(context.Background(), bytes.NewReader(data))
	if err == nil {
		own(t, res.err)
	}
	own(t, err)
	if err != nil {
		return
	}
	sum := res.Summary("test", "trace.out")
	if sum.Events <= 0 {
		t.Errorf("a summary of nothing")
	}
	for _, kind := range Kinds() {
		if _, err := res.WriteProfile(io.Discard, kind); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// own fails for a panic that is not the parser's.
func own(t *testing.T, err error) {
	t.Helper()
	var p *panicError
	if !errors.As(err, &p) {
		return
	}
	_, at, _ := strings.Cut(string(p.stack), "panic(")
	for line := range strings.Lines(at) {
		if strings.HasPrefix(line, "golang.org/x/exp/trace.") {
			return
		}
		if strings.HasPrefix(line, "github.com/pawl-dev/pawl/") {
			t.Fatalf("%v\n%s", p.value, p.stack)
		}
	}
}

// Flips of single bits, and cuts, all over a real trace.
func TestDamaged(t *testing.T) {
	data := small(t)
	for at := 0; at < len(data); at += 13 {
		bad := bytes.Clone(data)
		bad[at] ^= 1 << (at % 8)
		check(t, bad)
		check(t, data[:at])
	}
}

// small is a trace of Go 1.26, of two goroutines that sleep with a mutex held
// and allocate.
func small(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "small.trace"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Traces of older releases, of four goroutines that take turns to sleep with a
// mutex held.
func TestOlderFormats(t *testing.T) {
	for name, format := range map[string]string{"go122.trace": "1.22", "go124.trace": "1.23"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		sum := summary(t, data)
		consistent(t, sum)
		if sum.Format != format || leading(sum, model.WaitSync) < 0 || len(sum.Warnings) > 0 {
			t.Errorf("%s: format %s, causes %s, warnings %v", name, sum.Format, causeList(sum), sum.Warnings)
		}
	}
}

// The same file gives the same answer.
func TestSmall(t *testing.T) {
	first := summary(t, small(t))
	consistent(t, first)
	for range 10 {
		if diff := cmp.Diff(first, summary(t, small(t))); diff != "" {
			t.Fatalf("two readings differ:\n%s", diff)
		}
	}
	if first.Goroutines != 3 || first.GC.Cycles != 3 || first.Format != "1.26" || first.Started == nil {
		t.Errorf("%d goroutines, %d cycles, format %s, started %v", first.Goroutines, first.GC.Cycles, first.Format, first.Started)
	}
}
