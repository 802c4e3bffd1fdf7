package pawldrive

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// A tally is a receiver with a method that the tests of its package do not call
// between two calls of another.
type tally struct {
	List []int
	sum  int
	know bool
}

func (t *tally) Add(n int) { t.List = append(t.List, n) }

func sumOf(t *tally) (sum int) {
	for _, n := range t.List {
		sum += n
	}
	return sum
}

func head(read func(io.Reader, []byte) (int, error)) arm {
	return fn1e(func(r io.Reader) (string, error) {
		p := make([]byte, 4)
		n, err := read(r, p)
		return string(p[:n]), err
	})
}

// What callers do that the tests do not shows what is wrong.
func TestCallers(t *testing.T) {
	reader := Func{Params: []string{"r"}, Results: 2, Readers: []int{0}}
	texts := [][]any{{strings.NewReader("hello, world")}, {strings.NewReader("12345678")}}
	for _, tt := range []struct {
		name string
		p    pairing
		want string // kind; "" for none
	}{
		{"a reader that gives little", pairing{f: reader, calls: texts, base: head(io.ReadFull),
			cand: head(func(r io.Reader, p []byte) (int, error) { return r.Read(p) })}, diffResult},
		{"a reader that fails midway", pairing{f: reader, calls: texts, base: head(io.ReadFull),
			cand: head(func(r io.Reader, p []byte) (int, error) {
				n, err := io.ReadFull(r, p)
				if n > 0 && err == errPassed {
					err = nil
				}
				return n, err
			})}, diffError},
		{"another size of pieces", pairing{f: reader, calls: texts,
			base: fn1e(func(r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err }),
			cand: fn1e(func(r io.Reader) (string, error) {
				var b strings.Builder
				_, err := io.CopyBuffer(&b, struct{ io.Reader }{r}, make([]byte, 3))
				return b.String(), err
			})}, ""},
		{"an answer that goes stale", pairing{
			f:     Func{Params: []string{"t"}, Results: 1, Receiver: true, Methods: []string{"Add"}, NewFields: map[string][]string{"pawldrive.tally": {"sum", "know"}}},
			calls: [][]any{{&tally{List: []int{1, 2}}}, {&tally{}}}, base: fn1(sumOf),
			cand: fn1(func(t *tally) int {
				if !t.know {
					t.sum, t.know = sumOf(t), true
				}
				return t.sum
			})}, diffResult},
		{"memory that another method writes", pairing{
			f:     Func{Params: []string{"t"}, Results: 1, Receiver: true, Methods: []string{"Double"}},
			calls: [][]any{{&tally{List: []int{1, 2}}}}, base: fn1(func(t *tally) []int { return slices.Clone(t.List) }),
			cand: fn1(func(t *tally) []int { return t.List })}, diffAliasing},
		{"memory that the base gives away only of another field", pairing{
			f: method, calls: framed("", "two", "three"),
			base: fn2(func(r *framer, p []byte) []byte {
				if len(p) == 0 {
					return r.last
				}
				return bytes.Clone(r.scratch)
			}),
			cand: fn2(func(r *framer, p []byte) []byte {
				if len(p) == 0 {
					return r.last
				}
				return r.scratch
			})}, diffAliasing},
		{"what a full buffer leads to", pairing{
			f:     Func{Params: []string{"t"}, Results: 1, Receiver: true, Methods: []string{"Add"}},
			calls: [][]any{{&tally{List: []int{1, 2}}}, {&tally{}}}, base: fn1(func(t *tally) int { return len(t.List) }),
			cand: fn1(func(t *tally) int { return min(len(t.List), 500) })}, diffResult},
		{"memory that an argument takes over", pairing{
			f: Func{Params: []string{"a", "b"}}, calls: [][]any{{&boxed{[]int{1, 2}}, &boxed{}}},
			base: call2(func(a, b *boxed) { b.list = slices.Clone(a.list) }),
			cand: call2(func(a, b *boxed) { b.list = a.list })}, diffAliasing},
		{"memory of a package variable", pairing{
			f: Func{Params: []string{"n"}, Results: 1}, calls: [][]any{{1}, {2}},
			base: fn1(func(int) []byte { return []byte("null") }), cand: fn1(func(int) []byte { return null })}, diffAliasing},
		{"what is alike but at its end", pairing{
			f: Func{Params: []string{"a", "b"}, Results: 1}, calls: [][]any{{[12]byte{1}, [12]byte{2}}, {[12]byte{7}, [12]byte{1, 1}}},
			base: fn2(func(a, b [12]byte) bool { return bytes.Compare(a[:], b[:]) < 0 }),
			cand: fn2(func(a, b [12]byte) bool { return bytes.Compare(a[:8], b[:8]) < 0 })}, diffResult},
		{"what a constructor counts", pairing{
			f:     Func{Params: []string{"c"}, Results: 1, Receiver: true, Makers: []any{newCounted}},
			calls: [][]any{{counted{1, 2}}, {counted{3, 40}}}, base: fn1(func(c counted) int { return c.A + c.B }),
			cand: fn1(func(c counted) int { return c.A + c.B&0x7f })}, diffResult},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := last(t, tt.p.drive(t))
			if got := kinds(d); (tt.want == "" && len(got) > 0) || tt.want != "" && !slices.Contains(got, tt.want) {
				t.Errorf("got %q, want %q: %+v, not compared %q", got, tt.want, d.Differences, d.Uncompared)
			}
		})
	}
}

type boxed struct{ list []int }

var null = []byte("null")

type counted struct{ A, B int }

var serials int

func newCounted() counted { serials++; return counted{serials, 0} }

func (t *tally) Double() {
	for i := range t.List {
		t.List[i] *= 2
	}
}

// An instance that is made must not hold much more than the base's.
func TestLive(t *testing.T) {
	for _, tt := range []struct {
		name string
		cand func(string) []byte
		want bool
	}{
		{"as much", func(s string) []byte { return append(make([]byte, 0, len(s)), s...) }, false},
		{"a small part of much", func(s string) []byte {
			b := append(make([]byte, 0, 64<<10), s...)
			return b[:len(s):len(s)]
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := last(t, pairing{f: onText, calls: texts, base: fn1(func(s string) []byte { return []byte(s) }), cand: fn1(tt.cand)}.drive(t))
			got := slices.ContainsFunc(d.Differences, func(x difference) bool { return x.Where == model.LiveResults })
			if got != tt.want {
				t.Errorf("%+v", d.Differences)
			}
		})
	}
}

// framed are calls of methods of framers that hold something.
func framed(list ...string) (out [][]any) {
	for _, s := range list {
		out = append(out, []any{&framer{scratch: []byte("scratch"), last: []byte("last")}, []byte(s)})
	}
	return out
}
