package a

import (
	"errors"
	"fmt"
	"time"
)

type (
	id    string
	count int
	level uint8
	named string
	text  = string
)

func (named) String() string { return "a name" }

func line(user string, n int) string {
	return fmt.Sprintf("user=%s count=%d", user, n) // want `a concatenation says the same`
}

func kinds(a int8, b uint64, c rune, d count, e level, f int64, g uintptr) string {
	return fmt.Sprintf("%d %d %d%d %d, %d%%%d", a, b, c, d, e, f, g) // want `a concatenation says the same`
}

func others(ok bool, s string, i id, b []byte, x text) string {
	one := fmt.Sprintf("%t|%q|%s|%s|%v", ok, s, i, b, x) // want `a concatenation`
	two := fmt.Sprintf("%x-%x-%x-%q", b, s, len(s), b)   // want `a concatenation`
	return one + two + fmt.Sprintf("%v%v", ok, len(s))   // want `a concatenation`
}

func places(s string, n int) (byte, string, bool) {
	first := fmt.Sprintf("%s:%d", s, n)[0]                              // want `a concatenation`
	return first, s + fmt.Sprintf("\t%d", n), fmt.Sprintf("%d", n) == s // want `a concatenation` `a concatenation`
}

func nested(s string, n int) string {
	return fmt.Sprintf("%s/%d", fmt.Sprint(s, 1.5), n) // want `a concatenation`
}

func constants(s string) string {
	const limit = 10
	return fmt.Sprintf("%s of %d%c", s, limit, 'x') + fmt.Sprintf("%d: %s", 'a', s) // want `append them to a buffer` `a concatenation`
}

// Without a fix: flags, widths, methods, errors, structures, type parameters, floats.
func without[T ~string](n int, s named, err error, d time.Duration, t T, f float64, v any) []string {
	return []string{
		fmt.Sprintf("%03d", n),                     // want `append them to a buffer`
		fmt.Sprintf("%+d", n),                      // want `append them to a buffer`
		fmt.Sprintf("%s", s),                       // want `append them to a buffer`
		fmt.Sprintf("%s: %v", "x", err),            // want `append them to a buffer`
		fmt.Sprintf("%d", d),                       // want `append them to a buffer`
		fmt.Sprintf("%s", t),                       // want `append them to a buffer`
		fmt.Sprintf("%v", f),                       // want `append them to a buffer`
		fmt.Sprintf("%v", v),                       // want `append them to a buffer`
		fmt.Sprintf("%[1]d %[1]d", n),              // want `append them to a buffer`
		fmt.Sprintf("%s %s", errors.New("e"), "x"), // want `append them to a buffer`
	}
}

func shadowed(string bool, s []byte) {
	println(fmt.Sprintf("%s", s)) // want `append them to a buffer`
}

// What follows is left alone.

var once = fmt.Sprintf("%s.txt", errUnknown) // when the program starts

var errUnknown = errors.New("unknown")

func variable(format string, n int, args []any) string {
	return fmt.Sprintf(format, n) + fmt.Sprintf("%d", args...)
}

func fails(n int) {
	panic(fmt.Sprintf("bad number %d", n))
}

func mistaken(n int) {
	_ = fmt.Sprintf("%d %d", n)
	_ = fmt.Sprintf("plain")
}
