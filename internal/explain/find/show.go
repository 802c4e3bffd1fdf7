package find

import (
	"cmp"
	"path"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// directive is the name under which directives that silence nothing, or give
// no reason, are reported.
const directive = "ignore"

// A show decides which findings are shown.
type show struct {
	o       Options
	world   *world
	entries []*entry
	program *callers.Callers // built when the first condition asks
}

func newShow(o Options, w *world, entries []*entry) *show {
	o.MinShare = cmp.Or(o.MinShare, rule.DefaultShare)
	if c := o.Config; c != nil {
		if c.MinShare > 0 {
			o.MinShare = c.MinShare
		}
		o.Tier = cmp.Or(o.Tier, c.Tier)
	}
	return &show{o: o, world: w, entries: entries}
}

// fill sets the findings of out, those that cost most first.
func (s *show) fill(out *model.Findings) {
	for i, e := range s.entries {
		if s.world.looked[i].DepOnly {
			continue
		}
		used := make([]bool, len(e.Ignores))
		for _, f := range e.Found {
			if f.Ignore > 0 {
				used[f.Ignore-1] = true
			}
			if shown, ok := s.decide(f, &out.Hidden); ok {
				out.Findings = append(out.Findings, shown)
			}
		}
		for j, ig := range e.Ignores {
			if f, ok := s.directive(s.world.looked[i], ig, used[j]); ok {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	Rank(out.Findings)
}

// Rank orders findings: those that cost most first, then by place.
func Rank(all []model.Finding) {
	sorted.By(all, func(a, b model.Finding) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col), cmp.Compare(a.Rule, b.Rule))
	})
}

// decide returns the finding as it is shown, or counts why it is not.
func (s *show) decide(f found, h *model.Hidden) (model.Finding, bool) {
	out := f.Finding
	hide := func(n *int) (model.Finding, bool) { *n++; return out, false }
	if f.Ignore > 0 {
		return hide(&h.Suppressed)
	}
	if s.o.Config.Excludes(f.Rule, f.At.File) {
		return hide(&h.Excluded)
	}
	other := &h.Tier
	if len(f.If) > 0 {
		why, ok := s.condition(f.If)
		if !ok {
			out.Tier, other = string(rule.Tier(f.Tier).Unsettled()), &h.Callers
		}
		if out.Tier == "" {
			return hide(other)
		}
		out.Callers = why
	}
	hot := false
	if s.o.Heat != nil {
		out.Share, out.Resource = s.heat(f)
		hot = out.Share >= s.o.MinShare
	}
	switch {
	case !rule.Wants(s.o.Tier, rule.Tier(out.Tier), hot || s.o.Heat != nil):
		return hide(other)
	case s.o.Heat != nil && !hot:
		return hide(&h.Cold)
	case s.o.Baseline != nil && s.o.Baseline.Has(Key(out)):
		return hide(&h.Baseline)
	case s.o.Since != nil && !s.o.Since.Touches(f.At.File, f.At.Line, f.End.Line):
		return hide(&h.Unchanged)
	}
	if why, ok := s.o.Demoted[f.Rule]; ok {
		if s.o.Tier == "" {
			return hide(&h.Demoted)
		}
		out.Demoted = why
	}
	return out, true
}

// heat returns the share of the lines that the finding explains. A profile
// calls package main by that name, whatever its path.
func (s *show) heat(f found) (share float64, resource string) {
	share, resource = s.o.Heat.Between(f.Pkg, f.At.File, f.First, f.Last)
	if share == 0 && f.PkgMain {
		share, resource = s.o.Heat.Between("main", f.At.File, f.First, f.Last)
	}
	return share, resource
}

// Key returns the name that a baseline has for a finding.
func Key(f model.Finding) rule.Key {
	return rule.Key{Rule: f.Rule, File: path.Join(f.Pkg, filepath.Base(f.At.File)), Hash: f.Hash}
}

// condition settles a finding's conditions over the whole program.
func (s *show) condition(conds []rule.Condition) (string, bool) {
	for _, c := range conds {
		if c.Holds {
			return "", true // the message says so already
		}
	}
	if s.program == nil {
		s.program = program(s.entries)
	}
	for _, c := range conds {
		if c = s.program.Holds(c); c.Holds {
			return c.Why, true
		}
	}
	return "", false
}

// directive reports a directive that does not do what it was written for.
func (s *show) directive(p *listed, ig ignore, used bool) (model.Finding, bool) {
	f := model.Finding{
		Rule: directive, Title: "a directive that silences nothing", Tier: string(rule.Always), Class: string(rule.N),
		Pkg: p.ImportPath, At: ig.At, End: ig.At,
	}
	if s.o.Since != nil && !s.o.Since.Touches(ig.At.File, ig.At.Line, ig.At.Line) {
		return f, false
	}
	f.Message = catalogue.Complaint(ig.Ignore, used)
	return f, f.Message != ""
}
