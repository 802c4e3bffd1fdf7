package c58

import (
	"unsafe"
)

// V1 renamed
func str(p []byte) (s string) { return *(*string)(unsafe.Pointer(&p)) }

// V2 method
type buf struct{ b []byte }

func (b *buf) String() string { return *(*string)(unsafe.Pointer(&b.b)) }

// V3 closure
var conv = func(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// V4 generic, missed
func toStr[T ~[]byte](b T) string { return unsafe.String(unsafe.SliceData([]byte(b)), len(b)) }

// V5 two functions
func ptr(b *[]byte) unsafe.Pointer { return unsafe.Pointer(b) }
func s2(b []byte) string           { return *(*string)(ptr(&b)) }
