package c14

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

func work(int) {}

// V1 renamed
func spawn(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(id)
		}()
	}
	wg.Wait()
}

// V2 method
type srv struct{ q chan int }

func (s *srv) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go s.audit(r.URL.Path)
	w.WriteHeader(204)
}
func (s *srv) audit(p string) { time.Sleep(time.Second) }

// V3 closure
func batch(in []string) func() {
	return func() {
		for i := range in {
			go func() { fmt.Println(in[i]) }()
		}
	}
}

// V4 generic
func parallel[T any](xs []T, f func(T)) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { f(x) })
	}
	wg.Wait()
}

// V5 two functions
func start(id int) { go work(id) }
func startAll(ids []int) {
	for _, id := range ids {
		start(id)
	}
}
