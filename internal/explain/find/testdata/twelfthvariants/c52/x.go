package c52

import "net/http"

// V3 closure, missed
func counted(next http.Handler) (http.Handler, func() int) {
	hits := make(chan int, 256)
	ask := make(chan chan int)
	go func() {
		total := 0
		for {
			select {
			case n := <-hits:
				total += n
			case reply := <-ask:
				reply <- total
			}
		}
	}()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits <- 1
		next.ServeHTTP(w, r)
	})
	return h, func() int {
		reply := make(chan int)
		ask <- reply
		return <-reply
	}
}
