package a

import "unsafe"

func text(b []byte) string {
	return *(*string)(unsafe.Pointer(&b)) // want `b shares its memory by the layout of strings and slices: string\(b\) copies, and is safe`
}

type message struct{ body []byte }

func (m *message) String() string {
	return *(*string)(unsafe.Pointer(&m.body)) // want `m.body shares its memory`
}

func closure(b []byte) func() int {
	return func() int { return len(*(*string)(unsafe.Pointer(&b))) } // want `string\(b\) copies`
}

type data []byte

func generic[T ~[]byte](in data, f func(string) T) T {
	return f(*(*string)((unsafe.Pointer)(&in))) // want `in shares its memory`
}

// Reported without a fix: the capacity would change, or the type is another.

func bytes(s string) []byte {
	return *(*[]byte)(unsafe.Pointer(&s)) // want `\[\]byte\(s\) copies, and is safe`
}

type name string

func named(b []byte) name {
	return *(*name)(unsafe.Pointer(&b)) // want `name\(b\) copies`
}

func writable(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s)) // want `the slice shares the memory of s, and a write to it may end the program`
}

// What follows is left alone.

func safely(b []byte) string { return string(b) }

func spelled(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func words(b []byte) []uint16 { return *(*[]uint16)(unsafe.Pointer(&b)) }

func number(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }

func same(s string) name { return *(*name)(unsafe.Pointer(&s)) }
