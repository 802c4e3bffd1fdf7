// Growslice keeps the first bytes of large buffers, and with them the buffers.
package main

import (
	"os"

	"programs/take"
)

var heads [][]byte

func main() { take.Series(os.Args[1:], work) }

func work(int) {
	for range 400 {
		heads = append(heads, read()[:8])
	}
}

func read() []byte { return make([]byte, 64<<10) }
