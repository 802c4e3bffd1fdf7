package optimize

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// lead tells, for the lines of the plan that nothing was tried on, where to look for a
// gain. The compiler is asked, too, where the tree still is what the plan was made
// for.
func (s *finishing) lead(ctx context.Context) {
	var hints []model.Finding
	if s.stack.now == s.stack.orig && ctx.Err() == nil && len(s.Run.Targets) > 0 {
		hints, _ = s.stack.now.Hints(ctx) // without them there are fewer leads
	}
	s.Lead(hints)
}

// Lead sets the leads of all targets that nothing is tried on, in Targets and in
// Prospects of the Run. hints are those of Hints; nil where there are none. Where an
// idea was refuted, a lead would only bring it up again.
func (s *finishing) Lead(hints []model.Finding) {
	refuted := make(map[model.Pos]bool)
	for _, t := range s.Run.Targets {
		refuted[t.At] = refuted[t.At] || strings.Contains(t.Skipped, refutedOn)
	}
	set := func(t *model.Target, skip string) {
		if skip != "" && !refuted[t.At] {
			t.Leads = s.stack.orig.Leads(hints, *t)
		}
	}
	for i := range s.Run.Targets {
		set(&s.Run.Targets[i], s.Run.Targets[i].Skipped)
	}
	for i := range s.Run.Prospects {
		set(&s.Run.Prospects[i].Target, s.Run.Prospects[i].Skip)
	}
}
