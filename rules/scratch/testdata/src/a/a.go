package a

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// The shape of the seed: a buffer of another length in each iteration.
func ones(w io.Writer, lengths []int) {
	for _, n := range lengths {
		buf := make([]byte, n) // want `the slice buf is made anew in each iteration`
		for i := range buf {
			buf[i] = 1
		}
		w.Write(buf)
	}
}

func narrow(w io.Writer, lengths []uint8) {
	for _, n := range lengths {
		buf := make([]byte, n+1) // want `slice buf`
		w.Write(buf[1:])
	}
}

func steady(r io.Reader, n int) (sum int) {
	for range 10 {
		buf := make([]byte, n) // want `slice buf`
		if _, err := io.ReadFull(r, buf); err != nil {
			break
		}
		sum += int(buf[0])
	}
	return sum
}

func distinct(batches [][]string) (n int) {
	for _, batch := range batches {
		seen := map[string]bool{} // want `the map seen is made anew`
		for _, s := range batch {
			seen[s] = true
		}
		n += len(seen)
	}
	return n
}

func hinted(batches [][]string) (n int) {
	for _, batch := range batches {
		seen := make(map[string]int, len(batch)) // want `map seen`
		for i, s := range batch {
			seen[s] = i
		}
		delete(seen, "")
		n += len(seen)
	}
	return n
}

func words(lines []string) (out []string) {
next:
	for _, l := range lines {
		var parts []string // want `slice parts`
		for f := range strings.FieldsSeq(l) {
			if f == "#" {
				continue next
			}
			parts = append(parts, strings.ToLower(f))
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

func reserved(lines []string) (out []string) {
	for _, l := range lines {
		parts := make([]string, 0, len(l)) // want `slice parts`
		for f := range strings.FieldsSeq(l) {
			parts = append(parts, f)
		}
		out = append(out, parts...)
	}
	return out
}

func render(names []string) (out []string) {
	for i, n := range names {
		var buf bytes.Buffer // want `the buffer buf is made anew`
		buf.WriteString(n)
		fmt.Fprintf(&buf, "-%d", i)
		out = append(out, buf.String())
	}
	return out
}

func send(w io.Writer, names []string) {
	for _, n := range names {
		buf := new(bytes.Buffer) // want `buffer buf`
		fmt.Fprintln(buf, n)
		w.Write(buf.Bytes())
	}
}

func count(m map[string]int) int { return len(m) }

func passed(all [][]string) (n int) {
	for _, some := range all {
		m := make(map[string]int) // want `map m`
		for i := range some {
			m[some[i]] += i
		}
		n += count(m)
	}
	return n
}

// The name is taken, or the type is of the loop: no fix.
func taken(batches [][]string) (n int) {
	for _, batch := range batches {
		seen := map[string]bool{} // want `map seen`
		seen[batch[0]] = true
		n += len(seen)
	}
	seen := n
	return seen
}

func ofTheLoop(batches [][]string) (n int) {
	for _, batch := range batches {
		type key struct{ s string }
		seen := map[key]bool{} // want `map seen`
		seen[key{batch[0]}] = true
		n += len(seen)
	}
	return n
}

// On each call.
func perCall(words []string) int {
	seen := make(map[string]bool) // want `the map seen is made on each call of perCall`
	for _, w := range words {
		seen[w] = true
	}
	return len(seen)
}

func callsIt(all [][]string) (n int) {
	for _, words := range all {
		n += perCall(words)
	}
	return n
}

// What follows is left alone.

type store struct {
	last map[string]bool
	all  [][]byte
}

func (s *store) stored(keys []string) {
	for _, k := range keys {
		m := map[string]bool{k: true}
		s.last = m
		n := map[string]bool{}
		s.last = n
		buf := make([]byte, len(k))
		s.all = append(s.all, buf)
	}
}

func returned(keys []string) []string {
	for _, k := range keys {
		out := make([]string, 0, len(k))
		out = append(out, k)
		if k != "" {
			return out
		}
	}
	return nil
}

func sent(c chan<- []byte, sizes []int) {
	for _, n := range sizes {
		buf := make([]byte, n)
		buf[0] = 1
		c <- buf
	}
}

func captured(sizes []int) (fs []func() int) {
	for _, n := range sizes {
		buf := make([]byte, n)
		fs = append(fs, func() int { return int(buf[0]) })
	}
	return fs
}

func concurrent(w io.Writer, sizes []int) {
	for _, n := range sizes {
		buf := make([]byte, n)
		go w.Write(buf)
		late := make([]byte, n)
		defer w.Write(late)
	}
}

var kept []byte

func keep(b []byte) { kept = b }

func given(sizes []int) {
	for _, n := range sizes {
		buf := make([]byte, n)
		keep(buf)
	}
}

func aliased(sizes []int) (n int) {
	for _, size := range sizes {
		buf := make([]byte, size)
		other := buf
		n += len(other)
	}
	return n
}

func address(sizes []int, visit func(*int)) {
	for _, size := range sizes {
		buf := make([]int, size)
		visit(&buf[0])
	}
}

func isNil(lines [][]int) (n int) {
	for _, l := range lines {
		var some []int
		for _, x := range l {
			some = append(some, x)
		}
		if some == nil {
			n++
		}
	}
	return n
}

func onStack(xs []int) (sum int) {
	for _, x := range xs {
		buf := make([]int, 16)
		buf[x&15]++
		sum += buf[3]
	}
	return sum
}

func builder(names []string) (out []string) {
	for _, n := range names {
		var b strings.Builder // Reset gives its memory away
		b.WriteString(n)
		out = append(out, b.String())
	}
	return out
}

func bufferKept(names []string) (out [][]byte) {
	for _, n := range names {
		var buf bytes.Buffer
		buf.WriteString(n)
		out = append(out, buf.Bytes())
	}
	return out
}

func reassigned(lines [][]int) (n int) {
	for _, l := range lines {
		some := []int{}
		some = append(some, l...)
		some = l
		n += len(some)
	}
	return n
}

func recursive(words []string) int {
	seen := make(map[string]bool)
	for _, w := range words {
		seen[w] = true
	}
	for range words {
		recursive(words[1:])
	}
	return len(seen)
}

func init() {
	seen := make(map[string]bool) // once
	seen["x"] = true
	println(len(seen))
}

func generic[T any](all []T) (n int) {
	for _, v := range all {
		pair := make([]T, 2) // its size is not known
		pair[0] = v
		n += len(pair)
	}
	return n
}
