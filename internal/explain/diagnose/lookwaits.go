package diagnose

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

const (
	onOther   = "other"
	onNever   = "forever"
	onLock    = "lock"
	onChannel = "channel"
	onSelect  = "select"
	onGroup   = "group"
	onIO      = "io"
	onTimer   = "sleep"
	onNothing = "running"
	onRuntime = "runtimelock"
)

// library is what the waits of the standard library alone are counted as.
const library = "library"

// lookAtWaits groups a mutex, block or goroutine profile by what is waited for.
func lookAtWaits(kind profile.Kind, p *profile.Profile, sy *model.Symptoms, o Options) error {
	typ, unit := column(kind, p)
	by := map[string]*callers{}
	parts, err := p.PartsBy(typ, func(stack []model.Frame, value float64) string {
		name := o.waitOf(kind, stack)
		if by[name] == nil {
			by[name] = newCallers()
		}
		at, via, ok := o.caller(stack)
		if !ok && len(stack) > 0 { // the whole goroutine is of the standard library: where it began
			at = outermost(stack)
			ok = !strings.HasSuffix(at.File, ".s") // a thread of the runtime began in assembly, for whomever
		}
		if ok {
			by[name].add(at, via, value)
		} else {
			by[name].addAlone(giver(stack), value)
		}
		return name
	})
	if err != nil {
		return err
	}
	sy.Rest = parts[library].Share
	for _, sig := range sign.In(kind) {
		part, there := parts[sig.Name]
		if !there {
			continue
		}
		s := seen(sig)
		s.Share, s.Lo, s.Hi, s.Unit, s.Amount = part.Share, part.Lo, part.Hi, unit, part.Share*sy.Total
		switch kind {
		case profile.KindGoroutine, profile.KindLeak:
			s.Lo, s.Hi = part.Share, part.Share // all are counted
		default:
			s.Least = max(s.Least, 0.01*1e9*sy.Seconds)
		}
		part.In = max(part.In, fewest) // counts are complete, and delays are sums, whatever the number of events
		by[sig.Name].put(&s, sy.Total)
		put(sy, s, part)
	}
	byGain(sy.Signs)
	byGain(sy.Below)
	return nil
}

// outermost returns where a goroutine began.
func outermost(stack []model.Frame) model.Frame {
	last := stack[len(stack)-1]
	if len(stack) > 1 && (last.Func == "runtime.goexit" || last.Func == "runtime.main") {
		last = stack[len(stack)-2]
	}
	return last
}

// waitOf is what a stack waits for, or library where only the standard library
// does, a server's own goroutines, which rest until somebody comes, or who asks for
// a profile.
func (o Options) waitOf(kind profile.Kind, stack []model.Frame) string {
	if kind == profile.KindBlock {
		if _, _, ok := o.caller(stack); !ok || profiling(stack) {
			return library
		}
	}
	return waitOf(kind, stack)
}

// giver is the function of the runtime that gave a lock back; "" where the stack
// has no other than those that do only that.
func giver(stack []model.Frame) string {
	for _, f := range stack {
		if !strings.HasPrefix(f.Func, "runtime.unlock") {
			return f.Func
		}
	}
	return ""
}

// profiling reports whether a stack is of a request for a profile, which waits for
// as long as the profile is to be.
func profiling(stack []model.Frame) bool {
	return slices.ContainsFunc(stack, func(f model.Frame) bool { return profile.Package(f.Func) == "net/http/pprof" })
}

// waitOf names what a stack of a mutex, block or goroutine profile waits for.
func waitOf(kind profile.Kind, stack []model.Frame) string {
	p := runtimePart(stack)
	if kind == profile.KindMutex {
		if p.has("sync.*", "internal/sync.*") {
			return onLock
		}
		return onRuntime
	}
	switch {
	case kind == profile.KindLeak && p.has("runtime.block"):
		return onNever
	case p.has("runtime.selectgo", "runtime.block"):
		return onSelect
	case p.has("runtime.chanrecv*", "runtime.chansend*"):
		return onChannel
	case p.has("sync.(*WaitGroup).*", "sync.(*Cond).*"):
		return onGroup
	case p.has("sync.(*Mutex).*", "internal/sync.(*Mutex).*", "sync.(*RWMutex).*"):
		return onLock
	case p.has("runtime.netpollblock"):
		return onIO
	case p.has("time.Sleep"):
		return onTimer
	case kind == profile.KindGoroutine && !p.has("runtime.gopark"):
		return onNothing
	}
	return onOther
}
