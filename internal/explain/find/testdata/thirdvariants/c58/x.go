package c58

import "unsafe"

// V2 method, missed
type buffer struct{ b []byte }

func (x *buffer) view() string { return unsafe.String(unsafe.SliceData(x.b), len(x.b)) }
