package c55

import (
	"runtime"
	"time"
)

// V2 method
type guard struct{ max int }

func (g guard) wait() {
	for runtime.NumGoroutine() > g.max {
		time.Sleep(time.Millisecond)
	}
}
