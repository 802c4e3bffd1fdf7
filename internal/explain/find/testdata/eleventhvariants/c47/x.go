package c47

import (
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

// V4 generic

func closeOnSignal[C io.Closer](resources ...C) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	got := <-stop
	log.Printf("%v: closing %d resources", got, len(resources))
	for _, r := range resources {
		if err := r.Close(); err != nil {
			log.Print(err)
		}
	}
	os.Exit(0)
}
