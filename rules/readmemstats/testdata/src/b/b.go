package b

import (
	"log"
	"runtime"
)

// The import goes with the last use of it.
func watch(step func()) {
	for range 100 {
		step()
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms) // want `runtime.ReadMemStats in a loop stops the world in each iteration`
		log.Println(ms.NumGC, ms.Mallocs, ms.Frees*2)
	}
}
