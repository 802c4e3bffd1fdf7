package pawldrive

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

type link struct {
	next *link
	n    int
}

func chained(n, last int) *link {
	at := &link{n: last}
	for range min(n, 5000) { // a made-up n may be any
		at = &link{next: at}
	}
	return at
}

var buffers = sync.Pool{New: func() any { return new([64]byte) }}

func lastNumbers(s string, bits int) bool {
	list := regexp.MustCompile(`\d+`).FindAllString(s, -1)
	if len(list) < 2 {
		return false
	}
	x, _ := strconv.ParseFloat(list[len(list)-2], bits)
	y, _ := strconv.ParseFloat(list[len(list)-1], bits)
	return x < y
}

// odd are pairs that part on inputs or in memory which only what this file tests
// comes to.
var odd = map[string]struct {
	pairing
	want string
}{
	"white space": {pairing{f: onText, calls: texts, base: fn1(strings.TrimSpace),
		cand: fn1(func(s string) string { return strings.Trim(s, " \t\r\n") })}, diffResult},
	"a text that ends behind a mark": {pairing{f: onText, calls: [][]any{{"some words"}, {"q=%41we"}, {"other words of a text that is longer"}, {"and more"}},
		base: fn1(func(s string) int { return strings.Index(s, "%41") }),
		cand: fn1(func(s string) int {
			if strings.HasSuffix(s, "%41") {
				return -1
			}
			return strings.Index(s, "%41")
		})}, diffResult},
	"case of runes": {pairing{f: onText, calls: texts, base: fn1(strings.ToUpper),
		cand: fn1(func(s string) string {
			b := []byte(s)
			for i, c := range b {
				if 'a' <= c && c <= 'z' {
					b[i] -= 32
				}
			}
			return string(b)
		})}, diffResult},
	"backslashes": {pairing{f: onText, calls: [][]any{{`{"key": "value", "other": ["text"]}`}},
		base: fn1(func(s string) int {
			i := strings.LastIndexByte(s, '"')
			return (len(s[:max(i, 0)]) - len(strings.TrimRight(s[:max(i, 0)], `\`))) % 2
		}),
		cand: fn1(func(s string) int {
			i := strings.LastIndexByte(s, '"')
			return b2i(i > 0 && s[i-1] == '\\' && (i < 2 || s[i-2] != '\\'))
		})}, diffResult},
	"an escaped mark beside a mark": {pairing{f: onText, calls: [][]any{{`"one" 'two'`}, {`"three"`}},
		base: fn1(func(s string) string { return strings.Trim(s, `"`) }),
		cand: fn1(func(s string) string { return strings.TrimSuffix(strings.Trim(s, `"`), `\`) })}, diffResult},
	"near numbers": {pairing{f: onText, calls: [][]any{{`{"a": 12, "b": 7}`}},
		base: fn1(func(s string) bool { return lastNumbers(s, 64) }), cand: fn1(func(s string) bool { return lastNumbers(s, 32) })}, diffResult},
	"time zone": {pairing{f: onText, calls: [][]any{{time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)}},
		base: fn1(func(t time.Time) time.Time { return t.Add(time.Hour) }),
		cand: fn1(func(t time.Time) time.Time { return t.Add(time.Hour).UTC() })}, diffResult},
	"part of a second before the epoch": {pairing{f: Func{Params: []string{"layout", "t"}, Results: 1}, calls: layouts(16),
		base: fn2(func(layout string, t time.Time) int {
			if layout != "15:04:05.000 12" {
				return 0
			}
			return t.Nanosecond() / 1000
		}),
		cand: fn2(func(layout string, t time.Time) int {
			if layout != "15:04:05.000 12" {
				return 0
			}
			return int(t.UnixMicro() % 1_000_000)
		})}, diffResult},
	"the same slice with another content": {pairing{f: onBytes, calls: blobs,
		base: fn1(func(p []byte) int { return bytes.Count(p, []byte("l")) }),
		cand: fn1(func(p []byte) int {
			if len(p) > 0 && len(p) == lastLen && &p[0] == lastAt {
				return lastCount
			}
			if lastCount = bytes.Count(p, []byte("l")); len(p) > 0 {
				lastAt, lastLen = &p[0], len(p)
			}
			return lastCount
		})}, diffResult},
	"an error before the end": {pairing{f: Func{Params: []string{"w", "s"}, Results: 1, Writers: []int{0}},
		calls: [][]any{{&bytes.Buffer{}, "some text"}, {&bytes.Buffer{}, "another one"}},
		base: fn2(func(w io.Writer, s string) error {
			b := bufio.NewWriter(w)
			defer b.Flush()
			_, err := b.WriteString(s)
			return err
		}),
		cand: fn2(func(w io.Writer, s string) error { w.Write([]byte(s)); return nil })}, diffError},
	"a type that says how it is written": {pairing{f: Func{Params: []string{"v"}, Results: 1, Anys: []int{0}}, calls: texts,
		base: fn1(func(v any) string { return fmt.Sprint(v) }),
		cand: fn1(func(v any) string {
			if r := reflect.ValueOf(v); r.Kind() == reflect.String {
				return r.String()
			}
			return fmt.Sprint(v)
		})}, diffResult},
	"a large number in a reflect.Value": {pairing{f: onText, calls: [][]any{{reflect.ValueOf(0.5)}, {reflect.ValueOf("text")}},
		base: fn1(func(v reflect.Value) string { return fmt.Sprint(v.Interface()) }),
		cand: fn1(func(v reflect.Value) string {
			if v.Kind() == reflect.Float64 {
				return strconv.FormatFloat(v.Float(), 'f', -1, 64)
			}
			return fmt.Sprint(v.Interface())
		})}, diffResult},
	"a lock left held beside what varies": {pairing{f: Func{Params: []string{"r", "f"}, Results: 0, Receiver: true}, calls: [][]any{{&framer{}, func() {}}, {&framer{sum: 1}, func() {}}},
		base: call2(func(r *framer, f func()) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.sum = int(time.Now().UnixNano())
			f()
		}),
		cand: call2(func(r *framer, f func()) {
			r.mu.Lock()
			r.sum = int(time.Now().UnixNano())
			f()
			r.mu.Unlock()
		})}, diffArgument},
	"kept argument": {pairing{f: onText, calls: [][]any{{big.NewInt(1 << 40)}},
		base: fn1(func(n *big.Int) struct{ n *big.Int } { return struct{ n *big.Int }{new(big.Int).Set(n)} }),
		cand: fn1(func(n *big.Int) struct{ n *big.Int } { return struct{ n *big.Int }{n} })}, diffAliasing},
	"pooled too early": {pairing{f: onText, calls: texts,
		base: fn1(func(s string) []byte { return make([]byte, 8) }),
		cand: fn1(func(s string) []byte {
			b := buffers.Get().(*[64]byte)
			defer buffers.Put(b)
			clear(b[:])
			return b[:8:8]
		})}, diffAliasing},
	"deep": {pairing{f: onText, pairs: 10, calls: [][]any{{2000}},
		base: fn1(func(n int) *link { return chained(n, 1) }), cand: fn1(func(n int) *link { return chained(n, 2) })}, diffResult},
	"remainder": {pairing{f: onText, calls: [][]any{{5}},
		base: fn1(func(n int) int {
			for {
				if x := int(RandomV2.Uint64() & 7); x < max(n, 1) || n > 8 {
					return x
				}
			}
		}),
		cand: fn1(func(n int) int { return int(RandomV2.Uint64()&7) % max(min(n, 8), 1) })}, diffResult},
}

// What the candidate of one case keeps in mind.
var (
	lastAt             *byte
	lastLen, lastCount int
)

// layouts are calls with as many texts, each with one and the same time.
func layouts(n int) (out [][]any) {
	for i := range n {
		out = append(out, []any{fmt.Sprint("15:04:05.000 ", i), time.Date(2024, 5, 6, 7, 8, 9, 123_000_000, time.UTC)})
	}
	return out
}

func TestOdd(t *testing.T) {
	for name, c := range odd {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 8)
			c.pairs = cmp.Or(c.pairs, 1000)
			for _, r := range c.drive(t) {
				if r.Func == nil {
					continue
				}
				if slices.ContainsFunc(r.Func.Differences, func(x difference) bool { return x.Kind == c.want }) {
					return
				}
				t.Log(r.Func.Uncompared)
			}
			t.Errorf("no difference of kind %q", c.want)
		})
	}
}

// Another way to the same distribution is none.
func TestSpread(t *testing.T) {
	p := pairing{f: onText, calls: [][]any{{5}},
		base: fn1(func(int) int { return int(RandomV2.Uint64() >> 60) }),
		cand: fn1(func(int) int { RandomV2.Uint64(); return int(RandomV2.Uint64() >> 60) })}
	for _, r := range p.drive(t) {
		if r.Func != nil && len(r.Func.Differences) > 0 {
			t.Errorf("%+v", r.Func.Differences)
		}
	}
}
