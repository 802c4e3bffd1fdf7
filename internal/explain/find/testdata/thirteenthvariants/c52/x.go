package c52

import (
	"net/http"
	"sync"
)

// V1 closure

func replay(urls []string, workers int, get func(string) (*http.Response, error)) int {
	failures := make(chan struct{}, workers)
	total := 0
	counted := make(chan struct{})
	go func() {
		for range failures {
			total++
		}
		close(counted)
	}()
	queue := make(chan string)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for u := range queue {
				resp, err := get(u)
				if err != nil {
					failures <- struct{}{}
					continue
				}
				resp.Body.Close()
			}
		})
	}
	for _, u := range urls {
		queue <- u
	}
	close(queue)
	wg.Wait()
	close(failures)
	<-counted
	return total
}
