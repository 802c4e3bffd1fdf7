package diagnose

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Each stack belongs to one signature, by the runtime's part of it.
func TestOfStack(t *testing.T) {
	for stack, want := range map[string]string{
		"main.f main.main runtime.main":       own,
		"runtime.memmove main.f runtime.main": own,
		"runtime.nextFreeFast runtime.mallocgcSmallNoscan runtime.mallocgc runtime.newobject main.f":               allocating,
		"runtime.memmove runtime.growslice main.f":                                                                 allocating,
		"runtime.mallocgc runtime.rawstring runtime.concatstrings main.f":                                          allocating,
		"internal/runtime/maps.(*table).rehash internal/runtime/maps.(*Map).PutSlot runtime.mapassign main.f":      allocating,
		"internal/runtime/maps.(*Map).getWithKey runtime.mapaccess1 main.f":                                        own,
		"runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc runtime.mallocgc main.f": collecting,
		"runtime.scanSpan runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker": collecting,
		"runtime.copystack runtime.scanstack runtime.markroot runtime.gcDrain runtime.gcBgMarkWorker":              collecting,
		"runtime.wbBufFlush1 runtime.wbBufFlush gcWriteBarrier main.f":                                             collecting,
		"runtime.gcmarknewobject runtime.mallocgc runtime.newobject main.f":                                        allocating,
		"runtime.bgsweep": collecting,
		"runtime.stopTheWorldWithSema runtime.gcStart runtime.mallocgc main.f":                                                       collecting,
		"runtime.stopTheWorld runtime.ReadMemStats main.f":                                                                           stopping,
		"runtime.gcStart runtime.GC main.f":                                                                                          stopping,
		"runtime.traceback runtime.tracebackothers runtime.Stack main.f":                                                             stopping,
		"runtime.madvise runtime.(*mheap).scavengeAll runtime/debug.freeOSMemory runtime/debug.FreeOSMemory main.f":                  stopping,
		"runtime.evacuate_faststr runtime.growWork_faststr runtime.mapassign_faststr main.f":                                         allocating,
		"runtime.traceback runtime.Stack runtime/debug.Stack main.f":                                                                 own,
		"runtime.adjustframe runtime.copystack runtime.newstack main.f":                                                              growing,
		"runtime.newstack runtime.morestack main.f":                                                                                  growing,
		"runtime.gopreempt_m runtime.newstack main.f":                                                                                scheduling,
		"runtime.newdefer runtime.deferproc main.f":                                                                                  deferring,
		"runtime.mallocgc runtime.newdefer runtime.deferproc main.f":                                                                 deferring,
		"runtime.deferreturn main.f":                                                                                                 deferring,
		"main.closed runtime.deferreturn main.f":                                                                                     own,
		"runtime.lock2 runtime.sellock runtime.selectgo main.f":                                                                      selecting,
		"runtime.chanrecv runtime.selectnbrecv main.f":                                                                               selecting,
		"runtime.mallocgc runtime.acquireSudog runtime.chansend main.f":                                                              channels,
		"runtime.goready runtime.send runtime.chansend runtime.chansend1 main.f":                                                     channels,
		"runtime.procyield internal/sync.runtime_doSpin internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.f":                   locking,
		"sync.(*Mutex).Lock main.f":                                                                                                  own,
		"runtime.semacquire1 sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait main.f":                                         scheduling,
		"runtime.newproc1 runtime.newproc.func1 runtime.systemstack runtime.newproc main.f":                                          spawning,
		"runtime.gdestroy runtime.goexit0 runtime.mcall":                                                                             spawning,
		"runtime.cgocall main._Cfunc_f main.f":                                                                                       calling,
		"strlen f runtime.asmcgocall runtime.cgocall main._Cfunc_f main.f":                                                           calling,
		"main.called runtime.cgocallbackg1 runtime.cgocallback runtime.asmcgocall runtime.cgocall main.f":                            own,
		"runtime.futex runtime.notesleep runtime.stopm runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall":           scheduling,
		"internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.write internal/poll.(*FD).Write main.f":                 inKernel,
		"internal/runtime/syscall.Syscall6 runtime/internal/syscall.EpollWait runtime.netpoll runtime.findRunnable runtime.schedule": scheduling,
		"runtime.exitsyscallfast runtime.exitsyscall syscall.Syscall syscall.read main.f":                                            inKernel,
		"": own,
	} {
		var frames []model.Frame
		for _, f := range strings.Fields(stack) {
			frames = append(frames, model.Frame{Func: f})
		}
		if got := ofStack(frames); got != want {
			t.Errorf("%s\n\tis %q; want %q", stack, got, want)
		}
	}
}

