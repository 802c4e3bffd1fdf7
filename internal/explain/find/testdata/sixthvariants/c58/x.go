package c58

import (
	"reflect"
	"unsafe"
)

// V1 generic
func Text[B ~[]byte](b B) string {
	return *(*string)(unsafe.Pointer(&b))
}

// V2 headers, in steps
func Bytes(s string) (b []byte) {
	from := (*reflect.StringHeader)(unsafe.Pointer(&s))
	to := (*reflect.SliceHeader)(unsafe.Pointer(&b))
	to.Data = from.Data
	to.Len = from.Len
	to.Cap = from.Len
	return b
}
