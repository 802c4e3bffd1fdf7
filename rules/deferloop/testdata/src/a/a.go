package a

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

func sum(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // want `defer f.Close in a loop runs only when the function returns`
		if err := read(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func read(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func skip(names []string) {
	for i := 0; i < len(names); i++ {
		f, err := os.Open(names[i])
		if err != nil {
			continue
		}
		defer func() { _ = f.Close() }() // want `defer f.Close in a loop`
		sc := bufio.NewScanner(f)
		for sc.Scan() {
			if sc.Text() == "" {
				continue
			}
			fmt.Println(sc.Text())
			break
		}
		if sc.Err() != nil {
			continue
		}
		fmt.Println(names[i])
	}
}

func poll(ctx context.Context, urls []string) {
	for _, url := range urls {
		one, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `defer cancel in a loop`
		req, _ := http.NewRequestWithContext(one, "GET", url, nil)
		_, _ = http.DefaultClient.Do(req)
	}
}

// The return of a value cannot be passed on: no fix.
func find(urls []string) (int, error) {
	for _, url := range urls {
		resp, err := http.Get(url)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close() // want `defer resp.Body.Close in a loop`
		if resp.StatusCode == 200 {
			return 1, nil
		}
	}
	return 0, errors.New("none")
}

// Nor can a break, a label, or a defer in a branch.
func breaks(names []string) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return
		}
		defer f.Close() // want `defer f.Close in a loop`
		if read(f) != nil {
			break
		}
	}
}

func inBranch(names []string) {
	for _, name := range names {
		if f, err := os.Open(name); err == nil {
			g, _ := os.Open(name)
			defer g.Close() // want `defer g.Close in a loop`
			f.Close()
		}
	}
}

// The file stays open where the iteration is left before.
func sometimesClosed(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // want `defer f.Close in a loop`
		if _, err := f.Stat(); err != nil {
			continue
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// What follows is left alone.

func closed(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // for the returns
		if _, err := f.Stat(); err != nil {
			return err
		}
		err = f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func scoped(names []string) {
	for _, name := range names {
		func() {
			f, err := os.Open(name)
			if err != nil {
				return
			}
			defer f.Close()
			_ = read(f)
		}()
	}
}

func goroutines(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f, _ := os.Open(name)
			defer f.Close()
		}()
	}
	wg.Wait()
}

func first(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		return read(f)
	}
	return os.ErrNotExist
}

func firstBreak(names []string) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		_ = read(f)
		break
	}
}

func exits(names []string) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		os.Exit(1)
	}
}

func three(url string) {
	for range 3 {
		resp, err := http.Get(url)
		if err != nil {
			return
		}
		defer resp.Body.Close()
	}
	for i := 0; i < 5; i++ {
		f, _ := os.Open(fmt.Sprint(i))
		defer f.Close()
	}
	for _, name := range []string{"a", "b"} {
		f, _ := os.Open(name)
		defer f.Close()
	}
	for _, name := range [2]string{"a", "b"} {
		f, _ := os.Open(name)
		defer f.Close()
	}
}

func joined(w io.Writer, names []string) error {
	var parts []io.Reader
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		parts = append(parts, f)
	}
	_, err := io.Copy(w, io.MultiReader(parts...))
	return err
}

func joinedLines(names []string) (all []*bufio.Reader) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		r := bufio.NewReader(f)
		all = append(all, r)
	}
	return all
}

func stored(names []string, open map[string]*os.File) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		open[name] = f
	}
}

type set struct{ files []*os.File }

func (s *set) add(f *os.File) { s.files = append(s.files, f) }

func registered(names []string) {
	var s set
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		s.add(f)
	}
}

func spawned(names []string) {
	done := make(chan bool)
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		go func() {
			_ = read(f)
			done <- true
		}()
	}
	for range names {
		<-done
	}
}

type shard struct {
	sync.Mutex
	f *os.File
}

func all(shards []*shard) {
	for _, s := range shards {
		s.Lock()
		defer s.Unlock()
	}
	for _, s := range shards {
		defer s.f.Close() // not opened here
	}
}

func removed(names []string) {
	for _, name := range names {
		defer os.Remove(name)
	}
}

func once(name string) {
	f, _ := os.Open(name)
	defer f.Close()
	for range 100 {
		_ = read(f)
	}
}

// A context that the next iteration may go on with.
func hosts(parent context.Context, addresses []string) error {
	var ctx context.Context
	for i, address := range addresses {
		if i == 0 || address != addresses[i-1] {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(parent, time.Second)
			defer cancel()
		}
		if err := dial(ctx, address); err == nil {
			return nil
		}
	}
	return errors.New("no host")
}

func dial(ctx context.Context, address string) error { return ctx.Err() }

// A list of lists, whose type never ends.
type tree []tree

func trees(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		below := grow(f)
		defer f.Close() // want `defer f.Close in a loop`
		if len(below) > 0 {
			return read(f)
		}
	}
	return nil
}

func grow(r io.Reader) tree { return nil }