func TestCPU(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(cpuTypes,
		cpuRow(40, "main.f main.main runtime.main"),
		cpuRow(20, "runtime.mallocgc runtime.growslice main.f main.main runtime.main"),
		cpuRow(10, "runtime.mallocgc runtime.newobject fmt.Sprintf example.com/dep.G main.f main.main runtime.main"),
		cpuRow(4, "runtime.gcDrain runtime.gcBgMarkWorker"),
		cpuRow(10, "runtime.goready runtime.send runtime.chansend runtime.chansend1 main.f main.main runtime.main"),
		cpuRow(2, "runtime.goready sync.runtime_Semrelease sync.(*WaitGroup).Done main.g runtime.goexit"),
		cpuRow(12, "runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"),
		cpuRow(2, "runtime.adjustframe runtime.copystack runtime.newstack main.f main.main runtime.main"),
	))
	want := []string{
		"allocation 30 main.f>runtime.growslice example.com/dep.G>fmt.Sprintf",
		"channel 10+10 main.f>runtime.chansend1",
		"scheduler 4 main.g>sync.(*WaitGroup).Done", // below: 2 of its own, 2 of those on no line
	}
	if diff := cmp.Diff(want[:2], brief(sy.Signs)); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
	if len(sy.Below) != 3 || sy.Below[0].Name != "collector" && sy.Below[0].Name != "scheduler" {
		t.Errorf("below the threshold: %v", brief(sy.Below))
	}
	sum := sy.Rest
	for _, s := range append(sy.Signs, sy.Below...) {
		sum += s.Gain()
		lines := s.Orphan
		for _, c := range s.Callers {
			lines += c.Share
		}
		if math.Abs(lines-s.Share) > 1e-9 {
			t.Errorf("%s: its lines add up to %v of %v", s.Name, lines, s.Share)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("all shares add up to %v; want 1", sum)
	}
	if got := sy.Signs[0].Rules[0].Name; got != "slicesize" || sy.Signs[0].Rules[0].Title == "" {
		t.Errorf("the first rule for a line that grows a slice is %q", got)
	}
}

// The line that calls C is in the program, not in what cgo wrote.
// A sweeper that gives way makes work for the scheduler, whose lever would not
// help: that is fewer goroutines, and there may be one.
func TestYields(t *testing.T) {
	t.Parallel()
	rows := []row{
		cpuRow(60, "main.f main.main runtime.main"),
		cpuRow(12, "runtime.sweepone runtime.bgsweep"),
		cpuRow(20, "runtime.findRunnable runtime.schedule runtime.goschedImpl runtime.gosched_m runtime.mcall"),
		cpuRow(6, "runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall"),
	}
	for _, tt := range []struct {
		more []row
		want []string
	}{
		{nil, []string{"collector 12+20", "scheduler 6"}},
		{[]row{cpuRow(1, "runtime.Gosched main.f")}, []string{"scheduler 26", "collector 12"}},
		{[]row{cpuRow(200, "runtime.gosched_m runtime.mcall")}, []string{"scheduler 76", "collector 4"}},
	} {
		sy := one(t, Options{}, raw(cpuTypes, append(slices.Clone(rows), tt.more...)...))
		if diff := cmp.Diff(tt.want, brief(append(sy.Signs, sy.Below...))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.more, diff)
		}
	}
}

// What goes to the system by way of the standard library alone is named by who
// asked for it.
func TestStandardLines(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(cpuTypes,
		cpuRow(40, "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write"),
		cpuRow(30, "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.read internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read"),
		cpuRow(30, "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.close"),
	))
	want := []string{"syscall 100 net.(*netFD).Write>internal/poll.(*FD).Write net.(*netFD).Read>internal/poll.(*FD).Read syscall.close>syscall.RawSyscall6"}
	if diff := cmp.Diff(want, brief(sy.Signs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCgo(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(cpuTypes, cpuRow(90, "runtime.cgocall main._Cfunc_add main.f main.main"), cpuRow(10, "main.g main.main")))
	if diff := cmp.Diff([]string{"cgo 90 main.f>main._Cfunc_add"}, brief(sy.Signs)); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
}

// Goroutines of the standard library have lines, too.
func TestLibrary(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(cpuTypes, cpuRow(90, "runtime.mallocgc runtime.makeslice bufio.NewReaderSize net/http.(*conn).serve runtime.goexit"), cpuRow(10, "runtime.findRunnable runtime.schedule runtime.goexit0 runtime.mcall")))
	if diff := cmp.Diff([]string{"allocation 90 bufio.NewReaderSize>runtime.makeslice", "scheduler 10"}, brief(sy.Signs)); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
}

