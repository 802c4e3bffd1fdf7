package a

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"strconv"
)

func trace() string {
	buf := make([]byte, 4096)
	return string(buf[:runtime.Stack(buf, false)])
}

func line() string {
	_, file, n, _ := runtime.Caller(2)
	return filepath.Base(file) + ":" + strconv.Itoa(n)
}

func job(n int) {
	slog.Debug("job", "n", n, "stack", trace()) // want `trace captures the stack before the logger knows that debug lines are off`
	slog.Debug("job", "n", n, "at", line())     // want `line captures the stack`
}

// What follows is left alone.

var traces int

func counted(report func()) string {
	report()
	return trace2()
}

func trace2() string { return string(make([]byte, traces)) }

func counting(n int) {
	slog.Debug("job", "n", n, "stack", counted(func() { traces++ }))
}
