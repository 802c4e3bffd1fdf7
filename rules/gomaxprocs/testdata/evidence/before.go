// Package evidence starts a service.
package evidence

import "runtime"

// Start prepares the program.
func Start(serve func()) {
	runtime.GOMAXPROCS(runtime.NumCPU())
	serve()
}
