package c24

import (
	"fmt"
	"log/slog"
	"strings"
)

type tree struct {
	kids []*tree
	name string
}

func (t *tree) outline() string {
	s := t.name
	for _, k := range t.kids {
		s += k.outline()
	}
	return s
}
func outline(t *tree) string { return t.outline() }

// V1 renamed
func visit(lg *slog.Logger, t *tree) { lg.Debug("visit", "tree", outline(t)) }

// V2 method
type walker struct{ log *slog.Logger }

func (w *walker) step(t *tree) { w.log.Debug("step", "at", t.outline()) }

// V3 closure
func tracer(lg *slog.Logger) func(*tree) {
	return func(t *tree) { lg.Debug("trace", slog.String("tree", outline(t))) }
}

// V4 generic
func Process[T fmt.Stringer](v T, xs []T) {
	slog.Debug("process", "all", fmt.Sprintf("%v", xs), "one", strings.Repeat(v.String(), 3))
}

// V5 two functions
func debug(msg string, args ...any) { slog.Debug(msg, args...) }
func handle(t *tree)                { debug("handle", "tree", outline(t)) }
