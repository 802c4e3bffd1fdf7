package c24

import (
	"context"
	"log/slog"
	"strings"
)

// V1 renamed

type planNode struct {
	operator string
	rows     int
	inputs   []*planNode
}

func (n *planNode) explain(b *strings.Builder, depth int) {
	for range depth {
		b.WriteString("  ")
	}
	b.WriteString(n.operator)
	b.WriteByte('\n')
	for _, in := range n.inputs {
		in.explain(b, depth+1)
	}
}

func renderPlan(root *planNode) string {
	var b strings.Builder
	root.explain(&b, 0)
	return b.String()
}

type executor struct {
	log *slog.Logger
}

func (e *executor) execute(ctx context.Context, root *planNode) int {
	e.log.DebugContext(ctx, "executing plan", "tree", renderPlan(root))
	total := root.rows
	for _, in := range root.inputs {
		total += e.execute(ctx, in)
	}
	return total
}
