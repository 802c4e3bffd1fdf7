// Command awkward prints what eighty functions do that are legal, unusual, and of a shape that
// a fix of class A is for.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Types with methods that fmt would call.

type loud string

func (l loud) String() string { return "loud " + string(l) }

type quiet string

type shared interface{ ~string }

// f01 formats a type parameter, whose type may have a String method.
func f01[T shared](t T) string { return fmt.Sprintf("<%s>", t) }

// f02 puts the text into an any, which has to hold a string.
func f02(q quiet) string {
	var v any = fmt.Sprintf("%s", q)
	_, ok := v.(string)
	return fmt.Sprint(ok)
}

// f03 has a variable with the name of the package that a fix would import.
func f03(strconv int) string { return fmt.Sprintf("%d!", strconv) }

// f04 reads variables that a later operand changes.
func f04() string {
	s, n := "before", 1
	change := func() string { s, n = "after", 2; return "/" }
	return fmt.Sprintf("%s%s%d", s, change(), n)
}

// f05 needs parentheses, in several places.
func f05(a string, n int) string {
	m := map[string]int{fmt.Sprintf("%s%d", a, n): 7}
	return fmt.Sprintf("%s%d", a, n)[1:] + strconv.Itoa(len(fmt.Sprintf("%s-%d", a, n))) + strconv.Itoa(m[a+"5"])
}

// f06 formats numbers of all sizes, and a character as a number.
func f06() string {
	return fmt.Sprintf("%d %d %d %d %d", int8(math.MinInt8), uint64(math.MaxUint64), int64(math.MinInt64), 'a', uintptr(9))
}

// f07 quotes what is no valid text.
func f07(s string, b []byte) string { return fmt.Sprintf("%q %s %x", s, b, b) }

// f08 has a percent sign, and a text that needs quoting.
func f08(n int) string { return fmt.Sprintf("100%%\t\"%d\"\x00`", n) }

// f09 assigns to what it reads.
func f09(args []string) string {
	args[0] = fmt.Sprintf("%s", args[0])
	x, y := args[0], args[1]
	x, y = fmt.Sprintf("%s", y), fmt.Sprintf("%s", x)
	return x + y
}

// f10 panics in the middle of a text.
func f10() (what string) {
	var b strings.Builder
	defer func() { what = b.String() + fmt.Sprint(recover() != nil) }()
	var p *struct{ name string }
	b.WriteString("name=" + p.name)
	return "not reached"
}

// f11 writes what is there already.
func f11() string {
	var b strings.Builder
	b.WriteString("a")
	b.WriteString("b" + b.String())
	return b.String()
}

// A counted buffer counts the writes.
type counted struct {
	*bytes.Buffer
	n int
}

func (c *counted) Write(p []byte) (int, error) { c.n++; return c.Buffer.Write(p) }

// f12 writes to a type that has the methods of a buffer, and one of its own.
func f12(s string) string {
	c := &counted{Buffer: new(bytes.Buffer)}
	fmt.Fprint(c, s)
	fmt.Fprintf(c, "x")
	c.Write([]byte(s))
	io.WriteString(c, s)
	return c.String() + strconv.Itoa(c.n)
}

// A checked file counts the writes.
type checked struct {
	*os.File
	n int
}

func (c *checked) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// f13 does so for a file.
func f13(s string) int {
	c := &checked{File: os.Stdout}
	c.Write([]byte(s))
	c.Write([]byte("constant"))
	fmt.Fprint(c, s)
	return c.n
}

// f14 writes a number that a call makes, which writes as well.
func f14() string {
	var b bytes.Buffer
	fill := func() uint32 { b.WriteString("fill"); return 7 }
	binary.Write(&b, binary.BigEndian, fill())
	return fmt.Sprintf("%x", b.Bytes())
}

type level uint16

