package c47

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// V1 method, closure
type daemon struct{ srv *http.Server }

func (d *daemon) Watch() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		if err := d.srv.Shutdown(context.Background()); err != nil {
			log.Print(err)
		}
		os.Exit(0)
	}()
}

// V2 two functions
func interrupts() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return c
}

func Serve(scratch []string) {
	stop := interrupts()
	sig := <-stop
	log.Println("stopped by", sig)
	for _, dir := range scratch {
		if err := os.RemoveAll(dir); err != nil {
			log.Print(err)
		}
	}
}
