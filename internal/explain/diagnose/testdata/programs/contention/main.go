// Contention has several goroutines wait for one mutex that is held for long.
package main

import (
	"os"
	"sync"
	"time"

	"programs/take"
)

var (
	mu    sync.Mutex
	total int
)

func main() { take.Mutex(os.Args[1], work) }

func work() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(hold)
	}
	wg.Wait()
}

func hold() {
	for range 20 {
		mu.Lock()
		time.Sleep(time.Millisecond)
		total++
		mu.Unlock()
	}
}
