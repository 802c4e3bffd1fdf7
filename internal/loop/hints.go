package loop

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/hints"
	"github.com/pawl-dev/pawl/internal/model"
)

// Hints asks the compiler what it would take to do better on the lines that
// cost. The version must be explained.
func (s *Session) Hints(ctx context.Context) ([]model.Finding, error) {
	v := s.now
	s.stage("asking the compiler what would help", "suggestions are compiled before they are made")
	c := hints.Config{
		Go: s.go_, Root: s.snap.Dir, Scratch: s.stand.Scratch, Pkgs: s.pkgNames(), Notes: v.notes,
		CPU: map[model.Benchmark][]model.Cost{}, Allocs: map[model.Benchmark][]model.Cost{},
		GCShare: map[model.Benchmark]float64{}, Stats: v.stats,
	}
	for bm, costs := range v.costs {
		c.CPU[bm], c.Allocs[bm], c.GCShare[bm] = costs.cpu, costs.allocs, costs.gcShare
	}
	found, err := hints.Find(ctx, c)
	if err != nil {
		return nil, err
	}
	var out []model.Finding
	for _, h := range found {
		out = append(out, s.hinted(h))
	}
	return out, nil
}

// hinted turns a hint into a finding like those of the rules.
func (s *Session) hinted(h hints.Finding) model.Finding {
	f := model.Finding{
		Rule: string(h.Kind), Title: "what the compiler could not do", Tier: "profiled", Class: "N",
		At: h.At, End: h.At, First: h.At.Line, Last: h.At.Line, Message: h.Text,
		Share: h.Share, Resource: string(h.Resource),
	}
	if rel, err := filepath.Rel(s.snap.ModuleDir, s.snap.Path(h.At.File)); err == nil && filepath.IsLocal(rel) {
		f.At.File = filepath.ToSlash(rel)
		f.End.File = f.At.File
	}
	if h.Message != "" {
		f.Notes = append(f.Notes, h.Message)
	}
	f.Try = h.Try
	if h.Tried != "" {
		f.Try += "; tried, and the compiler says: " + h.Tried
	}
	if len(h.Holds) > 0 {
		f.Try += " (what must hold: " + strings.Join(h.Holds, "; ") + ")"
	}
	return f
}
