// Package evidence starts a service.
package evidence

// Start prepares the program.
func Start(serve func()) {
	serve()
}
