package pawldrive

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// fn1 and the like turn a plain function into an arm.
func fn1[A, R any](f func(A) R) arm {
	return func(x []any) []any { return []any{f(As[A](x[0]))} }
}

func fn1e[A, R any](f func(A) (R, error)) arm {
	return func(x []any) []any { r, err := f(As[A](x[0])); return []any{r, err} }
}

func fn2[A, B, R any](f func(A, B) R) arm {
	return func(x []any) []any { return []any{f(As[A](x[0]), As[B](x[1]))} }
}

func call2[A, B any](f func(A, B)) arm {
	return func(x []any) []any { f(As[A](x[0]), As[B](x[1])); return nil }
}

var (
	onText  = Func{Params: []string{"s"}, Results: 1}
	onBytes = Func{Params: []string{"p"}, Results: 1}
	method  = Func{Params: []string{"r", "p"}, Results: 1, Receiver: true}
	texts   = [][]any{{"hello world"}, {"a"}, {"1234, 5678"}, {""}, {"x=1&y=2"}, {"é€"}}
	blobs   = [][]any{{[]byte("hello world")}, {[]byte("a")}, {[]byte{}}, {[]byte("0123456789abcdef")}}
)

type framer struct {
	scratch []byte
	sum     int
	closed  bool
	last    []byte
	mu      sync.Mutex
}

func methodCalls(list ...string) (out [][]any) {
	for _, s := range list {
		out = append(out, []any{&framer{}, []byte(s)})
	}
	return out
}

var errShort = errors.New("short")

var global = map[string]string{}
var globalList [][]byte

