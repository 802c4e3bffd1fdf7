// Package evidence counts.
package evidence

import "sync/atomic"

// A Counter counts what goroutines tell it.
type Counter struct{ n atomic.Int64 }

// NewCounter returns a counter at zero.
func NewCounter() *Counter { return new(Counter) }

// Inc counts one.
func (c *Counter) Inc() { c.n.Add(1) }

// Sum ends the counting and returns the count.
func (c *Counter) Sum() int64 { return c.n.Load() }
