// Package evidence ends a service.
package evidence

import (
	"os"
	"os/signal"
)

// Wait flushes after the first signal.
func Wait(flush func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	<-signals
	signal.Stop(signals)
	flush()
}
