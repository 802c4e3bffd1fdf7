package c48

import "net/http"

// V2 method
type tree struct{ kids []*tree }

func (t *tree) depth() int {
	d := 0
	for _, k := range t.kids {
		d = max(d, k.depth())
	}
	return d + 1
}

func serve(t *tree) {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		done := make(chan int)
		go func() { done <- t.depth() }()
		<-done
	})
}
