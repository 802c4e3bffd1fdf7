package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

type explainIn struct {
	Run    string `json:"run,omitempty" jsonschema:"id of the plan, the newest run without it"`
	Target string `json:"target,omitempty" jsonschema:"id of a target in it, such as T1"`
	Rule   string `json:"rule,omitempty" jsonschema:"name or id of a rule instead of a target"`
}

type explainOut struct {
	Target *target   `json:"target,omitempty"`
	Stack  []string  `json:"stack,omitempty" jsonschema:"from where the cost arises outwards to the benchmark"`
	Notes  []string  `json:"notes,omitempty" jsonschema:"what the compiler says about the line"`
	Tried  []attempt `json:"tried,omitempty" jsonschema:"what earlier runs tried in this function, and what became of it"`
	Rule   *rule     `json:"rule,omitempty"`
}

// A rule is what pawl knows about one of its rules.
type rule struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Why       string `json:"why"`
	WhenNot   string `json:"when_not" jsonschema:"when not to follow it"`
	Gap       string `json:"gap" jsonschema:"what it cannot see"`
	Signature string `json:"signature" jsonschema:"what it leaves in a profile"`
}

func (s *Server) explain(ctx context.Context, c *call, in explainIn) (explainOut, error) {
	switch {
	case in.Rule != "" && in.Target == "":
		r, err := c.rule(ctx, in.Rule)
		return explainOut{Rule: r}, err
	case in.Rule != "" || in.Target == "":
		return explainOut{}, errors.New("name a target of a plan, or a rule")
	}
	r, err := c.earlier(ctx, in.Run)
	if err != nil {
		return explainOut{}, err
	}
	i := slices.IndexFunc(r.Targets, func(t model.Target) bool { return t.ID == in.Target })
	if i < 0 {
		return explainOut{}, fmt.Errorf("run %s has no target %q; it has %d of them, from T1 on", r.ID, in.Target, len(r.Targets))
	}
	t := r.Targets[i]
	short := short(t)
	out := explainOut{Target: &short}
	for _, f := range t.Stack {
		out.Stack = append(out.Stack, fmt.Sprintf("%s %s:%d", f.Func, f.File, f.Line))
	}
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, n.Message)
	}
	out.Tried, err = c.tried(ctx, t.Func)
	return out, err
}

func (c *call) rule(ctx context.Context, name string) (*rule, error) {
	data, _, err := c.run(ctx, job{verb: "rules", operands: []string{name}})
	if err != nil {
		return nil, err
	}
	list, err := unmarshal[struct{ Rules []rule }]("rules", data)
	if err != nil || len(list.Rules) == 0 {
		return nil, errors.Join(err, fmt.Errorf("there is no rule %q", name))
	}
	return &list.Rules[0], nil
}

func (c *call) earlier(ctx context.Context, id string) (*model.Run, error) {
	id = cmp.Or(id, "latest")
	if !runID(id) {
		return nil, fmt.Errorf("%q is no id of a run; log lists them", id)
	}
	data, _, err := c.run(ctx, job{verb: "log", operands: []string{id}})
	if err != nil {
		return nil, err
	}
	return unmarshal[*model.Run]("log", data)
}

// history is what pawl log -json prints.
type history struct {
	Runs        []model.Run
	Comparisons []model.Comparison
}

func (c *call) history(ctx context.Context) (history, string, error) {
	data, id, err := c.run(ctx, job{verb: "log"})
	if err != nil {
		return history{}, "", err
	}
	h, err := unmarshal[history]("log", data)
	return h, id, err
}

func (c *call) tried(ctx context.Context, symbol string) ([]attempt, error) {
	h, _, err := c.history(ctx)
	if err != nil {
		return nil, err
	}
	var out []attempt
	for _, r := range h.Runs {
		for _, a := range r.Last() {
			if slices.ContainsFunc(a.Change.Targets, func(t model.Target) bool { return t.Func == symbol }) {
				out = append(out, attemptOf(a))
			}
		}
	}
	return out, nil
}
