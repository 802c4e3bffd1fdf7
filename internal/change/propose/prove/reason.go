package prove

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A Reason says why an obligation fails, in words for the user that can follow
// a colon. It is nil where nothing speaks against a change. What is refused, and
// where, is added by Offers.Add, which makes a Refusal of it.
type Reason struct{ words string }

// Refuse returns the reason with these words, nil if there are none.
func Refuse(words string) *Reason {
	if words == "" {
		return nil
	}
	return &Reason{words}
}

// Refusef returns the reason whose words package fmt formats.
func Refusef(format string, args ...any) *Reason { return Refuse(fmt.Sprintf(format, args...)) }

// Kept returns why memory that was followed outlives its function, nil if it does not.
func (p *Module) Kept(fl *flow.Flow) *Reason {
	switch {
	case len(fl.Leaks) > 0:
		return Refusef("it is %s (%s)", fl.Leaks[0].Why, p.Pos(fl.Leaks[0].At.Pos()))
	case fl.Results != 0:
		return Refuse("it is returned")
	}
	return nil
}

// Assuming returns an obligation as it is where it rests on some promises, if any.
func Assuming(o model.Obligation, promises []string) model.Obligation {
	if len(promises) > 0 {
		o.How, o.Why = "assumed", strings.Join(promises, "; ")
	}
	return o
}

// String returns the words, "" for nil.
func (r *Reason) String() string {
	if r == nil {
		return ""
	}
	return r.words
}
