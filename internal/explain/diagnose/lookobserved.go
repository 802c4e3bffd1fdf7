package diagnose

import (
	"cmp"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

const (
	atLeastHeap = "smallheap"
	onRequest   = "forced"
	stopped     = "stops"
	assisting   = "assist"
	waitingCore = "cores"
	throttled   = "throttled"
	beyondHeap  = "memory"
)

// leastCollecting is the share of CPU time below which it does not matter why
// there are collections.
const leastCollecting = 0.01

// A run is what was seen of a command, while it is looked at.
type run struct {
	sy    *model.Symptoms
	worth map[string]float64 // by signature: what could be gained, as a share of the run
}

// Run looks for signatures in what was seen of a command from outside, and
// writes them into it.
func Run(o *model.Observed) {
	r := &run{sy: &model.Symptoms{Kind: string(sign.Command), Signs: []model.Sign{}, Below: []model.Sign{}}, worth: map[string]float64{}}
	if g := o.GC; g != nil && o.CPUNs > 0 {
		cores := onCores(o.Process)
		used := g.CPUNs * cores
		cycles, spent := float64(g.Cycles), used/o.CPUNs
		r.add(collecting, "ns", used, o.CPUNs, 1)
		r.add(assisting, "ns", g.AssistNs*cores, used, spent)
		if spent >= leastCollecting {
			r.add(atLeastHeap, "cycles", float64(g.Least), cycles, spent)
			r.add(onRequest, "cycles", float64(g.Forced), cycles, spent)
		}
		r.add(stopped, "ns", g.StopNs, o.Seconds*1e9, 1)
	}
	if p := o.Process; p != nil {
		r.add(waitingCore, "ns", p.WaitNs, p.RunNs+p.WaitNs, 1)
		r.add(throttled, "periods", p.Throttled, p.Periods, 1)
		if g := o.GC; g != nil && g.Programs == 1 && p.Processes == 1 {
			r.add(beyondHeap, "bytes", p.PeakRSS-g.GoalBytes, p.PeakRSS, 0) // memory is no time
		}
	}
	for _, signs := range [][]model.Sign{r.sy.Signs, r.sy.Below} {
		sorted.By(signs, func(a, b model.Sign) int {
			return cmp.Or(cmp.Compare(r.worth[b.Name], r.worth[a.Name]), cmp.Compare(a.Name, b.Name))
		})
	}
	o.Signs, o.Below = r.sy.Signs, r.sy.Below
}

// onCores is how much of the time in which they had work the threads were on a
// core. The collector's own figures go by the clock, from when a worker has a
// processor of Go, whether the system runs it then or not.
func onCores(p *model.ProcessUse) float64 {
	if p == nil || p.RunNs <= 0 || p.WaitNs < 0 {
		return 1
	}
	return p.RunNs / (p.RunNs + p.WaitNs)
}

// add notes an amount of a whole. The whole is itself a part of the run.
func (r *run) add(name, unit string, amount, whole, part float64) {
	sig, ok := sign.Of(sign.Command, name)
	if !ok || whole <= 0 || amount <= 0 {
		return
	}
	s := seen(sig)
	s.Callers, s.Unit, s.Amount = []model.SignCaller{}, unit, amount
	s.Share = min(1, amount/whole)
	s.Lo, s.Hi = s.Share, s.Share // it was counted, not sampled
	r.worth[name] = part * s.Share
	if s.Share > 0.0005 {
		put(r.sy, s, profile.Part{In: 1 << 30})
	}
}
