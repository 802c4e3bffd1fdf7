package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/sorted"
)

type planIn struct {
	scope
	Limit int `json:"limit,omitempty" jsonschema:"how many targets; 8 without it"`
}

type planOut struct {
	Run      string          `json:"run" jsonschema:"the run's id, for explain and log"`
	Output   string          `json:"output" jsonschema:"id of the whole output, for more"`
	Targets  []target        `json:"targets" jsonschema:"what costs most, the greatest ceiling first"`
	Left     int             `json:"left" jsonschema:"targets that are not listed here"`
	Warnings []model.Warning `json:"warnings,omitempty"`
	Next     string          `json:"next"`
}

// A target is a line that costs, in short.
type target struct {
	ID        string   `json:"id"`
	Benchmark string   `json:"benchmark"`
	At        string   `json:"at" jsonschema:"file:line of the module"`
	Func      string   `json:"func"`
	Resource  string   `json:"resource" jsonschema:"cpu, allocs, bytes or mutex"`
	PerOp     string   `json:"per_op"`
	Share     float64  `json:"share" jsonschema:"of the benchmark's cost of this resource"`
	Ceiling   float64  `json:"ceiling" jsonschema:"the largest part of it that any change here can save"`
	Why       string   `json:"why"`
	Idea      string   `json:"idea,omitempty" jsonschema:"what pawl optimize would try here by itself"`
	Leads     []string `json:"leads,omitempty" jsonschema:"where to look, where pawl has no idea of its own; nobody has tried them"`
}

func short(t model.Target) target {
	out := target{
		ID: t.ID, Benchmark: t.Benchmark.String(), At: t.At.String(), Func: t.Func, Resource: string(t.Resource),
		PerOp: figure.Amount(t.Resource, t.PerOp), Share: rounded(t.Share), Ceiling: rounded(t.Ceiling), Why: t.Reason.Text,
	}
	for _, l := range t.Leads {
		lead := l.Try
		if l.Rule != "" {
			lead += " (rule " + l.Rule + ")"
		}
		out.Leads = append(out.Leads, lead)
	}
	return out
}

// plan measures, and lists what costs. One line may be a target of several
// resources; each statement is listed once, by its greatest ceiling.
func (s *Server) plan(ctx context.Context, c *call, in planIn) (planOut, error) {
	in.Bench = cmp.Or(in.Bench, ".")
	flags, err := in.flags(s.Budget)
	if err != nil {
		return planOut{}, err
	}
	data, id, err := c.run(ctx, job{verb: "find", flags: flags, operands: in.Packages, turn: true, foreign: true})
	if err != nil {
		return planOut{}, err
	}
	f, err := unmarshal[model.Findings]("find", data)
	if err != nil {
		return planOut{}, err
	}
	if f.Plan == nil {
		return planOut{}, fmt.Errorf("nothing was measured: %s", seen(f.Warnings))
	}
	out := planOut{Run: f.Plan.ID, Output: id, Warnings: append(f.Warnings, f.Plan.Warnings...)}
	out.Targets, out.Left = some(targets(f.Plan), in.Limit)
	out.Next = "explain shows more of one target; write one change for it, and hand it to try"
	return out, nil
}

// targets lists the statements that cost, with what would be tried there.
func targets(r *model.Run) []target {
	ideas := make(map[string]string)
	for _, p := range r.Prospects {
		ideas[p.Target.ID] = p.Title
	}
	var out []target
	for _, t := range r.Targets {
		short := short(t)
		short.Idea = ideas[t.ID]
		out = append(out, short)
	}
	sorted.By(out, func(a, b target) int {
		switch {
		case a.Ceiling > b.Ceiling:
			return -1
		case a.Ceiling < b.Ceiling:
			return 1
		}
		return 0
	})
	places := make(map[string]bool)
	return slices.DeleteFunc(out, func(t target) bool {
		place := t.Benchmark + " " + t.At
		again := places[place]
		places[place] = true
		return again
	})
}

// seen joins what warnings saw.
func seen(ws []model.Warning) string {
	text := "no warning says why"
	for i, w := range ws {
		if i == 0 {
			text = w.Seen
		} else {
			text += "; " + w.Seen
		}
	}
	return text
}