var pool1 = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// wrong are pairs whose candidate is not as good as it looks, each with the
// kind of difference that must be found.
var wrong = map[string]struct {
	pairing
	want string
}{
	"stale buffer": {pairing{f: method, calls: methodCalls("hello, long one", "x", "medium"),
		base: fn2(func(r *framer, p []byte) string { return string(append([]byte("<"), p...)) }),
		cand: fn2(func(r *framer, p []byte) string {
			if cap(r.scratch) < len(p)+1 {
				r.scratch = make([]byte, len(p)+1)
			}
			r.scratch[0] = '<'
			copy(r.scratch[1:], p)
			return string(r.scratch) // the length of an earlier call
		})}, diffResult},
	"beside an error": {pairing{f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) { return len(s), errShort }),
		cand: fn1e(func(s string) (int, error) { return 0, errShort })}, diffBeside},
	"nil for empty": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) []string { return append([]string{}, strings.Fields(s)...) }),
		cand: fn1(func(s string) []string {
			var out []string
			return append(out, strings.Fields(s)...)
		})}, diffNil},
	"lost wrap": {pairing{f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) {
			if len(s) < 3 {
				return 0, fmt.Errorf("parse: %w", errShort)
			}
			return len(s), nil
		}),
		cand: fn1e(func(s string) (int, error) {
			if len(s) < 3 {
				return 0, errors.New("parse: short")
			}
			return len(s), nil
		})}, diffError},
	"another sentinel of the same text": {pairing{f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) {
			if len(s) < 3 {
				return 0, errShort
			}
			return len(s), nil
		}),
		cand: fn1e(func(s string) (int, error) {
			if len(s) < 3 {
				return 0, errors.New("short")
			}
			return len(s), nil
		})}, diffError},
	"off by one at 16": {pairing{f: onBytes, calls: blobs,
		base: fn1(func(p []byte) string { return hex.EncodeToString(p) }),
		cand: fn1(func(p []byte) string {
			if len(p) == 17 {
				return hex.EncodeToString(p[:16])
			}
			return hex.EncodeToString(p)
		})}, diffResult},
	"retained argument": {pairing{f: method, calls: methodCalls("one", "two", "three"),
		base: fn2(func(r *framer, p []byte) string {
			old := string(r.last)
			r.last = bytes.Clone(p)
			return old
		}),
		cand: fn2(func(r *framer, p []byte) string {
			old := string(r.last)
			r.last = p
			return old
		})}, diffAliasing},
	"returned buffer": {pairing{f: method, calls: methodCalls("one", "two", "three"),
		base: fn2(func(r *framer, p []byte) []byte { return append([]byte(nil), p...) }),
		cand: fn2(func(r *framer, p []byte) []byte {
			r.scratch = append(r.scratch[:0], p...)
			return r.scratch
		})}, diffAliasing},
	"lost panic": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) int {
			if s == "" {
				panic("empty")
			}
			return len(s)
		}),
		cand: fn1(func(s string) int { return len(s) })}, diffPanic},
	"mutated argument": {pairing{f: onBytes, calls: blobs,
		base: fn1(func(p []byte) string { return string(bytes.ToUpper(p)) }),
		cand: fn1(func(p []byte) string {
			for i, c := range p {
				if 'a' <= c && c <= 'z' {
					p[i] -= 32
				}
			}
			return string(p)
		})}, diffArgument},
	"function asked twice": {pairing{f: Func{Params: []string{"s", "fn"}, Results: 1}, calls: [][]any{{"abc", func(r rune) rune { return r }}, {"x", func(r rune) rune { return r }}},
		base: fn2(func(s string, fn func(rune) rune) string { return strings.Map(fn, s) }),
		cand: fn2(func(s string, fn func(rune) rune) string {
			for _, r := range s {
				fn(r)
			}
			return strings.Map(fn, s)
		})}, diffCalls},
	"goroutine left": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) int { return len(s) }),
		cand: fn1(func(s string) int {
			go func() { select {} }()
			return len(s)
		})}, diffGoroutines},
	"descriptor left": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) int { return len(s) }),
		cand: fn1(func(s string) int {
			if _, err := os.Open(os.DevNull); err != nil {
				panic(err)
			}
			return len(s)
		})}, diffDescriptors},
	"growing list": {pairing{f: onBytes, calls: blobs,
		base: fn1(func(p []byte) int { return len(p) }),
		cand: fn1(func(p []byte) int {
			globalList = append(globalList, make([]byte, 1024))
			return len(p)
		})}, diffHeap},
	"overflow": {pairing{f: Func{Params: []string{"n"}, Results: 1}, calls: [][]any{{1}, {300}, {70000}},
		base: fn1(func(n int) string { return strconv.Itoa(n) }),
		cand: fn1(func(n int) string { return strconv.Itoa(int(int32(n))) })}, diffResult},
	"pooled result": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) []byte { return []byte(s + "!") }),
		cand: fn1(func(s string) []byte {
			b := pool1.Get().(*bytes.Buffer)
			defer pool1.Put(b)
			b.Reset()
			b.WriteString(s + "!")
			return b.Bytes()
		})}, diffAliasing},
	"cached slice given away": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) []string { return strings.Split(s, " ") }),
		cand: func() arm {
			cache := map[string][]string{}
			return fn1(func(s string) []string {
				if cache[s] == nil {
					cache[s] = strings.Split(s, " ")
				}
				return cache[s]
			})
		}()}, diffAliasing},
	"left locked": {pairing{f: method, calls: methodCalls("one", "", "three"),
		base: fn2(func(r *framer, p []byte) int { r.mu.Lock(); defer r.mu.Unlock(); return len(p) }),
		cand: fn2(func(r *framer, p []byte) int {
			r.mu.Lock()
			if len(p) == 0 {
				return 0
			}
			r.mu.Unlock()
			return len(p)
		})}, diffArgument},
	"generic": {pairing{f: Func{Params: []string{"list"}, Results: 1}, calls: [][]any{{[]int{3, 1, 2}}, {[]int{}}, {[]int{5}}},
		base: fn1(func(x []int) int { return generic(x, 0) }),
		cand: fn1(func(x []int) int { return generic(x, 3) })}, diffResult},
	"UTF-8 cut": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) []rune { return []rune(s) }),
		cand: fn1(func(s string) []rune {
			out := make([]rune, 0, len(s))
			for i := 0; i < len(s); i++ {
				if s[i] < 0x80 {
					out = append(out, rune(s[i]))
					continue
				}
				return append(out, []rune(strings.ToValidUTF8(s[i:], "\ufffd"))...)
			}
			return out
		})}, diffResult},
	"reader read further": {pairing{f: Func{Params: []string{"r"}, Results: 1}, calls: [][]any{{strings.NewReader("hello\nworld")}, {strings.NewReader("")}},
		base: fn1(func(r io.Reader) string { b := make([]byte, 4); n, _ := r.Read(b); return string(b[:n]) }),
		cand: fn1(func(r io.Reader) string { b, _ := io.ReadAll(r); return string(b[:min(4, len(b))]) })}, diffArgument},
	"wrong on a second call": {pairing{f: method, calls: methodCalls("one", "two", "three"),
		base: fn2(func(r *framer, p []byte) int { r.closed = true; return len(p) }),
		cand: fn2(func(r *framer, p []byte) int {
			if r.closed {
				return 0
			}
			r.closed = true
			return len(p)
		})}, diffResult},
}

