package runs

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestWorth(t *testing.T) {
	w := model.Worth{Profile: "cpu.pprof", Resource: "cpu", Share: 0.021, Gain: 0.38, Saves: 0.00798, Samples: 41023, In: 861, ShareLo: 0.0197, ShareHi: 0.0224}
	nowhere, nothing, little, objects := w, w, w, w
	nowhere.Share, nowhere.Saves, nowhere.ShareHi = 0, 0, 0.0000936
	nothing.Gain, nothing.Saves = 0, 0
	little.Share, little.Saves, little.Samples = 0.00004, 0.0000152, 1
	little.ShareLo, little.ShareHi, little.Estimate = 0, 0.0002, true
	objects.Resource = "alloc_objects"
	for _, tt := range []struct {
		w    *model.Worth
		want string
	}{
		{nil, ""},
		{&w, "saves at most 0.8 % of production CPU (share 2.1 % ± 0.1 of 41,023 samples × gain 38 %, from cpu.pprof)"},
		{&nowhere, "saves nothing of production CPU: none of 41,023 samples in cpu.pprof is in or below the changed functions, so they are less than 0.01 % of it"},
		{&nothing, "saves nothing of production CPU: nothing was gained (share 2.1 % ± 0.1 of 41,023 samples × gain 0 %, from cpu.pprof)"},
		{&little, "saves at most 0.002 % of production CPU (share 0.004 % ± 0.01 of 1 sample × gain 38 %, from cpu.pprof; estimated from the time that allocating and collecting take)"},
		{&objects, "saves at most 0.8 % of the objects that production allocates (share 2.1 % ± 0.1 of 41,023 samples × gain 38 %, from cpu.pprof)"},
	} {
		if got := worth(tt.w); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
