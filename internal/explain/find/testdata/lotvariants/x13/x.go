package x

import (
	"log/slog"
)

// V2 in a method
type worker struct {
	log *slog.Logger
	id  int
}

func (wk *worker) done(job string, took int64) {
	wk.log.Debug("job done", "worker", wk.id, "job", job, "took", took)
}
