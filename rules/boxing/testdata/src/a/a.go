package a

import (
	"container/heap"
	"errors"
	"fmt"
	"log"
	"time"
)

// The shape of a seed: a result that is one type.
func total(xs []int) any {
	var s int
	for _, x := range xs {
		s += x
	}
	return any(s) // want `total boxes its result into any, although it is always int`
}

func longest(words []string) (any, error) {
	if len(words) == 0 {
		return "", errors.New("no words")
	}
	return words[0], nil // want `longest boxes its result into any, although it is always string`
}

// The shape of another: arguments of a log that keeps them.
type ring struct{ entries []any }

func (r *ring) add(format string, args ...any) {
	r.entries = append(r.entries, args...)
}

func fill(r *ring) {
	for i := 0; i < 1_000_000; i++ {
		r.add("i=%d x=%f", i, float64(i)*1.5) // want `each iteration allocates to pass i \(int\), float64\(i\)\*1.5 \(float64\) to add as any`
	}
}

// And the third: numbers in a field.
type sample struct {
	name  string
	value any
}

func (s *sample) int() int64 {
	switch v := s.value.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

var samples = map[string]*sample{}

func inc(name string, by int64) {
	if s, ok := samples[name]; ok {
		samples[name] = &sample{name: name, value: s.int() + by} // want `storing a number in sample.value, which is any, allocates`
		return
	}
	samples[name] = &sample{name: name, value: by} // want `storing a number in sample.value`
}

var last any

func keep(v any) { last = v }

func strings(words []string, times []time.Time) {
	for _, w := range words {
		keep(w) // want `w \(string\)`
	}
	for _, t := range times {
		keep(t) // want `t \(time.Time\)`
	}
}

// What follows is left alone.

func free(ps []*int, bs []byte, ms []map[string]int, x uint) {
	for i := range 100 {
		keep("constant")
		keep(7)
		keep(i)
		keep(x & 255)
		keep(x % 16)
		keep(struct{}{})
	}
	for i, p := range ps {
		keep(p)
		keep(i > 3)
	}
	for _, b := range bs {
		keep(b)
		keep(int(b))
	}
	for _, m := range ms {
		keep(m)
		keep(struct{ m map[string]int }{m})
	}
	for _, f := range []func(){func() {}} {
		keep(f)
	}
}

func once(n int) {
	keep(n)
}

func leaving(ns []int) any {
	for _, n := range ns {
		if n > 3 {
			return kept(n)
		}
	}
	return nil
}

func kept(v any) any { last = v; return v }

func logf(format string, args ...any) { log.Printf(format, args...) }

func sprint(v any) string { return fmt.Sprint(v) }

func indirect(v any) string { return sprint(v) }

func logging(ns []int) {
	for _, n := range ns {
		logf("%d", n)
		fmt.Println(n)
		_ = indirect(n)
	}
}

func failing(ns []int) {
	for _, n := range ns {
		if err := check(n); err != nil {
			keep(n)
		}
	}
}

func check(n int) error { return nil }

func isNil(v any) bool { return v == nil }

func looking(ns []int) (c int) {
	for _, n := range ns {
		if isNil(n) { // stays on the stack
			c++
		}
	}
	return c
}

type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(int)); last = x }
func (q *queue) Pop() any          { n := len(*q) - 1; x := (*q)[n]; *q = (*q)[:n]; return x }

func pushing(q *queue, ns []int) {
	for _, n := range ns {
		q.Push(n) // heap.Interface prescribes it
		heap.Push(q, n)
	}
}

func two(s string, n int) any {
	if s != "" {
		return s
	}
	return n
}

func maybe(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func newBuffer() any { return make([]byte, 10) }

var factory = newBuffer

func pointer() any { return new(int) }

func passOn(args []any) {
	r := &ring{}
	for range args {
		r.add("", args...)
	}
}

func typed[T any](v T) { _ = v }

func generic[T any](vs []T, ns []int) {
	for _, v := range vs {
		keep(v)
	}
	for _, n := range ns {
		typed(n)
	}
}

type message struct {
	body any
}

func bodies(n int, s []string) []message {
	return []message{{body: n}, {body: s}}
}

func unpack(v any) (n int) {
	switch v := v.(type) {
	case int:
		n = v
	case string:
		n = len(v)
	}
	if f, ok := v.(float64); ok {
		n = int(f)
	}
	return n
}

func unpacking(ns []int) (sum int) {
	for _, n := range ns {
		sum += unpack(n)
	}
	return sum
}

type logger struct{ printf func(string, ...any) }

func (l *logger) log(format string, args ...any) { l.printf(format, args...) }

func viaField(l *logger, ns []int) {
	for _, n := range ns {
		l.log("%d", n)
	}
}

type node any

func tree(n int) node { return n + 1000 }

// A document of any boxes the value whatever the parameter is.
func config(name string, body any) []map[string]any { return []map[string]any{{name: body}} }

func configs(names []string) (all [][]map[string]any) {
	for _, name := range names {
		all = append(all, config(name, message{body: name}))
	}
	return all
}

// And so does a list of arguments that a field goes into.
type span struct{ From, To any }

func (s span) args() []any { return append([]any{"SPAN"}, s.From, s.To) }

func between(from, to int64) []any { return span{From: from, To: to}.args() }

// The size of what depends on a type parameter is not known.
type holder[T any] struct{ value T }

func held[T any](l *logger, all []T) {
	for _, v := range all {
		l.log("%v", holder[T]{v})
	}
}

type visitor struct{ keys map[string]any }

func (v *visitor) visit(name string, key any) { v.keys[name] = key }

func (v *visitor) items(names []string, m map[string]any) {
	for i, name := range names {
		v.visit(name, i+1000) // another call hands on what is an interface already
	}
	for name, key := range m {
		v.visit(name, key)
	}
}
