package c25

import (
	"log/slog"
	"runtime"
)

// V1 two functions, other call
func here() string {
	buf := make([]byte, 4096)
	return string(buf[:runtime.Stack(buf, false)])
}

type worker struct{ done int }

func (w *worker) Do(job func()) {
	slog.Debug("job", "n", w.done, "stack", here())
	job()
	w.done++
}
