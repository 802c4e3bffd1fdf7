package c14

import (
	"net/http"
	"sync"
)

// V5 two functions
type mailer struct{}

func (mailer) deliver(to string) {}

func (m mailer) later(to string) { go m.deliver(to) }

func (m mailer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.later(r.FormValue("to"))
	w.WriteHeader(http.StatusAccepted)
}

// V4 generic
func each[T any](items []T, do func(T)) {
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() { do(it) })
	}
	wg.Wait()
}
