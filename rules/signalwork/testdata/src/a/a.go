package a

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGTERM, syscall.SIGINT)
	s := <-sig // want `after the first signal, what follows works on without listening to a second; signal.Stop\(sig\) lets that end the process`
	log.Printf("got %v, flushing...", s)
	flushQueue()
	closeDB()
	log.Printf("done")
	os.Exit(0)
}

func flushQueue() {}

func closeDB() {}

type app struct{ srv *http.Server }

func (a *app) wait() error {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, os.Interrupt)
	<-quit // want `after the first signal`
	return a.srv.Shutdown(context.Background())
}

func background(clean func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c)
	go func() {
		<-c // want `after the first signal`
		clean()
	}()
}

func generic[T any](all []T, close func(T)) {
	c := make(chan os.Signal, 2)
	signal.Notify(c, syscall.SIGTERM)
	<-c // want `after the first signal`
	for _, x := range all {
		close(x)
	}
}

func synced(f *os.File) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c // want `after the first signal, what follows works on without listening to a second`
	f.Sync()
	os.Exit(1)
}

func asked() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM, syscall.SIGHUP)
	return c
}

type cache struct{ dir string }

func (c *cache) serve(start func()) {
	end := asked()
	start()
	<-end // want `after the first signal, what follows works on without listening to a second`
	if err := os.RemoveAll(c.dir); err != nil {
		log.Print(err)
	}
}

// What follows is left alone.

func again(clean func()) {
	end := asked()
	<-end
	go func() {
		<-end
		os.Exit(1)
	}()
	clean()
}

func stops(clean func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	signal.Stop(c)
	clean()
}

func resets(clean func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	signal.Reset(os.Interrupt)
	clean()
}

func cancels() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() {
		log.Println("got", <-c)
		cancel()
	}()
	return ctx
}

func twice(clean func()) {
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt)
	<-c
	go func() {
		<-c
		os.Exit(1)
	}()
	clean()
}

func reloads(load func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	<-c // asks for something else than an end
	load()
}

func loops(load func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	for range 3 {
		<-c
		load()
	}
}

func closes(done chan struct{}) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	close(done)
}
