package a

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"
)

type row struct{ v, sum uint64 }

func enrich(r row) row { return row{r.v, r.v * 31} }

func process(r row) { fmt.Sprint(enrich(r)) }

func each(rows []row) {
	for _, r := range rows {
		go process(r) // want `a goroutine for each item, without a bound`
	}
}

func literal(rows []row) []row {
	out := make([]row, len(rows))
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Add(1)
		go func(i int, r row) { // want `as many as there are processors do the same work`
			defer wg.Done()
			out[i] = enrich(r)
		}(i, r)
	}
	wg.Wait()
	return out
}

func withGo(rows []row) (sum uint64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() { // want `a goroutine for each item`
			s := enrich(r).sum
			mu.Lock()
			sum += s
			mu.Unlock()
		})
	}
	wg.Wait()
	return sum
}

// A return in the goroutine, or a map: no fix.
func returning(rows []row, out []row) {
	var wg sync.WaitGroup
	for i := range len(rows) {
		wg.Go(func() { // want `a goroutine for each item`
			if rows[i].v == 0 {
				return
			}
			out[i] = enrich(rows[i])
		})
	}
	for i := 0; i < len(rows); i++ {
		go process(rows[i]) // want `a goroutine for each item`
	}
	wg.Wait()
}

func byKey(rows map[string]row) {
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Add(1)
		go func() { // want `a goroutine for each item`
			defer wg.Done()
			process(r)
		}()
	}
	wg.Wait()
}

func handle(w http.ResponseWriter, r *http.Request) {
	go background(r.URL.Path) // want `a goroutine for each request, that the request does not wait for: their number has no bound, and handle is reached from an HTTP handler`
	w.WriteHeader(http.StatusAccepted)
}

func background(path string) { os.Remove(path) }

type queue struct{ names []string }

func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) { later(q, r.URL.Path) }

func later[T any](q *T, path string) {
	go func() { // want `a goroutine for each request, .* and later is reached`
		background(path)
		fmt.Sprint(q)
	}()
}

// What follows is left alone.

func waitsFor(w http.ResponseWriter, r *http.Request) {
	done := make(chan struct{}, 1)
	go func() {
		background(r.URL.Path)
		done <- struct{}{}
	}()
	select {
	case <-done:
	case <-r.Context().Done():
	}
}

var places = make(chan struct{}, 16)

func bounded(w http.ResponseWriter, r *http.Request) {
	places <- struct{}{}
	go func() {
		defer func() { <-places }()
		background(r.URL.Path)
	}()
}

func ends(w http.ResponseWriter, r *http.Request) {
	go func() {
		<-r.Context().Done()
		background(r.URL.Path)
	}()
}

func startOnce(path string) { go background(path) }

func constant(rows []row) {
	for i := range 8 {
		go process(rows[i])
	}
	for i := 0; i < 4; i++ {
		go process(rows[i])
	}
	for _, r := range [3]row{} {
		go process(r)
	}
	for _, f := range []func(){func() {}, func() {}} {
		go f()
	}
}

func pool(rows []row, workers int) {
	ch := make(chan row)
	for range workers {
		go func() {
			for r := range ch {
				process(r)
			}
		}()
	}
	for range runtime.GOMAXPROCS(0) {
		go func() { process(<-ch) }()
	}
	for i := range workers {
		go process(row{v: uint64(i)})
	}
	for _, r := range rows {
		ch <- r
	}
}

func shares(rows []row, out [][]row, workers int) {
	for w := 0; w < workers; w++ {
		go func() { out[w] = nil }()
	}
}

func semaphore(rows []row) {
	sem := make(chan struct{}, 8)
	for _, r := range rows {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			process(r)
		}()
	}
}

func inside(rows []row) {
	sem := make(chan struct{}, 8)
	for _, r := range rows {
		go func() {
			sem <- struct{}{}
			process(r)
			<-sem
		}()
	}
}

type weighted struct{}

func (weighted) Acquire(context.Context, int64) error { return nil }

func acquired(rows []row, w weighted) {
	for _, r := range rows {
		_ = w.Acquire(context.Background(), 1)
		go process(r)
	}
}

// Files and requests wait; goroutines that wait cost little.
func fetches(urls []string) {
	for _, url := range urls {
		go func() {
			resp, err := http.Get(url)
			if err == nil {
				resp.Body.Close()
			}
		}()
	}
	for _, name := range urls {
		go os.Remove(name)
	}
	for range urls {
		go time.Sleep(time.Second)
	}
}

func unknown(rows []row, work func(row)) {
	for _, r := range rows {
		go func() { work(r) }()
	}
}

func withContext(ctx context.Context, urls []string, ask func(context.Context, string)) {
	for _, url := range urls {
		go func() { ask(ctx, url) }()
	}
}

func results(rows []row) (sum uint64) {
	ch := make(chan row)
	for _, r := range rows {
		go func() { ch <- enrich(r) }()
	}
	for range rows {
		sum += (<-ch).sum
	}
	return sum
}

type service struct{ jobs chan row }

func (s *service) run() {
	for {
		process(<-s.jobs)
	}
}

func start(all []*service) {
	for _, s := range all {
		go s.run()
	}
}

func serve(l net.Listener, handle func(net.Conn)) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go handle(conn)
	}
}

func ticks(rows []row) {
	for range rows {
		go println()
	}
}

func paced(rows []row) {
	for _, r := range rows {
		go process(r)
		time.Sleep(time.Millisecond)
	}
}

func one(rows []row) {
	for _, r := range rows {
		if r.v > 0 {
			go process(r)
			break
		}
	}
}

type store interface{ load(row) }

// The method may wait for whatever it likes.
func behind(rows []row, s store) {
	for _, r := range rows {
		go s.load(r)
	}
}
