package c47

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// V1 renamed

type journal interface {
	Flush() error
	Close() error
}

func serveUntilSignalled(srv *http.Server, j journal) {
	go srv.ListenAndServe()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	got := <-stop
	log.Printf("received %s, shutting down", got)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil {
		log.Print(err)
	}
	if err := j.Flush(); err != nil {
		log.Print(err)
	}
	j.Close()
}
