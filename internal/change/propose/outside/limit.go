package outside

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// A Limit is how much proposers may be asked in one run.
type Limit struct {
	Calls  int
	Rounds int
	Cost   float64       // in the proposers' own unit; 0 for no limit
	Time   time.Duration // of one call
}

// DefaultLimit is what holds where a user says nothing else.
var DefaultLimit = Limit{Calls: 20, Rounds: 3, Time: 2 * time.Minute}

// String returns the form that ParseLimit reads.
func (l Limit) String() string {
	text := fmt.Sprintf("%s,%s,%s", words.Plural(l.Calls, "call"), words.Plural(l.Rounds, "round"), words.Duration(l.Time))
	if l.Cost > 0 {
		text += fmt.Sprintf(",%g cost", l.Cost)
	}
	return text
}

// ParseLimit reads parts with commas between them, each with its unit, such as
// "20 calls, 3 rounds, 90s, 2.50 cost". What is not named keeps its default.
func ParseLimit(text string) (Limit, error) {
	l := DefaultLimit
	for part := range strings.SplitSeq(text, ",") {
		if err := l.set(strings.TrimSpace(part)); err != nil {
			return l, err
		}
	}
	return l, nil
}

func (l *Limit) set(part string) error {
	if d, err := time.ParseDuration(part); err == nil && d > 0 {
		l.Time = d
		return nil
	}
	number, unit, _ := strings.Cut(part, " ")
	n, err := strconv.Atoi(number)
	whole := err == nil && n > 0
	switch unit {
	case "call", "calls":
		l.Calls = n
	case "round", "rounds":
		l.Rounds = n
	case "cost":
		l.Cost, err = strconv.ParseFloat(number, 64)
		whole = err == nil && l.Cost > 0 && !math.IsInf(l.Cost, 0)
	default:
		whole = false
	}
	if !whole {
		return fmt.Errorf("%q is no limit; write it as in %q", part, "20 calls, 3 rounds, 90s, 2.50 cost")
	}
	return nil
}
