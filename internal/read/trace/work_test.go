package trace

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	xtrace "runtime/trace"
	"sync"
	"testing"
	"time"
)

// nap is how long one wait of a workload lasts.
const nap = 2 * time.Millisecond

// record traces what f does.
func record(t testing.TB, f func()) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := xtrace.Start(&buf); err != nil {
		t.Skipf("this process is traced already: %v", err)
	}
	f()
	xtrace.Stop()
	return buf.Bytes()
}

// burn uses the processor.
func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// many runs n goroutines and waits for them as f does not.
func many(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

// waitForMutex lets goroutines take turns at a mutex that is held while the
// holder uses the processor.
func waitForMutex() {
	var mu sync.Mutex
	many(8, func() {
		for range 5 {
			mu.Lock()
			burn(nap)
			mu.Unlock()
		}
	})
}

func waitForChannel() {
	ch, done := make(chan int), make(chan int)
	for range 8 {
		go func() {
			for range ch {
			}
			done <- 1
		}()
	}
	for i := range 20 {
		burn(nap)
		ch <- i
	}
	close(ch)
	for range 8 {
		<-done
	}
}

func waitInSelect() {
	ch, quit, done := make(chan int), make(chan int), make(chan int)
	for range 8 {
		go func() {
			for {
				select {
				case <-ch:
				case <-quit:
					done <- 1
					return
				}
			}
		}()
	}
	for i := range 20 {
		burn(nap)
		ch <- i
	}
	close(quit)
	for range 8 {
		<-done
	}
}

func waitForSleep() { time.Sleep(20 * nap) }

// waitForNetwork reads from a connection on which something comes now and then.
func waitForNetwork(t testing.TB) func() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback network: %v", err)
	}
	t.Cleanup(func() { ln.Close() })
	client, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return func() {
		go func() {
			for range 10 {
				burn(nap)
				if _, err := server.Write([]byte("x")); err != nil {
					return
				}
			}
		}()
		_, _ = io.ReadFull(client, make([]byte, 10))
	}
}

type node struct {
	next *node
	_    [6]*node
}

// assist allocates pointers faster than the collector marks, with one processor.
func assist() {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var head *node
	for range 400_000 {
		head = &node{next: head}
	}
	for range 400_000 {
		keepOne(&node{next: head})
	}
	runtime.KeepAlive(head)
}

//go:noinline
func keepOne(n *node) { sink = n }

var sink *node

// crowd runs many goroutines on one processor.
func crowd() {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	many(16, func() {
		for range 5 {
			burn(nap)
			runtime.Gosched()
		}
	})
}
