package c58

import (
	"unsafe"
)

// V1 renamed
func asText(raw []byte) string { return *(*string)(unsafe.Pointer(&raw)) }

// V2 method, missed
type blob struct{ b []byte }

func (x *blob) text() string { return unsafe.String(unsafe.SliceData(x.b), len(x.b)) }

// V3 closure
func conv() func([]byte) string {
	return func(p []byte) string { return *(*string)(unsafe.Pointer(&p)) }
}

// V4 generic
func Str[B ~[]byte](b B) string { return *(*string)(unsafe.Pointer(&b)) }

// V5 two functions
func cast(p unsafe.Pointer) string { return *(*string)(p) }
func toStr(b []byte) string        { return cast(unsafe.Pointer(&b)) }
