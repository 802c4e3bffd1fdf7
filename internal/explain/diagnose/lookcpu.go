package diagnose

import (
	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// enoughWakes is the share of the profile in which goroutines must be seen to
// be woken before the scheduler's time is divided by it.
const enoughWakes = 0.01

// sweeps is the part of the time in yields that the sweeper must have at least
// for these to be its own.
const sweeps = 0.25

// lookAtCPU gives each stack of a CPU profile to one signature.
func lookAtCPU(p *profile.Profile, sy *model.Symptoms, o Options) error {
	by := map[string]*callers{} // by signature
	wakers := map[string]float64{}
	rest := newCallers()
	var y yields
	parts, err := p.PartsBy("cpu", func(stack []model.Frame, value float64) string {
		name := ofStack(stack)
		y.add(runtimePart(stack), name, value)
		if name == own {
			if at, via, ok := o.line(stack); ok {
				rest.add(at, via, value)
			}
			return own
		}
		c := by[name]
		if c == nil {
			c = newCallers()
			by[name] = c
		}
		at, via, ok := o.line(stack)
		c.count(at, via, ok, symbols(stack, name), value)
		if ok && wakes(stack) {
			wakers[name] += value
		}
		return name
	})
	if err != nil {
		return err
	}
	sy.Rest, sy.RestCallers = parts[own].Share, rest.greatest(sy.Total)
	onBehalf := divide(by[scheduling], wakers, y.sweeper(), sy.Total)
	for _, sig := range sign.In(profile.KindCPU) {
		part, there := parts[sig.Name]
		if !there {
			continue
		}
		// What is all on behalf of others has been said there.
		if s := cpuSign(sig, part, by[sig.Name], onBehalf, sy.Total); s.Gain() > 0.0005 {
			put(sy, s, part)
		}
	}
	byGain(sy.Signs)
	byGain(sy.Below)
	return nil
}

// count adds a stack by its line, or to those without one, and by the
// runtime's functions that it was recognised by.
func (c *callers) count(at model.Frame, via string, ok bool, names []string, value float64) {
	for _, f := range names {
		c.names[f] += value
	}
	if ok {
		c.add(at, via, value)
		return
	}
	tell := ""
	if n := len(names); n > 0 {
		tell = names[n-1]
		if tell == "runtime.mcall" || tell == "runtime.mstart" || tell == "runtime.mstart0" || tell == "runtime.mstart1" { // where any of them begins
			tell = names[0]
		}
	}
	c.addAlone(tell, value)
}

// addAlone adds a stack on no line, and the function that tells of it, if any.
func (c *callers) addAlone(tell string, value float64) {
	c.orphan += value
	if tell != "" {
		c.alone[tell] += value
	}
}

func cpuSign(sig sign.Sign, part profile.Part, c *callers, onBehalf map[string]float64, total float64) model.Sign {
	s := seen(sig)
	s.Unit, s.Amount = "ns", part.Share*total
	s.Share, s.Lo, s.Hi = part.Share, part.Lo, part.Hi
	c.put(&s, total)
	if sig.Name != scheduling {
		s.Scheduler = onBehalf[sig.Name]
		return s
	}
	gone := 0.0
	for _, share := range onBehalf {
		gone += share
	}
	s.Share, s.Lo, s.Hi = max(0, s.Share-gone), max(0, s.Lo-gone), max(0, s.Hi-gone)
	s.Orphan, s.Amount = max(0, s.Orphan-gone), s.Share*total
	return s
}

// divide gives the scheduler's time on no line to the collector, as far as it
// is in yields of the sweeper, and to the signatures that wake goroutines, in
// proportion to what they were seen to. The result has shares of the profile,
// without that which remains with the scheduler.
func divide(scheduler *callers, wakers map[string]float64, sweeper, total float64) map[string]float64 {
	sum := 0.0
	for _, v := range wakers {
		sum += v
	}
	out := map[string]float64{}
	if scheduler == nil {
		return out
	}
	if sweeper > 0 {
		out[collecting] = sweeper / total
	}
	if sum < enoughWakes*total {
		return out
	}
	for _, name := range []string{channels, selecting, locking, spawning} {
		if v := wakers[name]; v > 0 {
			out[name] = (scheduler.orphan - sweeper) / total * v / sum
		}
	}
	return out
}

// yields is the time of goroutines that gave way by themselves, which is on
// stacks of the scheduler, and who may have: the sweeper does every few spans
// while no processor is idle, and the program calls runtime.Gosched.
type yields struct{ all, sweeping, asked float64 }

// add adds a stack with its part of the runtime, and the signature that it
// belongs to: the scheduler may find work for the collector.
func (y *yields) add(p part, name string, value float64) {
	switch {
	case p.has("runtime.Gosched"):
		y.asked += value
	case name == scheduling && p.has("runtime.gosched_m"):
		y.all += value
	case p.has("runtime.bgsweep"):
		y.sweeping += value
	}
}

// sweeper returns the time in yields of the sweeper: all of it, where it was
// seen to sweep and the program was not seen to give way, else none.
func (y *yields) sweeper() float64 {
	if y.asked > 0 || y.sweeping < sweeps*y.all {
		return 0
	}
	return y.all
}
