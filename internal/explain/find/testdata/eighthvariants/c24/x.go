package c24

import (
	"fmt"
	"log/slog"
	"strings"
)

// V1 names
type batch struct{ rows []string }

func Ingest(log *slog.Logger, b batch) int {
	log.Debug("ingest", "rows", len(b.rows), "dump", fmt.Sprintf("%v", b.rows), "joined", strings.Join(b.rows, ","))
	return len(b.rows)
}
