package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// The plain way to write a fix would not build.
func init() {
	more = append(more, g09, g10, g11, g12, g13, g14, g15, g16, g17, g19)
}

// g09 has a variable that is called nil.
func g09() string {
	nil, a := 3, []byte("x")
	return fmt.Sprint(reflect.DeepEqual(a, []byte("x")), reflect.DeepEqual(a, a), nil)
}

// g10 has functions that are called string and len.
func g10() string {
	type text string
	t, b := text("hello\n"), []byte("abc")
	string, len := strings.ToUpper, 1
	os.Stdout.Write([]byte(t))
	return string(*(*text10)(unsafe.Pointer(&b))) + strconv.Itoa(len)
}

type text10 = string

// g11 assigns to what the pointer is to, and takes its address.
func g11() string {
	b := make([]byte, 3)
	*(*string)(unsafe.Pointer(&b)) = "xyz"
	p := &*(*string)(unsafe.Pointer(&b))
	return *p
}

// g12 calls methods by their types.
func g12() string {
	var b []byte
	var out strings.Builder
	t, n, log := time.Unix(0, 0).UTC(), 500, slog.New(kinds{&out})
	b = append(b, time.Time.Format(t, "2006")...)
	(*slog.Logger).Info(log, "m", "n", n)
	h := http.Header{}
	http.Header.Set(h, "x-foo", "1")
	return fmt.Sprint(string(b), time.Time.After(time.Now(), t), out.String(), h)
}

// g13 has an order that one byte alone uses.
func g13() string {
	var b bytes.Buffer
	order := binary.BigEndian
	binary.Write(&b, order, uint8(3))
	return b.String()
}

// g14 has a variable of the same name in the branch.
func g14() string {
	n := 5
	text := strconv.Itoa(n)
	if n > 3 {
		text := text + "x"
		return text
	}
	return "no"
}

// g15 writes to a literal.
func g15() string {
	n, err := fmt.Fprint(&strings.Builder{}, "a")
	return fmt.Sprint(n, err)
}

// g16 matches where a comparison has no room.
func g16() string {
	re, lone := regexp.MustCompile("^a$"), regexp.MustCompile("^lone$")
	lone.MatchString("x"[:1])
	defer lone.MatchString("x"[:1])
	if re.MatchString(config{"a"}.dir) {
		return "yes"
	}
	return "no"
}

// g17 formats and compares a literal's field behind an if.
func g17() string {
	n := 3
	if fmt.Sprintf("%s%d", config{"a"}.dir, n) == "a3" && reflect.DeepEqual(config{"a"}.dir, strconv.Itoa(n)) {
		return "no"
	}
	return "yes"
}

// g19 adds characters that are none.
func g19() string {
	out := ""
	for _, r := range []rune{0xD800, -1, 0x110000, 'a'} {
		word := ""
		for range 2 {
			word += string(r)
		}
		out += word
	}
	return fmt.Sprintf("%x", out)
}
