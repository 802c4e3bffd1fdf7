// Growmap keeps an entry for each key that it ever saw.
package main

import (
	"os"

	"programs/take"
)

type entry struct{ data [1000]byte }

var cache = map[int]*entry{}

func main() { take.Series(os.Args[1:], work) }

func work(step int) {
	for i := range 20000 {
		put(step*20000 + i)
		look(i)
	}
}

func put(key int) { cache[key] = &entry{} }

// look makes garbage, as much as put makes entries.
//
//go:noinline
func look(key int) *entry { return &entry{data: [1000]byte{byte(key)}} }
