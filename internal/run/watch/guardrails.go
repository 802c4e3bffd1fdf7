package watch

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/internal/explain/guardrails"
	"github.com/pawl-dev/pawl/internal/explain/metrics"
)

// Guardrails returns the rules for what the page of metrics of a target has, and the names
// of those that there is nothing for.
func Guardrails(ctx context.Context, t Target) (rules []guardrails.Rule, without []string, err error) {
	s, done, err := t.program(ctx, "what is exported")
	if err != nil {
		return nil, nil, err
	}
	defer done()
	page, err := s.Metrics(ctx)
	if err != nil {
		return nil, nil, err
	}
	names, err := metrics.Names(page)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: its page of metrics is no text of Prometheus: %w", s, err)
	}
	rules, without = guardrails.For(func(m string) bool { return names[m] })
	if len(rules) == 0 {
		return nil, nil, fmt.Errorf("%s: its page of metrics has none of Go's runtime: client_golang needs collectors.NewGoCollector, and package admin has all", s)
	}
	return rules, without, nil
}
