package pawldrive

import (
	"runtime"
	"strconv"
	"sync"
	"time"
)

// What the process may take is measured in time of its own: wall time without
// that in which its threads were ready and others ran. So a busy machine drives
// as much as a quiet one, only later, and a call that waits takes what it waits.
const (
	// Stretch is how much slower than wall time the own time goes at most.
	stretch = 3
	// heldEvery is how often the system is asked.
	heldEvery = 20 * time.Millisecond
)

var processStart = time.Now()

// An ownClock tells the own time. It never goes back.
type ownClock struct {
	mu    sync.Mutex
	asked time.Time
	held  time.Duration
	last  time.Duration
}

var own ownClock

func (c *ownClock) spent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Sub(c.asked) > heldEvery {
		c.asked, c.held = now, heldUp()/time.Duration(runtime.GOMAXPROCS(0))
	}
	wall := now.Sub(processStart)
	c.last = max(c.last, wall-c.held, wall/stretch)
	return c.last
}

// ownNow is the moment at which a process that nobody holds up would be as far.
func ownNow() time.Time { return processStart.Add(own.spent()) }

// ownUntil is the own time until a moment of ownNow.
func ownUntil(end time.Time) time.Duration { return end.Sub(ownNow()) }

// millisOf reads a moment of own time from the environment, in milliseconds since
// the process began.
func millisOf(name string) (time.Duration, bool) {
	ms, err := strconv.Atoi(Env(name))
	return time.Duration(ms) * time.Millisecond, err == nil
}

// Enough reports whether the time is over in which tests may begin to record.
func Enough() bool {
	at, ok := millisOf(envEnough)
	return ok && own.spent() > at
}
