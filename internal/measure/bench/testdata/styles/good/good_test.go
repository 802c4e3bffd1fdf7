package good

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

var (
	data = make([]int, 1000)
	sink int
	kept []byte
)

func work() { sink += Sum(data) }

func BenchmarkN(b *testing.B) {
	for i := 0; i < b.N; i++ {
		work()
	}
}

func BenchmarkNothing(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}

func BenchmarkLoop(b *testing.B) {
	setup := make([]byte, 1<<20)
	for b.Loop() {
		work()
	}
	runtime.KeepAlive(setup)
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"size=1", "with space", "a/b", "x-8", "dup", "dup", "re(x|y)*[z]"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				work()
			}
		})
	}
}

func BenchmarkLateReset(b *testing.B) {
	burn(20 * time.Millisecond)
	garbage := make([][]byte, 0, 100)
	for range 100 {
		garbage = append(garbage, make([]byte, 1000))
	}
	b.SetBytes(int64(len(garbage)))
	b.ReportMetric(7, "sevens")
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		work()
	}
}

func BenchmarkTimedSetup(b *testing.B) {
	burn(30 * time.Millisecond)
	for i := 0; i < b.N; i++ {
		work()
	}
}

// burn uses the CPU for about so long. It counts and does not look at the
// clock: on a busy machine 30 ms may hold 10 ms of work.
func burn(d time.Duration) {
	for range d / (500 * time.Nanosecond) {
		work()
	}
}

func BenchmarkStopStart(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		kept = make([]byte, 100)
		b.StartTimer()
		work()
	}
}

func BenchmarkAllocs(b *testing.B) {
	for i := 0; i < b.N; i++ {
		kept = make([]byte, 100)
		if i%4 == 0 {
			kept = make([]byte, 200)
		}
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		s := 0
		for pb.Next() {
			s += Sum(data)
		}
	})
}

func BenchmarkSleep(b *testing.B) {
	for b.Loop() {
		time.Sleep(500 * time.Microsecond)
	}
}

func BenchmarkPrints(b *testing.B) {
	fmt.Print("BenchmarkN 1 2 ns/op and no newline")
	fmt.Fprintln(os.Stderr, "to stderr")
	for i := 0; i < b.N; i++ {
		work()
	}
	b.Log("logged")
}

func BenchmarkDirectory(b *testing.B) {
	data, err := os.ReadFile("input.txt")
	if err != nil {
		b.Fatal(err)
	}
	if wd, _ := os.Getwd(); os.Getenv("PWD") != wd {
		b.Fatalf("PWD is %s, and the directory is %s", os.Getenv("PWD"), wd)
	}
	for b.Loop() {
		sink += len(data)
	}
}

func BenchmarkEnvironment(b *testing.B) {
	for _, kv := range os.Environ() {
		if strings.HasPrefix(kv, "PAWL_") {
			b.Fatal(kv)
		}
	}
	// The descriptor of the records is the first one, and must not reach a child.
	out, err := exec.Command("readlink", "/proc/self/fd/3").CombinedOutput()
	if err == nil && strings.HasPrefix(string(out), "pipe:") {
		b.Fatalf("descriptor 3 is %s", out)
	}
	for b.Loop() {
		work()
	}
}

// The three cases of retained bytes.

func BenchmarkKeepsNothing(b *testing.B) {
	for i := 0; i < b.N; i++ {
		work()
	}
}

func BenchmarkKeepsBuffer(b *testing.B) {
	var buf []byte
	for i := 0; i < b.N; i++ {
		if buf == nil {
			buf = make([]byte, 64<<10)
		}
		buf[i%len(buf)]++
		work()
	}
	sink += len(buf)
}

func BenchmarkKeepsGarbage(b *testing.B) {
	for i := 0; i < b.N; i++ {
		garbage(i)
		work()
	}
}

//go:noinline
func garbage(i int) {
	p := make([]byte, 64<<10+i%2)
	fill(p)
}

//go:noinline
func fill(p []byte) { sink += len(p); escape(&p) }

var never bool

//go:noinline
func escape(p *[]byte) {
	if never {
		kept = *p
	}
}

func BenchmarkSkips(b *testing.B) { b.Skip("not today") }

func BenchmarkSkipsSub(b *testing.B) {
	b.Run("no", func(b *testing.B) { b.Skip("nor this") })
	b.Run("yes", func(b *testing.B) {
		for b.Loop() {
			work()
		}
	})
}

func BenchmarkNested(b *testing.B) {
	for i := 0; i < b.N; i++ {
		work()
	}
}

func TestBenchmarkInTest(t *testing.T) { testing.Benchmark(BenchmarkN) }

// The cases of peak heap: what each iteration holds and drops, and what grows.

func BenchmarkHoldsForAWhile(b *testing.B) {
	for i := 0; i < b.N; i++ {
		hold()
		works(400)
	}
}

//go:noinline
func hold() {
	p := make([]byte, 1<<20)
	fill(p)
	works(400)
	runtime.KeepAlive(p)
}

//go:noinline
func works(n int) {
	for range n {
		work()
	}
}

var cache map[int][]byte

func BenchmarkGrows(b *testing.B) {
	cache = make(map[int][]byte)
	for i := 0; i < b.N; i++ {
		cache[i%4096] = make([]byte, 1024)
		work()
	}
}

// BenchmarkCollects has a tree for the collector to mark, and replaces a branch
// of it in each iteration.
func BenchmarkCollects(b *testing.B) {
	root := &node{}
	for i := 0; i < b.N; i++ {
		root = root.with(uint32(i)*2654435761, 15)
	}
	runtime.KeepAlive(root)
}

type node struct{ sub [2]*node }

// with returns a copy of the tree with a leaf of its own at the end of path.
func (n *node) with(path uint32, depth int) *node {
	c := &node{}
	if n != nil {
		*c = *n
	}
	if depth > 0 {
		c.sub[path&1] = c.sub[path&1].with(path>>1, depth-1)
	}
	return c
}
