package a

import (
	"log"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"time"
)

func handleRequest(w http.ResponseWriter, r *http.Request) {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true) // want `runtime.Stack\(…, true\) stops the world for the stacks of all goroutines, and handleRequest is reached from an HTTP handler`
	log.Print("stacks", string(buf[:n]))
	w.WriteHeader(http.StatusNoContent)
}

type server struct{ last []byte }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.note()
	w.WriteHeader(http.StatusNoContent)
}

func (s *server) note() {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true) // want `note is reached from an HTTP handler`
		if n < len(buf) {
			s.last = buf[:n]
			return
		}
		buf = make([]byte, 2*len(buf))
	}
}

func work(items []string, do func(string)) {
	buf := make([]byte, 1<<16)
	for _, it := range items {
		do(it)
		log.Printf("%s", buf[:runtime.Stack(buf, true)]) // want `runtime.Stack\(…, true\) in a loop`
	}
}

func record(do func()) {
	buf := make([]byte, 1<<16)
	do()
	log.Printf("%s", buf[:runtime.Stack(buf, true)]) // want `record is called in a loop at a.go:55`
}

func records(do func()) {
	for range 10 {
		record(do)
	}
}

// What follows is left alone.

func own(w http.ResponseWriter, r *http.Request) {
	buf := make([]byte, 1<<16)
	log.Printf("%s", buf[:runtime.Stack(buf, false)])
}

func panics(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if rv := recover(); rv != nil {
			buf := make([]byte, 1<<20)
			log.Printf("%v %s", rv, buf[:runtime.Stack(buf, true)])
		}
	}()
	w.WriteHeader(http.StatusNoContent)
}

func failing(w http.ResponseWriter, r *http.Request) {
	if _, err := strconv.Atoi(r.FormValue("n")); err != nil {
		buf := make([]byte, 1<<20)
		log.Printf("%s", buf[:runtime.Stack(buf, true)])
	}
}

func asked(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("all") != "" {
		snapshot()
	}
}

// snapshot is called for requests, but not for all.
func snapshot() {
	buf := make([]byte, 1<<20)
	log.Printf("%s", buf[:runtime.Stack(buf, true)])
}

func register() {
	http.HandleFunc("/debug/goroutines", func(w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, 1<<20)
		n := runtime.Stack(buf, true)
		log.Printf("%s", buf[:n])
	})
	http.HandleFunc("/all", func(w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, 1<<20)
		n := runtime.Stack(buf, true)
		w.Write(buf[:n])
	})
}

func onSignal() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	for range c {
		buf := make([]byte, 1<<20)
		log.Printf("%s", buf[:runtime.Stack(buf, true)])
	}
}

func onTimer(done chan bool) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Minute):
			buf := make([]byte, 1<<20)
			log.Printf("%s", buf[:runtime.Stack(buf, true)])
		}
	}
}

func dumpAll() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

func dumps(w http.ResponseWriter, r *http.Request) { log.Printf("%s", dumpAll()) }

func once() {
	buf := make([]byte, 1<<20)
	log.Printf("%s", buf[:runtime.Stack(buf, true)])
}

func variable(w http.ResponseWriter, r *http.Request, all bool) {
	buf := make([]byte, 1<<20)
	log.Printf("%s", buf[:runtime.Stack(buf, all)])
}
