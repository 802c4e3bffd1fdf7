package c17

import "sync"

// V2 method
type slabs struct{ pool sync.Pool }

func (s *slabs) give(b []byte) { s.pool.Put(b[:0]) }