// f15 writes a named number, one through a pointer, and two that have no fixed size.
func f15() string {
	var b bytes.Buffer
	v := int32(-5)
	err := binary.Write(&b, binary.LittleEndian, level(3))
	err2 := binary.Write(&b, binary.BigEndian, &v)
	err3 := binary.Write(&b, binary.BigEndian, 5)
	err4 := binary.Write(&b, binary.BigEndian, uint(5))
	binary.Write(&b, binary.BigEndian, true)
	binary.Write(&b, binary.BigEndian, float32(1.5))
	return fmt.Sprintf("%x %v %v %v %v", b.Bytes(), err, err2, err3, err4)
}

// f16 looks into bytes that an operand changes.
func f16() string {
	b := []byte("hello")
	change := func() string { b[0] = 'j'; return "j" }
	return fmt.Sprint(strings.Contains(string(b), change()), strings.HasPrefix(string(b), "j"))
}

// f17 counts and compares bytes that are no valid text.
func f17(b []byte) string {
	return fmt.Sprint(utf8.RuneCountInString(string(b)), strings.Count(string(b), ""), strings.Index(string(b), ""), strings.ContainsRune(string(b), utf8.RuneError), strings.EqualFold(string(b), "x"))
}

// f18 keeps a part of the text while the bytes change.
func f18() string {
	b := []byte(" key ")
	s := strings.TrimSpace(string(b))
	b[1] = 'X'
	return s
}

// f19 tells nil from empty.
func f19(m map[string]int) string {
	keys := slices.Sorted(maps.Keys(m))
	vals := slices.Collect(maps.Values(m))
	out, _ := json.Marshal(keys)
	return fmt.Sprint(keys == nil, vals == nil, string(out))
}

// f20 has variables with the names of builtins.
func f20(xs []string) string {
	len, make, append := 3, 4, func(xs []string, x string) []string { return slices.Concat(xs, []string{x}) }
	m := map[string]bool{}
	for _, x := range xs {
		m[x] = true
	}
	var out []string
	for _, x := range xs {
		out = append(out, x)
	}
	keys := slices.Collect(maps.Keys(m))
	return fmt.Sprint(len, make, out, keys)
}

// f21 asks for what may be nil before it goes over it.
func f21(p *[]string) int {
	m := map[string]int{}
	var out []string
	if p != nil {
		for i, x := range *p {
			m[x] = i
		}
		for _, x := range *p {
			out = append(out, x)
		}
	}
	return len(m) + len(out)
}

type holder struct{ items []string }

// f22 leaves where the holder is nil.
func f22(h *holder) (n int) {
	seen := make(map[string]struct{})
	out := []string{}
	if h == nil {
		return len(seen) + len(out) - 1
	}
	for _, x := range h.items {
		seen[x] = struct{}{}
	}
	for _, x := range h.items {
		out = append(out, x)
	}
	return len(seen) + len(out)
}

// f23 counts to a number that may be negative.
func f23(n int) int {
	var out []int
	m := map[int]int{}
	for i := 0; i < n; i++ {
		out = append(out, i)
	}
	for i := range n {
		m[i] = i
	}
	return len(out) + len(m)
}

func appendTwice(p []string) string {
	a, b := append(p, "a"), append(p, "b")
	return a[len(p)] + b[len(p)]
}

// f24 gives a slice once to a function that appends to it twice.
func f24(xs []string) string {
	var out []string
	for _, x := range xs {
		out = append(out, x)
	}
	return appendTwice(out)
}

func gather(xs []string) []string {
	var out []string
	for _, x := range xs {
		out = append(out, x)
	}
	return out
}

// f25 appends twice to what it gets.
func f25(xs []string) string {
	out := gather(xs)
	a, b := append(out, "a"), append(out, "b")
	return a[len(xs)] + b[len(xs)]
}

func appendLater(p []string, more []string) (all [][]string) {
	for _, x := range more {
		all = append(all, append(p, x))
	}
	return all
}

// f26 gives it to one that appends to it in a loop.
func f26(xs []string) string {
	var out []string
	for _, x := range xs {
		out = append(out, x)
	}
	all := appendLater(out, []string{"a", "b"})
	return all[0][len(xs)] + all[1][len(xs)]
}

