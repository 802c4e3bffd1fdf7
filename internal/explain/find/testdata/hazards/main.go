// Command hazards prints what rewrites changed, of other tools and once of pawl:
// each function holds code that one of them took for slow and made wrong.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// lower compares a lowered string with one that has an upper case letter.
func lower(x, y string) bool { return strings.ToLower(x) == y }

// buffered needs the copy that []byte(buf.String()) makes.
func buffered() string {
	var buf bytes.Buffer
	buf.WriteString("hello")
	b := []byte(buf.String())
	buf.Reset()
	buf.WriteString("XXXXX")
	return string(b)
}

// trimmed needs the copy that the conversions make.
func trimmed() string {
	b := []byte(" abc ")
	t := []byte(strings.TrimSpace(string(b)))
	b[1] = 'Z'
	return string(t)
}

// renewed has another holder of the old map.
func renewed() (int, int) {
	m := map[string]int{"a": 1, "b": 2}
	old := m
	m = make(map[string]int, len(m))
	m["c"] = 3
	return len(old), len(m)
}

// short panics where the destination is too small.
func short() (what string) {
	defer func() { what = fmt.Sprint(recover() != nil) }()
	dst, src := make([]int, 1), []int{1, 2, 3}
	for i, x := range src {
		dst[i] = x
	}
	return "copied"
}

// ordered has an effect on the left of &&.
func ordered(flag bool) int {
	n := 0
	f := func() bool { n++; return true }
	if f() && flag {
		n += 10
	}
	return n
}

// absent prints a nil error.
func absent() string {
	var err error
	return fmt.Sprint(err) + fmt.Sprintf("%v", err) + fmt.Sprintf("%s %d", errors.New("x"), 1)
}

// cloned keeps whether the slice was nil.
func cloned(xs []int) bool {
	ys := append([]int(nil), xs...)
	var zs []int
	for _, x := range xs {
		zs = append(zs, x)
	}
	return ys == nil && zs == nil
}

// early formats when all arguments are evaluated, and so after set.
func early() string {
	n, b := 1, []byte{1}
	set := func() string { n, b[0] = 2, 9; return "set" }
	return fmt.Sprintf("%d %s", n, set()) + fmt.Sprintf(" %x %s", b, set())
}

// A logger has a LogAttrs of its own.
type logger struct{ *slog.Logger }

func (logger) LogAttrs(context.Context, slog.Level, string, ...slog.Attr) { panic("another") }

func covered(n int) string {
	var b strings.Builder
	logger{slog.New(slog.NewTextHandler(&b, nil))}.Info("hi", "n", n)
	_, text, _ := strings.Cut(b.String(), " ")
	return text
}

// A noisy value appends to what it is appended to.
type noisy struct{ to *[]byte }

func (n noisy) String() string { *n.to = append(*n.to, "heard"...); return "-" }

func appended() string {
	b := make([]byte, 0, 64)
	b = append(b, fmt.Sprint(noisy{&b})...)
	return string(b)
}

// another writes to the buffer that p is when the text is there.
func another(p, to *bytes.Buffer) string {
	old := p
	text := func() string { p = to; return "text" }
	fmt.Fprint(p, text())
	return old.String() + to.String()
}

// nothing keeps nil through a clone.
func nothing(xs []int) bool {
	var out []int
	for _, x := range xs {
		out = append(out, x)
	}
	return slices.Clone(out) == nil
}

// room asks for the elements behind the last one.
func room(xs []int) (what string) {
	defer func() { what = fmt.Sprint(recover() != nil, what) }()
	var out []int
	for _, x := range xs {
		out = append(out, x)
	}
	return fmt.Sprint(cap(out), len(out[:16]))
}

// logged calls for all values before it makes a line of them.
func logged() string {
	var b strings.Builder
	log := slog.New(slog.NewTextHandler(&b, nil))
	n := 1
	set := func() int { n = 20; return n }
	log.Info("hi", "n", n, "set", set())
	_, text, _ := strings.Cut(b.String(), " ")
	return text
}

func extended(xs []int) []int { return append(xs, 7) }

// overwritten appends to what it has given away: whether that shows is a matter of the room.
func overwritten(xs []int) string {
	var path []int
	var paths [][]int
	for _, x := range xs {
		path = append(path, x)
		paths = append(paths, extended(path))
	}
	return fmt.Sprint(paths[0], paths[8][8:])
}

// twice gives it away twice.
func twice(xs []string) string {
	var base []string
	for _, x := range xs {
		base = append(base, x)
	}
	a, b := append(base, "a"), append(base, "b")
	return a[len(xs)] + b[len(xs)]
}

func main() {
	fmt.Println(lower("ABC", "abC"), lower("ABC", "abc"), buffered(), trimmed())
	a, b := renewed()
	fmt.Println(a, b, short(), ordered(true), ordered(false), absent())
	fmt.Println(cloned(nil), cloned([]int{}), cloned([]int{1}))
	fmt.Print(early(), covered(12345), appended(), another(new(bytes.Buffer), new(bytes.Buffer)), nothing(nil), room(make([]int, 9)), "\n")
	fmt.Println(logged(), overwritten(make([]int, 10)), twice(make([]string, 10)))
}
