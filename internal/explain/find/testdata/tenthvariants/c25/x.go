package c25

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

// V1 method, the stack in a variable, group of attributes
type Conn struct {
	log  *slog.Logger
	exec func(ctx context.Context, query string) error
}

func (c *Conn) Exec(ctx context.Context, query string) error {
	began := time.Now()
	err := c.exec(ctx, query)
	at := string(debug.Stack())
	c.log.LogAttrs(ctx, slog.LevelDebug, "query", slog.String("sql", query), slog.Group("call", slog.Duration("took", time.Since(began)), slog.String("stack", at)))
	return err
}
