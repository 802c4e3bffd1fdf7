package c24

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

type big struct{ xs []int }

func (b big) dump() string { return fmt.Sprint(b.xs) }

// V1 renamed
func step(l *slog.Logger, b big) { l.Debug("step", "state", b.dump()) }

// V2 method
type svc struct {
	log *slog.Logger
	b   big
}

func (s *svc) do(ctx context.Context) {
	s.log.DebugContext(ctx, "do", slog.String("state", fmt.Sprintf("%v", s.b.xs)))
}

// V3 closure
func hook(b big) func() {
	return func() { slog.Debug("hook", "json", string(must(json.Marshal(b.xs)))) }
}
func must(b []byte, err error) []byte { return b }

// V4 generic
func trace[T any](l *slog.Logger, xs []T) { l.Debug("xs", "all", fmt.Sprint(xs)) }

// V5 two functions
func summary(b big) string {
	var s []string
	for _, x := range b.xs {
		s = append(s, strconv.Itoa(x))
	}
	return strings.Join(s, ",")
}
func act(l *slog.Logger, b big) {
	s := summary(b)
	l.Debug("act", "sum", s)
}
