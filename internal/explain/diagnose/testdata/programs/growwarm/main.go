// Growwarm fills a cache to its bound, in the first steps of several.
package main

import (
	"os"

	"programs/take"
)

var cache [60000]*[1000]byte

func main() { take.Series(os.Args[1:], work) }

func work(step int) {
	for i := range 20000 {
		fill((step*20000 + i) % len(cache))
	}
}

func fill(i int) {
	if cache[i] == nil {
		cache[i] = new([1000]byte)
	}
}
