package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func profileComparison() *model.Diagnosis {
	return &model.Diagnosis{Compared: []model.ProfileComparison{
		{
			Kind: "cpu", What: "CPU time", Unit: "ns", By: "share",
			Base: model.ProfileSide{Sources: []string{"old.pprof"}, Samples: 4120, Total: 41.2e9},
			Now:  model.ProfileSide{Sources: []string{"new.pprof"}, Samples: 3998, Total: 39.98e9},
			Functions: []model.ProfileChange{
				{Func: "example.com/m/codec.(*Encoder).Encode", Before: 0.31, After: 0.12, Change: -0.613, Lo: -0.68, Hi: -0.52, Claimed: true, With: []string{"main.serve", "main.main"}},
				{Func: "runtime.mallocgc", Before: 0.041, After: 0.12, Change: 1.93, Lo: 1.1, Hi: 3.2, Claimed: true},
				{Func: "main.check", After: 0.03, Change: 1e6, Lo: 8, Hi: 1e6, Claimed: true},
				{Func: "main.rest", Before: 0.2, After: 0.27, Change: 0.35, Lo: 0.2, Hi: 0.5, Claimed: true, ShareOnly: true},
				{Func: "main.all", Before: 0.6, After: 0.59, Change: -0.02, Lo: -0.05, Hi: 0.01, Flat: &model.FlatChange{Before: 0.1, After: 0.02, Change: -0.8, Lo: -0.9, Hi: -0.6, Claimed: true}},
			},
			Lines:      []model.ProfileChange{{Func: "example.com/m/codec.(*Encoder).Encode", File: "/src/m/codec/encode.go", Line: 120, Before: 0.28, After: 0.09, Change: -0.68, Lo: -0.74, Hi: -0.6, Claimed: true}},
			Signs:      []model.ProfileChange{{Func: "allocation", Before: 0.041, After: 0.12, Change: 1.93, Lo: 1.1, Hi: 3.2, Claimed: true}},
			Quiet:      143,
			Moved:      []string{"main.check"},
			Noise:      model.ProfileNoise{Level: 0.05, Tested: 300, Inflation: 1},
			QuietLines: 60, Neutral: 1.31,
		},
		{
			Kind: "mutex", What: "waits", Unit: "waits", By: "op",
			Base:      model.ProfileSide{Sources: []string{"m1.pprof"}, Samples: 900, Total: 900, Ops: 1000},
			Now:       model.ProfileSide{Sources: []string{"m2.pprof"}, Samples: 90, Total: 90, Ops: 1000},
			Total:     &model.ProfileChange{Before: 0.9, After: 0.09, Change: -0.9, Lo: -0.95, Hi: -0.8, Claimed: true},
			Functions: []model.ProfileChange{{Func: "main.locked", Before: 0.9, After: 0.09, Change: -0.9, Lo: -0.95, Hi: -0.8, Claimed: true, BeforeDelay: 8e5, AfterDelay: 6e4}},
			Noise:     model.ProfileNoise{Level: 0.05, Tested: 4, Repeats: 3, Inflation: 0.7},
		},
		{
			Kind: "heap", What: "objects allocated", Unit: "objects", By: "share",
			Base:     model.ProfileSide{Sources: []string{"h1.pprof"}},
			Now:      model.ProfileSide{Sources: []string{"h2.pprof"}, Total: 10},
			Warnings: []model.Warning{{Seen: "the base: no samples"}},
		},
	}}
}

const profileComparisonText = `
CPU profile: 2 functions have a greater share, 2 a smaller one; 1 more only
because the rest changed.
old.pprof (4,120 samples, 41.2 s) → new.pprof (3,998 samples, 40.0 s)
Figures are shares of the profile, which cannot say whether the whole became
faster: -ops OLD,NEW does. Functions count with all that they call.

Greater share, by function
  4.1 % →  12 %  ×2.9 [×2.1, ×4.2]  runtime.mallocgc
    0 % → 3.0 %  new                main.check
   20 % →  27 %  +35 % [+20, +50]   main.rest (share only)

Smaller share, by function
  31 % →  12 %  −61 % [−68, −52]  codec.(*Encoder).Encode (and 2 with it)
  10 % → 2.0 %  −80 % [−90, −60]  main.all (itself; with calls 60 % → 59 %)

Smaller share, by line
  28 % → 9.0 %  −68 % [−74, −60]  encode.go:120  codec.(*Encoder).Encode

Signatures  allocation 4.1 % → 12 %.
The rest, 143 functions and 60 lines: no difference that is not noise. Of
comparisons of one program with itself, at most 5 in 100 name anything, going by
the variation assumed between runs; several profiles on each side would measure
it.
Share only: the shares of most of the work changed by +31 % because the rest
did; these changed no more than that.
Lines not matched, for the code changed: main.check.

Mutex profile: 0 functions cost more, 1 less; all together 0.90 → 0.09, −90 %
[−95, −80].
m1.pprof (900 waits, 1,000 operations) → m2.pprof (90 waits, 1,000 operations)
Figures are waits per operation. Functions count with all that they call.

Costs less, by function
  0.90 → 0.09  −90 % [−95, −80]  main.locked (waited 800 µs → 60.0 µs)

Of comparisons of one program with itself, at most 5 in 100 name anything, going
by the variation among the profiles of each side.

Heap profile, objects allocated: nothing to compare.
h1.pprof → h2.pprof (0 samples, 10 objects)

Warnings:
! the base: no samples
`

func TestProfileComparisonText(t *testing.T) {
	var b strings.Builder
	if err := DiagnosisText(&b, profileComparison(), Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(profileComparisonText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestProfileComparisonWidths(t *testing.T) { fits(t, profileComparison()) }
