package diagnose

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
)

// Run looks for signatures in what was seen of a command from outside, and
// writes them into it.
func Run(o *model.Observed) {
	sy := &model.Symptoms{Kind: string(ofRun), Signs: []model.Sign{}, Below: []model.Sign{}}
	add := func(name, unit string, amount, of float64) {
		if of <= 0 || amount <= 0 {
			return
		}
		sig, ok := signatureOf(ofRun, name)
		if !ok {
			return
		}
		s := sig.sign()
		s.Callers, s.Unit, s.Amount = []model.SignCaller{}, unit, amount
		s.Share = min(1, amount/of)
		s.Lo, s.Hi = s.Share, s.Share // it was counted, not sampled
		if s.Share > 0.0005 {
			put(sy, s, profile.Part{In: 1 << 30})
		}
	}
	if g := o.GC; g != nil {
		cycles := float64(g.Cycles)
		add(collecting, "ns", g.CPUNs, o.CPUNs)
		add(assisting, "ns", g.AssistNs, g.CPUNs)
		add(atLeastHeap, "cycles", float64(g.Least), cycles)
		add(onRequest, "cycles", float64(g.Forced), cycles)
		add(stopped, "ns", g.StopNs, o.Seconds*1e9)
	}
	if p := o.Process; p != nil {
		add(waitingCore, "ns", p.WaitNs, p.RunNs+p.WaitNs)
		add(throttled, "periods", p.Throttled, p.Periods)
		if g := o.GC; g != nil && g.Programs == 1 && p.Processes == 1 {
			add(beyondHeap, "bytes", p.PeakRSS-g.GoalBytes, p.PeakRSS)
		}
	}
	byGain(sy.Signs)
	byGain(sy.Below)
	o.Signs, o.Below = sy.Signs, sy.Below
}
