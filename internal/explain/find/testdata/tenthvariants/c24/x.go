package c24

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
)

type Message struct {
	ID   uint64
	Body []byte
}

// V1 method and two functions, LogAttrs
type Consumer struct {
	log  *slog.Logger
	seen int
}

func (c *Consumer) Handle(ctx context.Context, batch []Message) {
	c.log.LogAttrs(ctx, slog.LevelDebug, "batch", slog.Int("n", len(batch)), slog.String("ids", idList(batch)))
	for i := range batch {
		c.seen += len(batch[i].Body)
	}
}

func idList(batch []Message) string {
	ids := make([]string, len(batch))
	for i := range batch {
		ids[i] = strconv.FormatUint(batch[i].ID, 10)
	}
	return strings.Join(ids, ",")
}
