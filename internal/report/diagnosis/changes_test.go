package diagnosis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

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
	if err := Text(&b, specimen.ProfileComparison(), sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(profileComparisonText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestProfileComparisonWidths(t *testing.T) { fits(t, specimen.ProfileComparison()) }