// Three samples do not make a signature, whatever their share.
func TestFewSamples(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(cpuTypes, cpuRow(3, "runtime.mallocgc main.f"), cpuRow(7, "main.f")))
	if len(sy.Signs) != 0 || len(sy.Below) != 1 || len(sy.Warnings) == 0 {
		t.Errorf("signs %v, below %v, warnings %v", brief(sy.Signs), brief(sy.Below), sy.Warnings)
	}
	// Nor are two without names, as of code that the kernel maps, one that cannot be read.
	if sy := one(t, Options{}, raw(cpuTypes, cpuRow(2, "?"))); len(sy.Signs) != 0 || len(sy.Warnings) == 0 {
		t.Errorf("nameless: signs %v, warnings %v", brief(sy.Signs), sy.Warnings)
	}
}

func TestOwn(t *testing.T) {
	t.Parallel()
	p := raw(cpuTypes, cpuRow(100, "runtime.mallocgc example.com/dep.G example.com/m/a.F main.main"), cpuRow(50, "runtime.mallocgc example.com/dep.H other.org/x.Y"))
	for own, want := range map[string]string{
		"":                "allocation 100 example.com/dep.G>runtime.mallocgc example.com/dep.H>runtime.mallocgc",
		"example.com/m":   "allocation 100 example.com/m/a.F>example.com/dep.G example.com/dep.H>runtime.mallocgc",
		"example.com/m/":  "allocation 100 example.com/m/a.F>example.com/dep.G example.com/dep.H>runtime.mallocgc",
		"example.com/mm/": "allocation 100 main.main>example.com/m/a.F example.com/dep.H>runtime.mallocgc",
	} {
		if diff := cmp.Diff([]string{want}, brief(one(t, Options{Own: own}, p).Signs)); diff != "" {
			t.Errorf("-own %q (-want +got):\n%s", own, diff)
		}
	}
}