func generic[T cmp.Ordered](x []T, from int) (m T) {
	for i, v := range x {
		if i >= from && v > m || i == 0 {
			m = v
		}
	}
	return m
}

func TestWrong(t *testing.T) {
	for name, p := range wrong {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 8)
			d, _ := last(t, p.drive(t))
			if !slices.Contains(kinds(d), p.want) {
				t.Errorf("found %+v, want %s (uncompared: %q)", d.Differences, p.want, d.Uncompared)
			}
		})
	}
}

// fine are pairs that differ in nothing that a caller can see.
var fine = map[string]pairing{
	"the same": {f: onText, calls: texts,
		base: fn1(strings.ToUpper), cand: fn1(func(s string) string { return strings.ToUpper(s) })},
	"capacity of an append": {f: onBytes, calls: blobs,
		base: fn1(func(p []byte) []byte { return append([]byte("x"), p...) }),
		cand: fn1(func(p []byte) []byte { return append(append(make([]byte, 0, 512), 'x'), p...) })},
	"preallocated": {f: onText, calls: texts,
		base: fn1(func(s string) []string {
			out := []string{}
			for _, r := range s {
				out = append(out, string(r))
			}
			return out
		}),
		cand: fn1(func(s string) []string {
			out := make([]string, 0, len(s))
			for _, r := range s {
				out = append(out, string(r))
			}
			return out
		})},
	"builder for concatenation": {f: onText, calls: texts,
		base: fn1(func(s string) string {
			out := ""
			for i := range len(s) {
				out += s[i : i+1]
			}
			return out
		}),
		cand: fn1(func(s string) string {
			var b strings.Builder
			b.Grow(len(s))
			for i := range len(s) {
				b.WriteString(s[i : i+1])
			}
			return b.String()
		})},
	"pool with reset": {f: onText, calls: texts,
		base: fn1(func(s string) string { var b bytes.Buffer; b.WriteString(s); return b.String() }),
		cand: fn1(func(s string) string {
			b := pool1.Get().(*bytes.Buffer)
			defer pool1.Put(b)
			b.Reset()
			b.WriteString(s)
			return b.String()
		})},
	"map order": {f: onText, calls: texts,
		base: fn1(func(s string) []rune { return anyOrder(s) }),
		cand: fn1(func(s string) []rune { return anyOrder(s) })},
	"random": {f: onText, calls: texts,
		base: fn1(func(s string) int { return rand.Int() }), cand: fn1(func(s string) int { return rand.Int() })},
	"another way to sort": {f: Func{Params: []string{"x", "less"}, Results: 0}, calls: [][]any{
		{[]int{3, 1, 2, 9, 8, 7, 7, 1}, func(a, b int) bool { return a < b }}},
		base: call2(func(x []int, less func(a, b int) bool) {
			sort.Slice(x, func(i, j int) bool { return less(x[i], x[j]) })
		}),
		cand: call2(func(x []int, less func(a, b int) bool) {
			slices.SortFunc(x, func(a, b int) int { return b2i(less(b, a)) - b2i(less(a, b)) })
		})},
	"errors made anew": {f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) { return 0, fmt.Errorf("bad: %w", io.EOF) }),
		cand: fn1e(func(s string) (int, error) { return 0, fmt.Errorf("%s: %w", "bad", io.EOF) })},
	"an error that is a value now": {f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) { return 0, &lengthError{len(s)} }),
		cand: fn1e(func(s string) (int, error) { return 0, lengthError{len(s)} })},
	"an error that is formatted later": {f: Func{Params: []string{"s"}, Results: 2}, calls: texts,
		base: fn1e(func(s string) (int, error) { return 0, fmt.Errorf("length %d", len(s)) }),
		cand: fn1e(func(s string) (int, error) { return 0, lengthError{len(s)} })},
	"scratch kept": {f: Func{Params: []string{"r", "p"}, Results: 1, Receiver: true, NewFields: map[string][]string{"pawldrive.framer": {"scratch"}}},
		calls: methodCalls("one", "two", "three"),
		base:  fn2(func(r *framer, p []byte) string { return hex.EncodeToString(p) }),
		cand: fn2(func(r *framer, p []byte) string {
			r.scratch = hex.AppendEncode(r.scratch[:0], p)
			return string(r.scratch)
		})},
	"returns its argument": {f: onBytes, calls: blobs,
		base: fn1(func(p []byte) []byte { return p }), cand: fn1(func(p []byte) []byte { return p[:len(p):cap(p)] })},
	"time": {f: onText, calls: texts,
		base: fn1(func(s string) time.Time { return time.Now() }), cand: fn1(func(s string) time.Time { return time.Now() })},
	"nil error": {f: Func{Params: []string{"s"}, Results: 1}, calls: texts,
		base: func(x []any) []any { var err error; return []any{err} }, cand: func(x []any) []any { var err error; return []any{err} }},
	"panics alike": {f: onBytes, calls: blobs,
		base: fn1(func(p []byte) byte { return p[3] }), cand: fn1(func(p []byte) byte { _ = p[3]; return p[3] })},
}

