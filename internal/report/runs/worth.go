package runs

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// worth says in one line what a change is worth in production, and what that
// rests on; "" where no production profile was given.
func worth(w *model.Worth) string {
	if w == nil {
		return ""
	}
	what := "production CPU"
	switch w.Resource {
	case "alloc_space":
		what = "the bytes that production allocates"
	case "alloc_objects":
		what = "the objects that production allocates"
	}
	rest := fmt.Sprintf("share %s ± %s of %s × gain %s, from %s", smallShare(w.Share), margin((w.ShareHi-w.ShareLo)/2), words.Counted(w.Samples, "sample"), figure.Share(w.Gain), w.Profile)
	if w.Estimate {
		rest += "; estimated from the time that allocating and collecting take"
	}
	switch {
	case w.Share == 0:
		return fmt.Sprintf("saves nothing of %s: none of %s in %s is in or below the changed functions, so they are less than %s of it", what, words.Counted(w.Samples, "sample"), w.Profile, smallShare(w.ShareHi))
	case w.Gain == 0:
		return fmt.Sprintf("saves nothing of %s: nothing was gained (%s)", what, rest)
	}
	if w.Likeness != nil {
		rest += "; benchmark and production are " + figure.Alike(*w.Likeness)
	}
	return fmt.Sprintf("saves at most %s of %s (%s)", smallShare(w.Saves), what, rest)
}

// smallShare formats a part of a whole that may be far below a percent and
// still count, as it does where the whole is a data centre: two digits.
func smallShare(x float64) string {
	if x >= 0.0005 || x <= 0 || words.Unbounded(x) {
		return figure.Share(x)
	}
	for places := 2; places < 5; places++ {
		if s := fmt.Sprintf("%.*f", places, 100*x); strings.Trim(s, "0.") != "" {
			return s + " %"
		}
	}
	return "< 0.0001 %"
}

// margin formats half the width of a share's interval, without the sign: one
// digit that counts.
func margin(x float64) string {
	for places := range 5 {
		if s := fmt.Sprintf("%.*f", places, 100*x); strings.Trim(s, "0.") != "" {
			return s
		}
	}
	return "0"
}
