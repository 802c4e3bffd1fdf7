// Package evidence counts requests by worker.
package evidence

import "sync/atomic"

type counter struct{ n atomic.Uint64 }

var counters = make([]counter, 64)

// Count counts a request.
func Count(worker int) { counters[worker].n.Add(1) }
