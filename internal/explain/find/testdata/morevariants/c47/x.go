package c47

import (
	"database/sql"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func flush()                    { time.Sleep(time.Second) }
func closeAll(db *sql.DB) error { return db.Close() }

// V1 renamed
func waitForExit(db *sql.DB) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	flush()
	closeAll(db)
	os.Exit(0)
}

// V2 method
type daemon struct{ db *sql.DB }

func (d *daemon) wait() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	sig := <-c
	log.Printf("got %v", sig)
	d.db.Close()
	flush()
	os.Exit(0)
}

// V3 closure
func onSignal(db *sql.DB) {
	go func() {
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGINT)
		<-ch
		flush()
		closeAll(db)
		os.Exit(1)
	}()
}

// V4 generic
func RunUntilSignal[T io.Closer](res []T) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	<-ch
	for _, r := range res {
		r.Close()
	}
	flush()
	os.Exit(0)
}

// V5 two functions
func signals() chan os.Signal {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	return ch
}
func shutdown(db *sql.DB) {
	<-signals()
	flush()
	db.Close()
	os.Exit(0)
}
