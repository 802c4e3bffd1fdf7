package trace

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	xtrace "runtime/trace"
	"sync/atomic"
	"testing"
	"time"
)

var (
	large     = flag.Bool("large", false, "write a large trace, and see what memory it takes to read it")
	megabytes = flag.Int64("megabytes", 100, "how large that is")
)

// Memory follows the busiest second of a trace and not its length. Two
// generations are kept while one is read, each in a little more than twice its
// bytes.
func TestLarge(t *testing.T) {
	if !*large {
		t.Skip("writes 100 MB or more: -large")
	}
	if times := peakOf(t, *megabytes<<20); times > 6 {
		t.Errorf("the heap grew to %.1f times the largest generation", times)
	}
}

// A counted counts what is read, for another goroutine.
type counted struct {
	r io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// peakOf writes a trace of at least that size, and returns the largest heap
// while it is read, over the bytes of its largest generation. The log has what
// that was after 100 MB, 200 MB, 400 MB and so on: it should not grow.
func peakOf(t *testing.T, size int64) float64 {
	t.Helper()
	name := writeLarge(t, size)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // to see what is kept, not when the collector runs
	runtime.GC()
	before, stop := heap(), make(chan int64)
	quit := make(chan struct{})
	in, begin := &counted{r: f}, time.Now()
	go func() {
		most := int64(0)
		for step := int64(100e6); ; {
			if in.n.Load() >= step {
				t.Logf("after %4d MB: %5.1f s, peak heap %.1f MB", step/1e6, time.Since(begin).Seconds(), float64(most-before)/1e6)
				step *= 2
			}
			select {
			case <-quit:
				stop <- most
				return
			case <-time.After(2 * time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	res, err := Read(context.Background(), in)
	took := time.Since(begin)
	close(quit)
	peak := <-stop - before
	if err != nil {
		t.Fatal(err)
	}
	sum := res.Summary("test", "large.trace")
	t.Logf("%.1f MB, %d events of %.1f s in %d generations, the largest %.1f MB: peak heap %.1f MB, read in %.1f s",
		float64(sum.Bytes)/1e6, sum.Events, float64(sum.DurationNs)/1e9, res.c.syncs-1, float64(res.largest)/1e6, float64(peak)/1e6, took.Seconds())
	return float64(peak) / float64(res.largest)
}

func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// writeLarge traces goroutines that hand a value around until there are so many
// bytes. They pause, so that there are many generations.
func writeLarge(t *testing.T, size int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "large.trace")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := xtrace.Start(f); err != nil {
		t.Skipf("this process is traced already: %v", err)
	}
	defer xtrace.Stop()
	for written := int64(0); written < size; {
		begin := time.Now()
		many(4, func() {
			a, b := make(chan int), make(chan int)
			go func() {
				for v := range a {
					b <- v
				}
				close(b)
			}()
			for i := range 2000 {
				a <- i
				<-b
			}
			close(a)
			<-b
		})
		fi, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		written = fi.Size()
		if size <= 200<<20 { // a larger one has many anyway
			time.Sleep(3 * time.Since(begin))
		}
	}
	return name
}
