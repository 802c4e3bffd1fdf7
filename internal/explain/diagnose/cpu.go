package diagnose

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A part is the runtime's part of a stack, by the names of its functions,
// innermost first.
type part []string

// runtimePart returns the runtime's part of a stack. cgocall ends it: what is
// further in is C, or Go that C calls.
func runtimePart(stack []model.Frame) part {
	var out part
	for _, f := range stack {
		if !ofRuntime(f.Func) {
			break
		}
		out = append(out, f.Func)
	}
	return out
}

// ofRuntime reports whether a function is of the runtime, of package sync,
// whose locks and pools are half in the runtime, or one of those that the
// runtime gives to other packages.
func ofRuntime(name string) bool {
	if !strings.Contains(name, ".") { // gcWriteBarrier, aeshashbody, memeqbody: assembly
		return true
	}
	if name == "time.Sleep" {
		return true
	}
	pkg := profile.Package(name)
	return pkg == "runtime" || pkg == "runtime/debug" || pkg == "sync" || pkg == "internal/sync" || pkg == "internal/abi" || pkg == "internal/bytealg" ||
		strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/")
}

// has reports whether the part has one of the runtime's functions. A name that
// ends in a star stands for all that begin with it.
func (p part) has(names ...string) bool {
	return slices.ContainsFunc(p, func(f string) bool { return matches(f, names) })
}

func matches(f string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		begin, any := strings.CutSuffix(n, "*")
		return any && strings.HasPrefix(f, begin) || f == n
	})
}

const (
	stopping   = "stoptheworld"
	collecting = "collector"
	growing    = "stackgrowth"
	deferring  = "defer"
	selecting  = "select"
	channels   = "channel"
	locking    = "lock"
	spawning   = "goroutines"
	allocating = "allocation"
	calling    = "cgo"
	scheduling = "scheduler"
	inKernel   = "syscall"
	own        = "" // the program's own work
)

// order is how stacks are given to signatures: the first that matches.
var order = []struct {
	name  string
	funcs []string
}{
	{stopping, []string{"runtime.GC", "runtime.ReadMemStats", "runtime.tracebackothers", "runtime.stopTheWorld", "runtime.startTheWorld", "runtime.GOMAXPROCS", "runtime/debug.freeOSMemory", "runtime/debug.FreeOSMemory", "runtime/debug.readGCStats"}},
	{collecting, []string{"runtime.gcBgMarkWorker*", "runtime.bgsweep", "runtime.bgscavenge", "runtime.forcegchelper", "runtime.gcAssist*", "runtime.gcDrain*",
		"runtime.gcStart*", "runtime.gcMark*", "runtime.gcSweep", "runtime.wbBufFlush*", "gcWriteBarrier*", "runtime.gcWriteBarrier*", "runtime.deductSweepCredit",
		"runtime.(*sweepLocked).sweep", "runtime.sweepone", "runtime.gcParkAssist", "runtime.bulkBarrierPreWrite*", "runtime.gcController*", "runtime.(*gcControllerState)*"}},
	{growing, []string{"runtime.copystack", "runtime.newstack", "runtime.morestack*"}},
	{deferring, []string{"runtime.deferproc*", "runtime.deferreturn", "runtime.(*_panic).nextDefer", "runtime.newdefer", "runtime.freedefer", "runtime.popDefer"}},
	{selecting, []string{"runtime.selectgo", "runtime.selectnbrecv*", "runtime.selectnbsend"}},
	{channels, []string{"runtime.chansend*", "runtime.chanrecv*", "runtime.closechan"}},
	{locking, []string{"sync.(*Mutex).*", "internal/sync.(*Mutex).*", "sync.(*RWMutex).*"}},
	{spawning, []string{"runtime.newproc*", "runtime.goexit0", "runtime.gdestroy", "runtime.gfget", "runtime.gfput", "runtime.malg"}},
	{allocating, []string{"runtime.mallocgc*", "runtime.newobject", "runtime.growslice*", "internal/runtime/maps.(*table).grow", "internal/runtime/maps.(*table).split",
		"internal/runtime/maps.(*table).rehash", "internal/runtime/maps.(*Map).growTo*", "runtime.rawstring*", "runtime.rawbyteslice",
		"runtime.hashGrow", "runtime.growWork*", "runtime.evacuate*"}}, // maps before Go 1.24
	{scheduling, []string{"runtime.mcall", "runtime.schedule", "runtime.findRunnable", "runtime.park_m", "runtime.gosched_m", "runtime.goschedImpl", "runtime.gopreempt_m",
		"runtime.mstart*", "runtime.exitsyscall0", "runtime.sysmon", "runtime.stopm", "runtime.startm", "runtime.wakep", "runtime.gopark", "runtime.goready",
		"runtime.semacquire*", "runtime.semrelease*", "time.Sleep"}},
	{inKernel, []string{"internal/runtime/syscall*", "runtime/internal/syscall*", "runtime.entersyscall*", "runtime.reentersyscall", "runtime.exitsyscall*"}},
}

// ofStack names the signature that a stack of a CPU profile belongs to.
func ofStack(stack []model.Frame) string {
	if inC(stack) {
		return calling
	}
	p := runtimePart(stack)
	for _, o := range order {
		if !p.has(o.funcs...) || o.name == growing && p.preempted() || o.name == locking && !p.slow() ||
			o.name == spawning && p.has("runtime.schedule") { // what runs after a goroutine has ended
			continue
		}
		return o.name
	}
	return own
}

// preempted reports whether a goroutine came into newstack to give way: that
// is how it is asked to.
func (p part) preempted() bool {
	return !p.has("runtime.copystack") && p.has("runtime.gopreempt_m", "runtime.goschedImpl", "runtime.preemptPark", "runtime.gosched_m", "runtime.schedule")
}

// slow reports whether a lock was waited for, or others wait for it. A lock
// that is free costs some instructions in whatever function takes it.
func (p part) slow() bool {
	return slices.ContainsFunc(p, func(f string) bool {
		return strings.HasSuffix(f, "Slow") || strings.HasPrefix(f, "runtime.sem") || strings.Contains(f, "runtime_Sem") || strings.HasSuffix(f, "doSpin")
	})
}

// inC reports whether a stack is in a call of C, or on the way there or back,
// and not in Go that C called.
func inC(stack []model.Frame) bool {
	for _, f := range stack {
		if !strings.HasPrefix(f.Func, "runtime.") { // most frames, and cheap to see
			continue
		}
		switch {
		case f.Func == "runtime.cgocall":
			return true
		case strings.HasPrefix(f.Func, "runtime.cgocallback"):
			return false
		}
	}
	return false
}

// wakes reports whether a stack is seen to park or wake a goroutine, which
// gives the scheduler work.
func wakes(stack []model.Frame) bool {
	return runtimePart(stack).has("runtime.gopark", "runtime.goready", "runtime.ready", "runtime.goready*", "runtime.readyWithTime", "runtime.semrelease*", "runtime.wakep", "runtime.runqput*")
}

// symbols returns which functions of the runtime are on a stack and make it
// the signature's, each once.
func symbols(stack []model.Frame, name string) []string {
	if name == calling {
		return []string{"runtime.cgocall"}
	}
	var out []string
	for _, o := range order {
		if o.name != name {
			continue
		}
		seen := map[string]bool{}
		for _, f := range runtimePart(stack) {
			if matches(f, o.funcs) && !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out
}
