package c24

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// V1 method that describes
type board struct{ cells [][]int }

func (b *board) picture() string {
	var s strings.Builder
	for _, row := range b.cells {
		for _, c := range row {
			s.WriteByte(byte('0' + c))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func (b *board) Move(from, to [2]int) {
	b.cells[to[0]][to[1]] = b.cells[from[0]][from[1]]
	b.cells[from[0]][from[1]] = 0
	slog.Debug("moved", "board", b.picture())
}

// V2 other call, attributes
type span struct{ from, to int }

func Merge(ctx context.Context, l *slog.Logger, spans []span) span {
	all := span{spans[0].from, spans[0].to}
	for _, s := range spans {
		all.from, all.to = min(all.from, s.from), max(all.to, s.to)
	}
	l.LogAttrs(ctx, slog.LevelDebug, "merged", slog.String("spans", fmt.Sprintf("%v", spans)))
	return all
}
