package a

import "unsafe"

func view(p unsafe.Pointer) string { return *(*string)(p) } // want `shares its memory by the layout`

func field(line []byte) string { return view(unsafe.Pointer(&line)) }

func pointer(b *[]byte) unsafe.Pointer { return unsafe.Pointer(b) }

func through(b []byte) string {
	return *(*string)(pointer(&b)) // want `b shares its memory by the layout`
}

// What follows is left alone.

type labelled struct{ text string }

func textOf(p unsafe.Pointer) string { return *(*string)(p) }

func inside(n *labelled) string { return textOf(unsafe.Pointer(&n.text)) }