var replacing interface{ replace(string) string } = replacer{}

var early = replacing.replace("<a>")

type replacer struct{}

// replace is called while package variables are made.
func (replacer) replace(s string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(s)
}

// f27 uses what an initializer has made through an interface.
func f27() string {
	return early + base64.NewEncoding(strings.Repeat("A", 0)+base64chars).EncodeToString([]byte("hi"))
}

const base64chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"

// f28 has another variable with the operand's name where the text is read.
func f28(n int) string {
	text := fmt.Sprintf("n=%d", n)
	if n := n * 2; n > 4 {
		return text
	}
	return "small"
}

// f29 changes the operand between.
func f29(name string, ok bool) string {
	text := fmt.Sprintf("name=%s", name)
	name = "other"
	if !ok {
		return text
	}
	return name
}

// f30 has the package's name for a variable where the text is read.
func f30(n int, ok bool) string {
	text := fmt.Sprintf("%05d", n)
	if fmt := "x"; ok {
		return fmt + text
	}
	return ""
}

// f31 compares values of different types and shapes.
func f31(x int64, xs []byte, a, b [2]float64) string {
	type pair struct {
		_ int
		n int
	}
	var none, empty map[string]int = nil, map[string]int{}
	return fmt.Sprint(reflect.DeepEqual(x, 1), reflect.DeepEqual(xs, []byte{}), reflect.DeepEqual(a, b), reflect.DeepEqual(none, empty),
		reflect.DeepEqual(quiet("a"), "a"), reflect.DeepEqual(pair{n: 1}, pair{n: 1}), reflect.DeepEqual([]float64{math.NaN()}, []float64{math.NaN()}))
}

// f32 compares with constants that have letters of another case.
func f32(s string) string {
	return fmt.Sprint(strings.ToLower(s) == "Kelvin", strings.ToUpper(s) == "kelvin", strings.ToLower(s) == "kelvin", strings.ToLower(s) != "straße", strings.ToUpper(s) == "FILE")
}

// f33 has headers whose names have no canonical form, or an odd one.
func f33() string {
	h := http.Header{}
	h.Set("x-request id", "1")
	h.Add("etag", "2")
	h.Set("content-md5", "3")
	h.Set("x_y-z", "4")
	h["lower"] = []string{"5"}
	return fmt.Sprint(h.Get("X-Request Id"), h.Get("ETag"), h.Get("CONTENT-MD5"), h.Get("lower"), len(h.Values("X_y-Z")), h)
}

// f34 makes no directory where there is nothing to do.
func f34(names []string) string {
	root, _ := os.MkdirTemp("", "awkward")
	defer os.RemoveAll(root)
	for _, name := range names {
		dir := filepath.Join(root, "sub")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err.Error()
		}
		os.WriteFile(filepath.Join(dir, name), nil, 0o600)
	}
	_, err := os.Stat(filepath.Join(root, "sub"))
	return fmt.Sprint(err == nil)
}

// f35 changes what the path is made of.
func f35(names []string) string {
	root := "a"
	p := &root
	var all []string
	for range names {
		path := filepath.Join(root, "x")
		all = append(all, path)
		*p += "b"
	}
	return strings.Join(all, " ")
}

var words = regexp.MustCompile(`(?i)\b(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega)(?:-(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))?\b`)

type matcher struct{ words *regexp.Regexp }

// f36 has a method value, a key, a parameter and a comparison with the name of an expression.
func f36(words2 ...string) string {
	find := words.FindString
	m := matcher{words: words}
	count := func(words []string) int { return len(words) }
	return find("x beta-two") + m.words.FindString("pi") + fmt.Sprint(words != nil, count(words2))
}