type lengthError struct{ Length int }

func (e lengthError) Error() string { return fmt.Sprintf("length %d", e.Length) }

func anyOrder(s string) (out []rune) {
	m := map[rune]bool{}
	for _, r := range s {
		m[r] = true
	}
	for r := range m {
		out = append(out, r)
	}
	return out
}

func TestFine(t *testing.T) {
	for name, p := range fine {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 8)
			d, _ := last(t, p.drive(t))
			if len(d.Differences) > 0 {
				t.Errorf("found %+v", d.Differences)
			}
			if d.Pairs < 300 {
				t.Errorf("only %d pairs", d.Pairs)
			}
			t.Logf("%d pairs, uncompared %q, fresh %+v", d.Pairs, d.Uncompared, d.Fresh)
		})
	}
}

func TestNonDeterminismIsNamed(t *testing.T) {
	for name, want := range map[string]string{
		"random":    "result 0: the base itself does not always do the same",
		"map order": "result 0: the order of what is in it, which varies in the base",
	} {
		d, _ := last(t, fine[name].drive(t))
		if !slices.Contains(d.Uncompared, want) {
			t.Errorf("%s: uncompared %q", name, d.Uncompared)
		}
	}
}

// What a map's order leaves is compared.
func TestOrderAside(t *testing.T) {
	p := fine["map order"]
	p.cand = fn1(func(s string) []rune {
		out := anyOrder(s)
		if len(out) > 2 {
			out[0] = 'x'
		}
		return out
	})
	if d, _ := last(t, p.drive(t)); len(d.Differences) == 0 {
		t.Errorf("%d pairs, uncompared %q", d.Pairs, d.Uncompared)
	}
}
