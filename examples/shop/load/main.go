// Load asks a shop for items, from four clients at a time, and prints what pawl compare -load reads.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: load URL TIME")
		os.Exit(2)
	}
	d, err := time.ParseDuration(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var mu sync.Mutex
	var all []time.Duration
	errs := 0
	end := time.Now().Add(d)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for time.Now().Before(end) {
				start := time.Now()
				err := ask(os.Args[1])
				if err != nil {
					time.Sleep(10 * time.Millisecond) // a shop that is closed
				}
				mu.Lock()
				if all = append(all, time.Since(start)); err != nil {
					errs++
				}
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	slices.Sort(all)
	fmt.Printf("requests %d\nerrors %d\np50 %v\np99 %v\n", len(all)-errs, errs, all[len(all)/2], all[len(all)*99/100])
}

func ask(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}
