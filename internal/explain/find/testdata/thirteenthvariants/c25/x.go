package c25

import (
	"context"
	"log/slog"
	"runtime/debug"
)

// V1 renamed

type statement struct {
	SQL  string
	Args []any
}

func traceStatement(ctx context.Context, st statement) {
	slog.DebugContext(ctx, "executing statement",
		slog.String("sql", st.SQL),
		slog.Int("args", len(st.Args)),
		slog.String("origin", string(debug.Stack())),
	)
}
