package c37

import "sync/atomic"

// V2 method
type stats struct {
	hits   atomic.Int64
	misses atomic.Int64
}

type cache struct{ s [16]stats }

func (c *cache) hit(worker int)  { c.s[worker].hits.Add(1) }
func (c *cache) miss(worker int) { c.s[worker].misses.Add(1) }