// f37 makes the key as it stores.
func f37() string {
	var m sync.Map
	n := 0
	next := func() int { n++; return n }
	a, loaded := m.LoadOrStore(next(), new(int))
	_, again := m.LoadOrStore(1, &struct{ x int }{n})
	return fmt.Sprint(a != nil, loaded, again, n)
}

// A kinds handler prints the kind and type of each value.
type kinds struct{ b *strings.Builder }

func (kinds) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }
func (k kinds) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(k.b, "%s:%s:%T ", a.Key, a.Value.Kind(), a.Value.Any())
		return true
	})
	return nil
}
func (k kinds) WithAttrs([]slog.Attr) slog.Handler { return k }
func (k kinds) WithGroup(string) slog.Handler      { return k }

// f38 logs values of all kinds, pairs without a key and keys without a value.
func f38(n int8, u uint64, f float32, q quiet, d time.Duration, err error) string {
	var b strings.Builder
	log := slog.New(kinds{&b})
	log.Info("a", "n", n, "u", u, "f", f, "q", q, "d", d, "err", err)
	log.Info("b", "n", n, slog.Int("i", 3), "lost")
	log.Info("c", n, u)
	log.Info("d", "r", 'x', "b", byte(1), "t", time.Time{}, "s", string(q), "ok", true, "p", &n)
	log.Info("e", []any{"k", 1}...)
	return b.String()
}

// f39 has effects in what a debug line is given.
func f39(xs []int) string {
	var b strings.Builder
	log := slog.New(kinds{&b})
	calls := 0
	sum := func() string {
		calls++
		return fmt.Sprint(xs)
	}
	log.Debug("xs", "sum", sum())
	if len(xs) > 0 {
		log.Debug("xs", "sum", fmt.Sprintf("%v", xs))
	} else {
		log.Debug("none", "first", fmt.Sprint(xs))
	}
	return b.String() + strconv.Itoa(calls)
}

// f40 panics in what a debug line is given.
func f40(xs []int) (what string) {
	defer func() { what = fmt.Sprint(recover() != nil) }()
	log := slog.New(kinds{new(strings.Builder)})
	log.Debug("first", "x", fmt.Sprintf("%d", xs[0]))
	return ""
}

// f41 compares times that are very far, and one that has no clock.
func f41() string {
	far := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	return fmt.Sprint(time.Now().After(time.Time{}), time.Now().Before(far), !time.Now().Before(time.Unix(0, 0)), time.Now().Sub(time.Time{}) > 0)
}

// f42 matches with nothing, and with ends.
func f42(s string) string {
	empty, ends := regexp.MustCompile(``), regexp.MustCompile(`^a\.b$`)
	return fmt.Sprint(empty.MatchString(s), ends.MatchString(s), ends.MatchString(s+"\n"), regexp.MustCompile(`^`).MatchString(s), regexp.MustCompile(`x$`).Match(nil), regexp.MustCompile("é?").MatchString("é"))
}

// f43 and f44 compile the same expression, and f45 changes it.
func f43(s string) string { return regexp.MustCompile(`a+|a+b`).FindString(s) }

func f44(s string) (string, error) {
	re, err := regexp.Compile(`a+|a+b`)
	if err != nil {
		return "", err
	}
	_, err = strconv.Atoi(s)
	return re.FindString(s), err
}

func f45(s string) string {
	re := regexp.MustCompile(`a+|a+b`)
	re.Longest()
	return re.FindString(s)
}

// f46 looks at the second of several parts.
func f46(s string) string {
	parts := strings.Split(s, ":")
	if len(parts) < 2 {
		return "none " + parts[0]
	}
	return parts[0] + "|" + parts[1]
}

// f47 wants exactly two.
func f47(s string) string {
	parts := strings.SplitN(s, "=", 2)
	if len(parts) != 2 {
		return "none"
	}
	more := strings.Split(parts[1], "=")
	return parts[0] + more[0] + strconv.Itoa(len(more)) + strings.Split(s, "=")[0]
}

func f48fail(n int) error {
	if n < 0 {
		return errors.New("negative")
	}
	return nil
}

