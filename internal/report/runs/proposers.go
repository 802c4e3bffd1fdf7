package runs

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/words"
)

// proposers says what was asked of outside proposers and what became of their
// answers; "" where none was asked.
func proposers(r *model.Run) string {
	p := r.Proposers
	if p == nil {
		return ""
	}
	tried, kept, failed, why := 0, 0, 0, ""
	for _, a := range r.Last() {
		if a.Change.Kind != model.KindProposal {
			continue
		}
		tried++
		if a.Outcome.Kept() {
			kept++
		}
	}
	for _, c := range p.Calls {
		if c.Error != "" {
			failed, why = failed+1, c.Error
		}
	}
	parts := []string{fmt.Sprintf("%d tried (%d kept)", tried, kept)}
	for _, x := range []struct {
		n    int
		text string
	}{{p.Equal, "equal to others"}, {p.Unfit, "did not apply"}, {p.Known, "refuted before"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.text))
		}
	}
	text := fmt.Sprintf("%s, %s: %s.", words.Plural(len(p.Calls), "call"), words.Plural(p.Came, "proposal"), strings.Join(parts, ", "))
	if failed > 0 {
		text += fmt.Sprintf(" %s without an answer, the last since %s.", words.Plural(failed, "call"), quote.Line(why))
	}
	if p.Cost > 0 {
		text += fmt.Sprintf(" Cost, as they say: %g.", p.Cost)
	}
	return text
}
