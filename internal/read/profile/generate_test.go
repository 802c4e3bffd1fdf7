package profile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
)

// A shape is what a large profile is made of.
type shape struct {
	functions, locations int
	least, most          int // depth
	stacks               int // told apart; 0 for as many as there are samples
	labels               int // per sample
	values               int // of a label, told apart
}

// The shapes of large profiles: of many hosts, merged; of one small program
// over a long time, not added up; of a service that labels its requests.
var shapes = map[string]shape{
	"stacks": {functions: 20_000, locations: 50_000, least: 40, most: 80, labels: 2, values: 400},
	"few":    {functions: 300, locations: 900, least: 4, most: 14, stacks: 1500},
	"labels": {functions: 4000, locations: 12_000, least: 15, most: 40, stacks: 20_000, labels: 8, values: 50_000},
}

// A generator writes a CPU profile in pprof's format as a stream: what google's
// package would write it must have in memory first.
type generator struct {
	shape
	rand    *rand.Rand
	out     io.Writer
	size    int64 // of what was written, unpacked
	total   int64 // nanoseconds
	rows    int64
	strings []string
	index   map[string]uint64
	known   [][]uint64 // stacks
}

// writeProfile writes a profile of size bytes, of the file if packed is set and
// else of what it holds. It returns the CPU time and the number of samples in it.
func writeProfile(t testing.TB, name string, sh shape, size int64, packed bool) (total, rows int64) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	file := &counted{w: bufio.NewWriterSize(f, 1<<20)}
	z, _ := gzip.NewWriterLevel(file, gzip.BestSpeed)
	g := &generator{shape: sh, rand: rand.New(rand.NewPCG(1, 2)), out: z, index: map[string]uint64{}}
	g.text("")
	g.message(1, 1, g.text("samples"), 2, g.text("count"))
	g.message(1, 1, g.text("cpu"), 2, g.text("nanoseconds"))
	for written := int64(0); written < size; {
		g.sample()
		if written = g.size; packed {
			written = file.n
		}
	}
	g.tables()
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return g.total, g.rows
}

// A counted counts what goes through it.
type counted struct {
	w *bufio.Writer
	n int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}

func (g *generator) text(s string) uint64 {
	if i, ok := g.index[s]; ok {
		return i
	}
	i := uint64(len(g.strings))
	g.index[s], g.strings = i, append(g.strings, s)
	return i
}

func (g *generator) field(num int, data []byte) {
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(num)<<3|2), uint64(len(data)))
	g.size += int64(len(head) + len(data))
	g.out.Write(head) // the gzip writer keeps the error for Close
	g.out.Write(data)
}

// message writes a message of numbers, given as pairs of field and value.
func (g *generator) message(num int, fields ...uint64) { g.field(num, numbers(fields...)) }

func numbers(fields ...uint64) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		b = binary.AppendUvarint(binary.AppendUvarint(b, fields[i]<<3), fields[i+1])
	}
	return b
}

func appendPacked(b []byte, num int, vs ...uint64) []byte {
	var body []byte
	for _, v := range vs {
		body = binary.AppendUvarint(body, v)
	}
	b = binary.AppendUvarint(b, uint64(num)<<3|2)
	return append(binary.AppendUvarint(b, uint64(len(body))), body...)
}

func (g *generator) sample() {
	count := uint64(1 + g.rand.IntN(3))
	g.total += int64(count) * 10_000_000
	g.rows++
	b := appendPacked(nil, 1, g.stack()...)
	b = appendPacked(b, 2, count, count*10_000_000)
	for i := range g.labels {
		key, value := g.text(fmt.Sprintf("label%d", i)), g.text(fmt.Sprintf("value-%d-%06x", i, g.rand.IntN(g.values)))
		body := numbers(1, key, 2, value)
		b = append(binary.AppendUvarint(append(b, 3<<3|2), uint64(len(body))), body...)
	}
	g.field(2, b)
}

func (g *generator) stack() []uint64 {
	if g.stacks > 0 && len(g.known) == g.stacks {
		return g.known[g.rand.IntN(len(g.known))]
	}
	depth := g.least + g.rand.IntN(g.most-g.least+1)
	out := make([]uint64, depth)
	at := uint64(g.rand.IntN(40)) // where requests come in
	for i := depth - 1; i >= 0; i-- {
		out[i] = at + 1
		// Each line leads to six others, to the first ones more often.
		next := min(g.rand.IntN(6), g.rand.IntN(6))
		at = (at*2862933555777941757 + uint64(next)*3037000493 + 7046029254386353087) >> 7 % uint64(g.locations)
	}
	if g.stacks > 0 {
		g.known = append(g.known, out)
	}
	return out
}

// leaves are what stacks are in at their inner ends.
var leaves = []string{"runtime.mallocgc", "runtime.memmove", "runtime.scanobject", "runtime.mapaccess2_faststr", "runtime.growslice", "runtime.chanrecv",
	"runtime.selectgo", "runtime.findRunnable", "encoding/json.(*decodeState).object", "syscall.Syscall6", "sync.(*Mutex).lockSlow", "bytes.(*Buffer).Write"}

func (g *generator) tables() {
	g.message(3, 1, 1, 2, 0x400000, 3, 0x4000000, 5, g.text("/srv/bin/service"), 7, 1)
	for i := range g.locations {
		b := numbers(1, uint64(i+1), 2, 1, 3, uint64(0x400000+16*i))
		for n := 0; n == 0 || i%3 == 0 && n < 1+i%4; n++ { // a third has inlined calls
			line := numbers(1, uint64((i*7+n*13)%g.functions)+1, 2, uint64(10+i%900))
			b = append(binary.AppendUvarint(append(b, 4<<3|2), uint64(len(line))), line...)
		}
		g.field(4, b)
	}
	for i := range g.functions {
		name := fmt.Sprintf("example.com/team%d/service%d/internal/package%d.(*Type%d).Method%d", i%7, i%23, i%400, i%1000, i)
		file := fmt.Sprintf("/home/build/src/example.com/team%d/service%d/internal/package%d/file%d.go", i%7, i%23, i%400, i%3000)
		if i%5 == 0 {
			name, file = leaves[i/5%len(leaves)], "/usr/local/go/src/runtime/file.go"
		}
		g.message(5, 1, uint64(i+1), 2, g.text(name), 3, g.text(name), 4, g.text(file))
	}
	for _, s := range g.strings {
		g.field(6, []byte(s))
	}
	rest := append(numbers(9, 1_700_000_000_000_000_000, 10, 30_000_000_000), numbers(12, 10_000_000)...)
	g.size += int64(len(rest))
	g.out.Write(rest)
}

// BenchmarkRead reads profiles of 4 MB here and by google's package.
func BenchmarkRead(b *testing.B) {
	for name, sh := range shapes {
		file := filepath.Join(b.TempDir(), name)
		writeProfile(b, file, sh, 4<<20, false)
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		for who, read := range map[string]func() error{
			"pawl":   func() error { _, err := Read(bytes.NewReader(data)); return err },
			"google": func() error { _, err := profile.ParseData(data); return err },
		} {
			b.Run(name+"/"+who, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := read(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