func TestWaits(t *testing.T) {
	t.Parallel()
	ms := int64(1e6)
	for name, tt := range map[string]struct {
		p           *pprof.Profile
		kind        string
		signs, rest []string
	}{
		"mutex": {
			raw(delayTypes, row{"sync.(*Mutex).Unlock main.f", []int64{5, 90 * ms}}, row{"runtime.unlock runtime.chansend1 main.g", []int64{5, 10 * ms}}),
			"mutex",
			[]string{"lock 90 main.f>sync.(*Mutex).Unlock", "runtimelock 10 main.g>runtime.chansend1"}, nil,
		},
		"mutex, little": {raw(delayTypes, row{"sync.(*Mutex).Unlock main.f", []int64{5, ms}}), "mutex", nil, []string{"lock 100 main.f>sync.(*Mutex).Unlock"}},
		"block, rest comes last": {
			raw(delayTypes,
				row{"runtime.selectgo main.f", []int64{5, 60 * ms}}, row{"sync.(*Mutex).Lock main.g", []int64{5, 20 * ms}},
				row{"runtime.chanrecv1 main.h", []int64{5, 15 * ms}}, row{"sync.(*WaitGroup).Wait main.h", []int64{5, 5 * ms}}),
			"block",
			[]string{"lock 20 main.g>sync.(*Mutex).Lock", "select 60 main.f>runtime.selectgo", "channel 15 main.h>runtime.chanrecv1"},
			[]string{"group 5 main.h>sync.(*WaitGroup).Wait"},
		},
		"block, a server at rest": {
			raw(delayTypes, row{"runtime.selectgo net/http.(*conn).serve runtime.goexit", []int64{5, 60 * ms}}),
			"block", nil, nil,
		},
		"goroutines": {
			raw(goroutineTypes,
				row{"runtime.gopark runtime.chansend runtime.chansend1 main.f", []int64{3000}},
				row{"runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait net/http.(*conn).serve runtime.goexit", []int64{1500}},
				row{"runtime.gopark time.Sleep main.g", []int64{500}}, row{"runtime.gopark runtime.unheard.of main.x", []int64{1}}),
			"goroutine",
			[]string{"channel 60 main.f>runtime.chansend1", "io 30 net/http.(*conn).serve>"},
			[]string{"sleep 10 main.g>time.Sleep"},
		},
		"leaked goroutines, where one is enough": {
			raw([]string{"goroutineleak"},
				row{"runtime.gopark runtime.chanrecv runtime.chanrecv1 main.f", []int64{1}},
				row{"runtime.gopark runtime.selectgo main.g", []int64{3}},
				row{"runtime.gopark runtime.goparkunlock runtime.semacquire1 sync.runtime_SemacquireRWMutexR sync.(*RWMutex).RLock main.h", []int64{2}},
				row{"runtime.gopark runtime.goparkunlock sync.runtime_notifyListWait sync.(*Cond).Wait main.i", []int64{2}},
				row{"runtime.gopark runtime.unheard.of main.x", []int64{1}},
				row{"runtime.gopark runtime.block main.main runtime.main", []int64{1}}),
			"goroutineleak",
			[]string{
				"select 30 main.g>runtime.selectgo", "group 20 main.i>sync.(*Cond).Wait", "lock 20 main.h>sync.(*RWMutex).RLock",
				"channel 10 main.f>runtime.chanrecv1", "other 10 main.x>runtime.unheard.of", "forever 10 main.main>runtime.block",
			},
			nil,
		},
	} {
		sy := one(t, Options{}, tt.p)
		if sy.Kind != tt.kind {
			t.Errorf("%s: kind %s", name, sy.Kind)
		}
		if diff := cmp.Diff(tt.signs, brief(sy.Signs)); diff != "" {
			t.Errorf("%s: signs (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(tt.rest, brief(sy.Below)); diff != "" {
			t.Errorf("%s: below (-want +got):\n%s", name, diff)
		}
	}
}

func TestHeap(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(heapTypes,
		row{"main.f main.main", []int64{900000, 1 << 30, 10, 1 << 20}},
		row{"bytes.growSlice main.g main.main", []int64{90000, 9 << 30, 1000, 200 << 20}},
		row{"main.h main.main", []int64{10000, 1 << 20, 1, 1 << 10}}))
	want := []string{"bytes 100 main.g>bytes.growSlice main.f>", "live 100 main.g>bytes.growSlice", "objects 99 main.f> main.g>bytes.growSlice"}
	if diff := cmp.Diff(want, brief(sy.Signs)); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
	var flat []row
	for _, f := range strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z") {
		flat = append(flat, row{"main." + f, []int64{100000, 100 << 20, 1, 1}})
	}
	if sy := one(t, Options{}, raw(heapTypes, flat...)); len(sy.Signs) != 0 {
		t.Errorf("a flat profile shows %v", brief(sy.Signs))
	}
}

// Of what changed in a time, what was allocated is looked at, and what is alive
// is not: it may be below zero.
func TestHeapOfTime(t *testing.T) {
	t.Parallel()
	gone := raw(heapTypes, row{"main.g main.main", []int64{90000, 90 << 20, -1000, -200 << 20}}, row{"main.h main.main", []int64{10, 1 << 20, 1, 80 << 20}})
	came := raw(heapTypes, row{"main.g main.main", []int64{90000, 90 << 20, 1000, 200 << 20}})
	came.DurationNanos = 5e9
	for name, p := range map[string]*pprof.Profile{"gone": gone, "came": came} {
		sy := one(t, Options{}, p)
		if diff := cmp.Diff([]string{"bytes", "objects"}, slices.Sorted(slices.Values(signNames(sy.Signs)))); diff != "" || len(sy.Below) != 0 {
			t.Errorf("%s: signs (-want +got):\n%s\nbelow %v", name, diff, brief(sy.Below))
		}
		if len(sy.Warnings) != 1 || !strings.Contains(sy.Warnings[0].Seen, "what is alive is left out") {
			t.Errorf("%s: warnings %v", name, sy.Warnings)
		}
		flames, err := Flames([]profile.Source{source(t, "x", p)}, nil, Options{})
		if err != nil || len(flames["heap"]) != 2 {
			t.Errorf("%s: %d graphs, %v", name, len(flames["heap"]), err)
		}
	}
	none := raw(heapTypes, row{"main.g main.main", []int64{0, 0, -1000, -200 << 20}})
	none.DurationNanos = 5e9
	if sy := one(t, Options{}, none); len(sy.Signs) != 0 || len(sy.Warnings) != 1 || !strings.Contains(sy.Warnings[0].Cause, "in that time") {
		t.Errorf("nothing allocated: %+v", sy)
	}
	d, base, now, err := Grown([]profile.Source{source(t, "came", came)}, []profile.Source{source(t, "came", came)}, Options{})
	if err != nil || len(d) != 0 || len(base) != 1 || len(now) != 1 {
		t.Errorf("growth of differences: %v, %v; they are to be compared", d, err)
	}
}

