package c47

import (
	"os"
	"os/signal"
	"syscall"
)

// V1 generic
type flusher interface{ Flush() error }

func FlushOnExit[F flusher](all ...F) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGTERM, os.Interrupt)
	<-ch
	for _, f := range all {
		_ = f.Flush()
	}
	os.Exit(0)
}
