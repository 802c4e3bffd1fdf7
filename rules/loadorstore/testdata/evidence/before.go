// Package evidence counts names.
package evidence

import (
	"sync"
	"sync/atomic"
)

// A Counter counts how often names were seen.
type Counter struct{ all sync.Map }

// Count returns how often a name was seen, with this time.
func (c *Counter) Count(name string) int64 {
	n, _ := c.all.LoadOrStore(name, new(atomic.Int64))
	return n.(*atomic.Int64).Add(1)
}
