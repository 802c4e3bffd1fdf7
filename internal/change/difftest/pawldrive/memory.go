package pawldrive

import (
	"runtime/debug"
	"runtime/metrics"
)

// A purse is the memory that calls may take.
type purse struct {
	limit  int64 // bytes over what the process had when driving began; 0 for none
	sample []metrics.Sample
}

// heavyPart is the part of the limit that the base's calls of one pair may
// allocate before the pair counts as heavy.
const heavyPart = 4

// close sets the limit; it is a call's own from then on.
func (p *purse) close(limit int64) {
	p.limit = limit
	p.sample = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	if limit > 0 {
		limitMemory(limit)
	}
}

func (p *purse) allocated() uint64 {
	if p.limit == 0 {
		return 0
	}
	metrics.Read(p.sample)
	return p.sample[0].Value.Uint64()
}

// heavy reports whether so much was allocated since then that the candidate could
// miss what the base had, and gives back what is left of it.
func (p *purse) heavy(since uint64) bool {
	if p.limit == 0 || p.allocated()-since < uint64(p.limit/heavyPart) {
		return false
	}
	debug.FreeOSMemory()
	return true
}
