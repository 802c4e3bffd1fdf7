//go:build wasm || !wasm

package web

import "runtime"

// sum lets the browser run.
func sum(data []int) (total int) {
	for _, v := range data {
		total += v
		runtime.Gosched()
	}
	return total
}
