package pawldrive

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

type ring struct {
	at   int
	list []int
}

func newRing(n int) *ring { return &ring{list: make([]int, max(n, 1))} }

func (r *ring) put(n int) {
	r.list[r.at%len(r.list)] = n
	r.at++
}

// Functions that nothing calls are driven on inputs that are made up.
func TestMadeUp(t *testing.T) {
	type key struct {
		Name string
		At   [2]int
	}
	for _, tt := range []struct {
		name       string
		f          Func
		base, cand arm
		want       string
	}{
		{"a length", Func{Params: []string{"t", "p"}, Results: 1, Numbers: []int64{16}, Like: func(time.Time, []byte) string { return "" }},
			fn2(func(t time.Time, p []byte) string {
				if len(p) != 16 {
					return "error"
				}
				return fmt.Sprint(t.Unix(), p)
			}),
			fn2(func(t time.Time, p []byte) string {
				if len(p) < 16 {
					return "error"
				}
				return fmt.Sprint(t.Unix(), p[:16])
			}), diffResult},
		{"a struct", Func{Params: []string{"k"}, Results: 1, Like: func(*key) string { return "" }},
			fn1(func(k *key) string { return fmt.Sprint(k.Name, k.At) }), fn1(func(k *key) string { return fmt.Sprint(k.Name, k.At[:1]) }), diffResult},
		{"a receiver", Func{Params: []string{"r", "n"}, Receiver: true, Makers: []any{newRing}, Like: (*ring).put},
			call2(func(r *ring, n int) { r.put(n) }), call2(func(r *ring, n int) { r.list[0] = n; r.at++ }), diffArgument},
		{"alike", Func{Params: []string{"s"}, Results: 1, Like: strings.ToUpper}, fn1(strings.ToUpper), fn1(strings.ToUpper), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.f.Base, tt.f.Cand = tt.base, tt.cand
			d, _ := last(t, pairing{f: tt.f}.drive(t))
			if got := kinds(d); d.Pairs == 0 || d.Inputs != 0 || tt.want == "" && len(got) > 0 || tt.want != "" && !slices.Contains(got, tt.want) {
				t.Errorf("got %q, want %q: %+v", got, tt.want, d)
			}
		})
	}
}