// f48 tells errors apart that have one text.
func f48() string {
	seen := map[error]int{}
	seen[f48fail(-1)]++
	seen[f48fail(-1)]++
	return strconv.Itoa(len(seen))
}

func f49fail(n int) error {
	if n > 0 {
		return fmt.Errorf("positive")
	}
	return nil
}

// f49 hands them on.
func f49() string {
	var all []error
	for i := range 3 {
		if err := f49fail(i); err != nil {
			all = append(all, err)
		}
	}
	return fmt.Sprint(errors.Is(errors.Join(all...), all[0]), slices.Index(all, all[1]), len(slices.Compact(all)))
}

// f50 waits for as long as the loop says in each turn.
func f50(ch <-chan int) string {
	n, sum, wait := 0, 0, time.Hour
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				ch, wait = nil, time.Millisecond
				continue
			}
			sum += v
		case <-time.After(wait):
			if n++; n == 2 {
				return fmt.Sprint(sum, n)
			}
		}
	}
}

// f51 builds words, and keeps one that goes on.
func f51(s string) string {
	var all []string
	word, last := "", ""
	for _, r := range s {
		if r == ' ' {
			all = append(all, word)
			last = word
			word = ""
			continue
		}
		word += string(r)
		if word == "stop" || len(word) > 5 {
			break
		}
	}
	return strings.Join(all, ",") + last + word
}

// f52 builds one of characters that are none, and looks at what is there.
func f52(rs []rune) string {
	word := ""
	for _, r := range rs {
		word += string(r)
		if strings.HasSuffix(word, "b") {
			word += "-"
		}
		copied := word
		defer func() { _ = copied }()
	}
	return fmt.Sprintf("%x", word)
}

// f53 asks for a key that is not equal to itself, and for one that is removed meanwhile.
func f53() string {
	m := map[float64]string{math.NaN(): "a", 1: "b"}
	text := ""
	if _, ok := m[math.NaN()]; ok {
		text += m[math.NaN()]
	}
	if _, ok := m[1]; ok {
		delete(m, 1)
		text += m[1] + "."
	}
	if v, ok := m[2]; !ok {
		m[2] = "c"
		text += v + m[2]
	}
	return text
}

// f54 changes the key between the two.
func f54(m map[string]int, k string) string {
	if _, ok := m[k]; ok {
		k += "x"
		return fmt.Sprint(m[k])
	}
	if m[k] == 0 {
		m[k]++
		return fmt.Sprint(m[k])
	}
	return ""
}

type keeper struct{ buf []byte }

func (k *keeper) grown() *keeper { k.buf = append(k.buf, 'x'); return k }

// f55 casts what a call makes, and nothing.
func f55() string {
	k := &keeper{}
	a := *(*string)(unsafe.Pointer(&k.buf))
	b := *(*string)(unsafe.Pointer(&k.grown().buf))
	return a + b + strconv.Itoa(len(k.buf))
}

// f56 writes to a writer that is asked for each time.
func f56() string {
	var b bytes.Buffer
	n := 0
	next := func() *bytes.Buffer { n++; return &b }
	next().WriteString("a" + "b" + strconv.Itoa(n))
	next().Write([]byte("c"))
	next().WriteString(fmt.Sprintf("%d|%v", n, b.Len()))
	fmt.Fprint(next(), "d")
	return b.String() + strconv.Itoa(n)
}

// f57 has writes where one statement only may stand.
func f57(x, y string, ok bool) string {
	var b strings.Builder
	defer b.WriteString(x + y)
	if n, _ := b.WriteString(x + y); ok && n > 1 {
		b.WriteString(y + x)
	} else if !ok {
		b.WriteString(x + y + x)
	}
	switch {
	case ok:
		b.WriteString(x + "!" + y)
	}
	for i := 0; i < 2; b.WriteString(x + y) {
		i++
	}
	return b.String()
}

