package trace

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	xtrace "runtime/trace"
	"testing"
	"time"
)

var large = flag.Bool("large", false, "write a trace of some 100 MB, and see what memory it takes to read it")

// Memory follows the busiest second of a trace and not its length. Two
// generations are kept while one is read, each in a little more than twice its
// bytes.
func TestLarge(t *testing.T) {
	if !*large {
		t.Skip("writes 100 MB: -large")
	}
	if times := peakOf(t, 100<<20); times > 6 {
		t.Errorf("the heap grew to %.1f times the largest generation", times)
	}
}

// peakOf writes a trace of at least that size, and returns the largest heap
// while it is read, over the bytes of its largest generation.
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
	go func() {
		most := int64(0)
		for {
			select {
			case <-quit:
				stop <- most
				return
			case <-time.After(2 * time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	begin := time.Now()
	res, err := Read(context.Background(), f)
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
		time.Sleep(3 * time.Since(begin))
	}
	return name
}
