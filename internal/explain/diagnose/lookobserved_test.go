package diagnose

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func signNames(signs []model.Sign) []string {
	var out []string
	for _, s := range signs {
		out = append(out, s.Name)
	}
	return out
}

// Each signature of a command is seen by the figure that is its own, and by no
// other.
func TestRun(t *testing.T) {
	t.Parallel()
	calm := func() *model.Observed {
		return &model.Observed{
			Seconds: 10, CPUNs: 10e9,
			GC:      &model.GCLines{Cycles: 100, CPUNs: 300e6, GoalBytes: 100 << 20, Programs: 1},
			Process: &model.ProcessUse{Processes: 1, RunNs: 10e9, WaitNs: 50e6, PeakRSS: 120 << 20},
		}
	}
	for _, tt := range []struct {
		name string
		set  func(*model.Observed)
		want []string
	}{
		{"calm", func(*model.Observed) {}, nil},
		{"nothing", func(o *model.Observed) { *o = model.Observed{} }, nil},
		{"collector", func(o *model.Observed) { o.GC.CPUNs = 2e9 }, []string{collecting}},
		{"assist", func(o *model.Observed) { o.GC.AssistNs = 200e6 }, []string{assisting}},
		{"small heap", func(o *model.Observed) { o.GC.Least = 90 }, []string{atLeastHeap}},
		{"small heap that costs nothing", func(o *model.Observed) { o.GC.Least, o.GC.CPUNs = 90, 5e6 }, nil},
		{"forced", func(o *model.Observed) { o.GC.Forced = 30 }, []string{onRequest}},
		{"stops", func(o *model.Observed) { o.GC.StopNs = 500e6 }, []string{stopped}},
		{"cores", func(o *model.Observed) { o.Process.WaitNs = 5e9 }, []string{waitingCore}},
		{"throttled", func(o *model.Observed) { o.Process.Periods, o.Process.Throttled = 100, 40 }, []string{throttled}},
		{"memory", func(o *model.Observed) { o.Process.PeakRSS = 2 << 30 }, []string{beyondHeap}},
		{"memory of many", func(o *model.Observed) { o.Process.PeakRSS, o.Process.Processes = 2<<30, 3 }, nil},
		// The small heap costs at most what collecting does.
		{"order", func(o *model.Observed) { o.GC.Least, o.GC.CPUNs, o.Process.WaitNs = 99, 2e9, 10e9 }, []string{waitingCore, collecting, atLeastHeap}},
	} {
		o := calm()
		tt.set(o)
		Run(o)
		if diff := cmp.Diff(tt.want, signNames(o.Signs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Helping is a part of collecting, however short of cores the run was.
func TestRunAssist(t *testing.T) {
	t.Parallel()
	o := &model.Observed{
		Seconds: 10, CPUNs: 5e9,
		GC:      &model.GCLines{Cycles: 100, CPUNs: 4e9, AssistNs: 2e9, Programs: 1},
		Process: &model.ProcessUse{Processes: 1, RunNs: 5e9, WaitNs: 15e9},
	}
	Run(o)
	by := map[string]model.Sign{}
	for _, s := range o.Signs {
		by[s.Name] = s
	}
	if c, a := by[collecting], by[assisting]; c.Amount != 1e9 || a.Amount != 0.5e9 || a.Share != 0.5 {
		t.Errorf("collecting %v ns, helping %v ns, a share of %v; want 1e9, 5e8, 0.5", c.Amount, a.Amount, a.Share)
	}
}
