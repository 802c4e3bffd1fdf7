package worth

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestParseMin(t *testing.T) {
	for s, want := range map[string]float64{"0.1%": 0.001, " 2 % ": 0.02, "0%": 0} {
		if got, err := ParseMin(s); err != nil || got != want {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0.1", "-1%", "100%", "NaN%", "Inf%", "x%", "%"} {
		if got, err := ParseMin(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestJudge(t *testing.T) {
	w := Worth{Worth: model.Worth{Resource: "cpu", Share: 0.021, Gain: 0.38, Saves: 0.00798, Samples: 41023}}
	w.ShareLo, w.ShareHi, w.GainLo, w.GainHi, w.SavesLo, w.SavesHi, w.In = 0.0197, 0.0224, 0.35, 0.41, 0.0069, 0.0092, 861
	const text = "saves at most 0.8 % of production CPU (share 2.1 % ± 0.1 of 41,023 samples × gain 38 %)"
	tests := []struct {
		least    float64
		ok, sure bool
		why, try string
	}{
		{0.001, true, true, text, ""},
		{0.0075, true, false, text + "; the samples allow 0.7 % to 0.9 %", "take a longer profile, or of more hosts: this one has 41,023 samples"},
		{0.009, false, false, text + ", and -min-worth asks for 0.9 %; the samples allow 0.7 % to 0.9 %", "take a longer profile, or of more hosts: this one has 41,023 samples"},
		{0.02, false, true, text + ", and -min-worth asks for 2 %", ""},
	}
	for _, tt := range tests {
		got := Judge(w, tt.least)
		if want := (Judgement{tt.ok, tt.sure, tt.why, tt.try}); got != want {
			t.Errorf("%v:\n%+v, want\n%+v", tt.least, got, want)
		}
	}
	none := Worth{Worth: model.Worth{Resource: "alloc_space", Samples: 41023, Gain: 1}}
	none.ShareHi, none.GainHi, none.SavesHi = 0.00009, 1, 0.00009
	if got := none.String(); got != "saves nothing of the bytes that production allocates that 41,023 samples show (none is in or below the changed functions: less than 0.009 %)" {
		t.Error(got)
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.5: "50 %", 0.0995: "10 %", 0.021: "2.1 %", 0.00799: "0.8 %", 0.0001: "0.01 %", 0.000012: "0.001 %", 1: "100 %"} {
		if got := percent(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
