package worth

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/words"
)

// ParseMin reads the least that a change must save, as a part of all of
// production: "0.1%" is 0.001. The sign is asked for, since 0.1 alone is as
// often meant as a tenth.
func ParseMin(s string) (float64, error) {
	num, ok := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if !ok || err != nil || !(x >= 0 && x < 100) {
		return 0, errors.New("write the least worth as a part of production, like 0.1%")
	}
	return x / 100, nil
}

// A Judgement is whether a change saves enough.
type Judgement struct {
	OK   bool
	Sure bool   // the whole interval says the same
	Why  string // one line, for an attempt's reason
	Try  string // where it is not sure
}

// Judge compares what a change saves with the least that it must save. What is
// not shown to save that much is refused: a profile too small to tell is no
// reason to keep a change, and Sure and Try say that it is.
func Judge(w Worth, least float64) Judgement {
	j := Judgement{OK: w.Saves >= least}
	if j.OK {
		j.Sure = w.SavesLo >= least
		j.Why = w.String()
	} else {
		j.Sure = w.SavesHi < least
		j.Why = fmt.Sprintf("%s, and -min-worth asks for %s", w, percent(least))
	}
	if !j.Sure {
		j.Why += fmt.Sprintf("; the samples allow %s to %s", percent(w.SavesLo), percent(w.SavesHi))
		j.Try = "take a longer profile, or of more hosts: this one has " + words.Grouped(w.Samples) + " samples"
	}
	return j
}

// String says what the change is worth, with what that rests on:
//
//	saves at most 0.8 % of production CPU (share 2.1 % ± 0.2 of 41,023 samples × gain 38 %)
func (w Worth) String() string {
	what := "production CPU"
	switch w.Resource {
	case "alloc_space":
		what = "the bytes that production allocates"
	case "alloc_objects":
		what = "the objects that production allocates"
	}
	if w.In == 0 {
		return fmt.Sprintf("saves nothing of %s that %s samples show (none is in or below the changed functions: less than %s)", what, words.Grouped(w.Samples), percent(w.ShareHi))
	}
	if w.Gain == 0 {
		return fmt.Sprintf("saves nothing of %s: nothing was gained (share %s of %s samples)", what, percent(w.Share), words.Grouped(w.Samples))
	}
	about := ""
	if w.Estimate {
		about = "; estimated from the time that allocating and collecting take"
	}
	return fmt.Sprintf("saves at most %s of %s (share %s ± %s of %s samples × gain %s%s)",
		percent(w.Saves), what, percent(w.Share), margin(w.ShareHi-w.ShareLo), words.Grouped(w.Samples), percent(w.Gain), about)
}

// margin formats half the width of an interval, in percent, with one digit.
func margin(width float64) string {
	x := 100 * width / 2
	switch {
	case x >= 0.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 0.095:
		return fmt.Sprintf("%.1f", x)
	case x >= 0.0095:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