// f58 appends texts of the bytes that it appends to.
func f58() string {
	b := []byte("ab")
	b = append(b[:0], strconv.Quote(string(b))...)
	b = append(b[:1], hex.EncodeToString(b)...)
	b = append(b, strconv.Itoa(len(b))...)
	b = append(b, fmt.Sprintf("%s", b[:2])...)
	return string(b)
}

// f59 adds amounts, and keeps the largest.
func f59(all []string) string {
	sum := new(big.Rat)
	var largest *big.Rat
	var kept []*big.Rat
	for _, s := range all {
		x, ok := new(big.Rat).SetString(s)
		if !ok {
			return fmt.Sprint("bad ", x == nil)
		}
		sum.Add(sum, x)
		if largest == nil || x.Cmp(largest) > 0 {
			largest = x
		}
	}
	for _, s := range all {
		y := new(big.Rat)
		y.SetString(s)
		kept = append(kept, y.Neg(y))
	}
	return sum.String() + largest.String() + fmt.Sprint(kept)
}

// f60 writes through buffers that pass on in pieces.
func f60() string {
	c := &counted{Buffer: new(bytes.Buffer)}
	w := bufio.NewWriterSize(c, 16)
	s := strings.Repeat("x", 20)
	w.WriteString(s + "y")
	w.Write([]byte(s))
	fmt.Fprint(w, s)
	w.WriteString(fmt.Sprintf("%d %s", 5, s))
	w.Flush()
	return strconv.Itoa(c.n)
}

// f61 empties a channel that another closes.
func f61() int {
	ch, sum := make(chan int), 0
	go func() {
		for i := range 5 {
			ch <- i
		}
		close(ch)
	}()
loop:
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				break loop
			}
			sum += v
		default:
		}
	}
	return sum
}

// More are those of the other files.
var more []func() string

func main() {
	nine := strings.Split("a b c d e f g h i", " ")
	fmt.Println(f01(loud("x")), f01("y"), f02("q"), f03(3), f04(), f05("a", 5), f06())
	fmt.Println(f07("\xffé", []byte{0xff, 'a'}), f07("", nil), f08(1), f09([]string{"p", "q"}), f10(), f11(), f12("s"), f13("text"))
	fmt.Println(f14(), f15(), f16(), f17([]byte{0xff, 'a'}), f17(nil), f18(), f19(nil), f19(map[string]int{"a": 1}))
	fmt.Println(f20([]string{"z"}), f21(nil), f21(&nine), f22(nil), f22(&holder{nine}), f23(-5), f23(20), f24(nine), f25(nine), f26(nine), f27())
	fmt.Println(f28(3), f28(1), f29("n", false), f29("n", true), f30(7, true), f31(1, nil, [2]float64{}, [2]float64{math.Copysign(0, -1)}))
	for _, s := range []string{"\u212Aelvin", "KELVIN", "ſile", "FİLE", "STRASSE"} {
		fmt.Print(f32(s), " ")
	}
	fmt.Println(f33(), f34(nil), f34(nine), f35(nine[:2]), f36("a"), f37())
	fmt.Println(f38(1, math.MaxUint64, 1.5, "q", 3, nil), f39(nil), f39([]int{1}), f40(nil), f41(), f42("a.b"), f43("aab"), f45("aab"), f43("aab"))
	fmt.Println(f44("aab"))
	fmt.Println(f46("a:b:c"), f46("a"), f46(""), f47("k=v=w"), f47("k"), f48(), f49())
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	close(ch)
	fmt.Println(f50(ch), f51("go on stop now"), f51("abcdefgh"), f52([]rune{-1, 'b', 0xD800, 0x10FFFF}), f53(), f54(map[string]int{"a": 1}, "a"), f54(map[string]int{}, "b"))
	fmt.Println(f55(), f56(), f57("x", "y", true), f57("x", "y", false), f58(), f59([]string{"1/2", "3", "-1"}), f59([]string{"1", "no"}), f60(), f61())
	for _, f := range more {
		fmt.Println(f())
	}
}
