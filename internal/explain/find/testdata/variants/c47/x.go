package c47

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// V1 renamed
func main2() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	time.Sleep(3 * time.Second)
	os.Exit(0)
}

// V2 method
type server struct{ db *sql.DB }

func (s *server) flush() { s.db.Exec("vacuum"); s.db.Close() }
func (s *server) run() {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGTERM)
	<-ch
	s.flush()
	os.Exit(0)
}

// V3 closure
func arm(f *os.File) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT)
	go func() {
		<-c
		f.Sync()
		f.Close()
		os.Exit(1)
	}()
}

// V4 generic, missed
func onTerm[T io.Closer](xs []T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	go func() {
		for range c {
			for _, x := range xs {
				x.Close()
			}
			time.Sleep(time.Second)
		}
	}()
}

// V5 two functions
func signals() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	return c
}
func shutdown(h *http.Server) {
	<-signals()
	h.Shutdown(context.Background())
	time.Sleep(2 * time.Second)
	os.Exit(0)
}
