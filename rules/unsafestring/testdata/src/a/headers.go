package a

import (
	"reflect"
	"unsafe"
)

type blob []byte

func (b blob) text() (s string) {
	from := (*reflect.SliceHeader)(unsafe.Pointer(&b)) // want `a string and a slice share their memory by the layout of both`
	to := (*reflect.StringHeader)(unsafe.Pointer(&s))
	to.Data, to.Len = from.Data, from.Len
	return s
}

func addressOf(s string) uintptr {
	return (*reflect.StringHeader)(unsafe.Pointer(&s)).Data
}
