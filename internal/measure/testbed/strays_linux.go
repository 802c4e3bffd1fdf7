package testbed

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// strayRounds is how often endStrays looks again, each time after a longer pause: what starts
// children faster than one look at all processes takes is caught in one of the next, and what
// lets all others go first needs a moment to die.
const strayRounds = 50

// endStrays ends all processes that carry the mark of the work directory work, in
// whatever group or session they are: they were started by a pawl that was
// killed, or outlived what this one started. The caller holds the directory, so
// they are nobody else's. It returns how many there were, each counted once.
func endStrays(work string) int {
	mark := []byte(mark(work))
	ended := make(map[int]bool)
	for round := range strayRounds {
		found := marked(mark)
		if len(found) == 0 {
			break
		}
		for _, pid := range found {
			ended[pid] = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Duration(2+round) * time.Millisecond)
	}
	return len(ended)
}

// marked returns the processes that have the mark in their environment. One
// that has ended and waits to be asked for has none any more.
func marked(mark []byte) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var out []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		// That of another user cannot be read.
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && has(env, mark) {
			out = append(out, pid)
		}
	}
	return out
}

// has reports whether one of the strings of an environment, which end in NUL,
// is mark.
func has(env, mark []byte) bool {
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(kv, mark) {
			return true
		}
	}
	return false
}
