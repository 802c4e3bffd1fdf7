// Growfinalizer has objects with finalizers that point to each other, which
// are never freed.
package main

import (
	"os"
	"runtime"

	"programs/take"
)

type node struct {
	other *node
	data  [4000]byte
}

func main() { take.Series(os.Args[1:], work) }

func work(int) {
	for range 4000 {
		pair()
	}
}

func pair() {
	a, b := &node{}, &node{}
	a.other, b.other = b, a
	runtime.SetFinalizer(a, func(*node) {})
	runtime.SetFinalizer(b, func(*node) {})
}