// What cannot be told is said, with the next step.
func TestDoubts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		p    *pprof.Profile
		want string
	}{
		"empty":      {raw(cpuTypes), "no samples"},
		"no mutexes": {raw(delayTypes), "SetMutexProfileFraction"},
		"no runtime": {raw(cpuTypes, cpuRow(200, "main.f main.main runtime.main")), "no function of the runtime"},
		"some names": {raw(cpuTypes, cpuRow(50, "?"), cpuRow(150, "runtime.mallocgc main.f")), "25 % of the profile has no names"},
	} {
		sy := one(t, Options{}, tt.p)
		text := ""
		for _, w := range sy.Warnings {
			text += w.Seen + w.Cause + w.Try
		}
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s: warnings %q; want %q", name, text, tt.want)
		}
	}
	foreign := raw(cpuTypes, cpuRow(100, "main"))
	foreign.Function[0].Filename = "app.py"
	for name, tt := range map[string]struct {
		p    *pprof.Profile
		want string
	}{
		"no names":         {raw(cpuTypes, cpuRow(100, "?")), "go tool pprof -proto"},
		"another language": {foreign, "is of a Go file"},
		"another kind":     {raw([]string{"wall"}, row{"main.f", []int64{1}}), "samples of wall"},
		"a difference":     {raw(cpuTypes, cpuRow(-5, "main.f")), "difference of two profiles"},
	} {
		_, err := Diagnose([]profile.Source{source(t, "x.pprof", tt.p)}, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "x.pprof") {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
}

// Profiles of one kind are added up, and kinds kept apart.
// Heap profiles of one process count the same again; those of several hosts do
// not.
func TestCountedTwice(t *testing.T) {
	t.Parallel()
	early := heapAt(0, kept{"main.f main.main", 64, 90, 9})
	late := heapAt(1, kept{"main.f main.main", 64, 190, 9}, kept{"main.g main.main", 64, 50, 9})
	other := heapAt(2, kept{"main.f main.main", 64, 40, 9}, kept{"main.g main.main", 64, 80, 9})
	for name, tt := range map[string]struct {
		sources []profile.Source
		want    string // a part of the warning; "" for none
	}{
		"one process":     {[]profile.Source{source(t, "late", late), source(t, "early", early)}, "late has all that is in early"},
		"the same":        {[]profile.Source{source(t, "late", late), source(t, "again", late)}, "again has all that is in late"},
		"another process": {[]profile.Source{source(t, "late", late), source(t, "other", other)}, ""},
		"alone":           {[]profile.Source{source(t, "late", late)}, ""},
	} {
		d, err := Diagnose(tt.sources, Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen := ""
		for _, w := range d.Profiles[0].Warnings {
			seen += w.Seen
		}
		if (seen == "") != (tt.want == "") || !strings.Contains(seen, tt.want) {
			t.Errorf("%s: %q; want %q", name, seen, tt.want)
		}
	}
}

// Mutex and block profiles count from the start of a process, too. That they are of
// one is a guess by their counts.
func TestDelaysCountedTwice(t *testing.T) {
	t.Parallel()
	lock, wait := "sync.(*Mutex).Unlock main.f", "runtime.chanrecv1 main.f"
	delays := func(stack string, f, g int64) *pprof.Profile {
		p := raw(delayTypes, row{stack, []int64{f, f * 1e9}}, row{stack + " main.g", []int64{g, g * 1e6}})
		p.TimeNanos = f
		return p
	}
	timed := delays(lock, 9, 9)
	timed.DurationNanos = 1e9
	built := delays(lock, 9, 9)
	built.Mapping = []*pprof.Mapping{{ID: 1, Start: 1, Limit: 100, File: "other", BuildID: "other"}}
	for name, tt := range map[string]struct {
		a, b *pprof.Profile
		want bool
	}{
		"mutex":        {delays(lock, 9, 9), delays(lock, 5, 8), true},
		"block":        {delays(wait, 5, 9), delays(wait, 9, 9), true},
		"fewer":        {delays(lock, 5, 9), delays(lock, 9, 8), false},
		"gone":         {delays(lock, 5, 9), raw(delayTypes, row{lock, []int64{9, 9}}), false},
		"of some time": {delays(lock, 5, 8), timed, false},
		"other build":  {delays(lock, 5, 8), built, false},
	} {
		d, err := Diagnose([]profile.Source{source(t, "a", tt.a), source(t, "b", tt.b)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen := len(d.Profiles[0].Warnings) > 0
		if seen != tt.want || seen && !strings.Contains(d.Profiles[0].Warnings[0].Seen, "and they are added up") {
			t.Errorf("%s: %+v; want a warning: %v", name, d.Profiles[0].Warnings, tt.want)
		}
	}
}

// The runtime's threads begin in assembly, which is no line of anybody's; a
// goroutine of the standard library has where it began.
func TestWaitsOnNoLine(t *testing.T) {
	t.Parallel()
	p := raw(delayTypes, row{"runtime.unlock runtime.gcstopm runtime.schedule runtime.mcall", []int64{9, 9e9}})
	p.Function[3].Filename = "/src/runtime/asm_amd64.s"
	sy := one(t, Options{}, p)
	if s := sy.Signs[0]; len(s.Callers) > 0 || s.Orphan != 1 || s.OrphanIn != "runtime.gcstopm" {
		t.Errorf("%+v", s)
	}
	sy = one(t, Options{}, raw(goroutineTypes, row{"runtime.gopark runtime.selectgo os/signal.loop runtime.goexit", []int64{2000}}))
	if s := sy.Signs[0]; len(s.Callers) != 1 || s.Callers[0].Func != "os/signal.loop" || s.Orphan > 0 {
		t.Errorf("%+v", s)
	}
}

// A request for a profile of some seconds waits in a handler of the program
// meanwhile: that is no wait of the program's.
func TestWaitsForProfiles(t *testing.T) {
	t.Parallel()
	sy := one(t, Options{}, raw(delayTypes,
		row{"runtime.selectgo net/http/pprof.sleep net/http/pprof.Profile example.com/mux.Serve", []int64{1, 90e9}},
		row{"runtime.chanrecv1 example.com/m.work", []int64{9, 10e9}},
	))
	if diff := cmp.Diff([]string{"channel 10 example.com/m.work>runtime.chanrecv1"}, brief(append(sy.Signs, sy.Below...))); diff != "" || sy.Rest != 0.9 {
		t.Errorf("rest %v (-want +got):\n%s", sy.Rest, diff)
	}
}

// Own may be of the standard library, for who works on that.
func TestOwnStandard(t *testing.T) {
	t.Parallel()
	p := raw(cpuTypes, cpuRow(100, "runtime.mallocgc bytes.growSlice encoding/json.Marshal example.com/m.f"))
	if diff := cmp.Diff([]string{"allocation 100 encoding/json.Marshal>bytes.growSlice"}, brief(one(t, Options{Own: "encoding/json"}, p).Signs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSeveral(t *testing.T) {
	t.Parallel()
	a := source(t, "a", raw(cpuTypes, cpuRow(40, "runtime.mallocgc main.f"), cpuRow(60, "main.f")))
	b := source(t, "b", raw(cpuTypes, cpuRow(100, "runtime.mallocgc main.f")))
	c := source(t, "c", raw(goroutineTypes, row{"runtime.gopark runtime.chanrecv main.f", []int64{7}}))
	d, err := Diagnose([]profile.Source{a, c, b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Profiles) != 2 || d.Profiles[0].Samples != 200 || d.Profiles[1].Kind != string(profile.KindGoroutine) {
		t.Fatalf("%+v", d.Profiles)
	}
	if diff := cmp.Diff([]string{"allocation 70 main.f>runtime.mallocgc"}, brief(d.Profiles[0].Signs)); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, d.Profiles[0].Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}
