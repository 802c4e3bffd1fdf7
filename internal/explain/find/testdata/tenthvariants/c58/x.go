package c58

import "unsafe"

type payload []byte

// V1 method, the pointer in a variable, named type, missed
type Frame struct {
	op   byte
	body payload
}

func (f *Frame) Topic() string {
	at := unsafe.Pointer(&f.body)
	text := *(*string)(at)
	for i := range len(text) {
		if text[i] == '\n' {
			return text[:i]
		}
	}
	return text
}
