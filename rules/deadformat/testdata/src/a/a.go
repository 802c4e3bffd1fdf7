package a

import (
	"errors"
	"fmt"
	"log"
	"strconv"
)

type account struct {
	id   int
	name string
}

func (a account) String() string { return a.name }

func branch(id int, failed bool) error {
	msg := fmt.Sprintf("account %d", id) // want `msg is formatted on every path, and one branch alone reads it: format it there`
	if failed {
		return errors.New(msg)
	}
	return nil
}

func early(id int, cached []string) string {
	key := fmt.Sprintf("account/%d", id) // want `key is formatted on every path, and nothing reads it before an early return`
	if len(cached) > 0 {
		return cached[0]
	}
	return key
}

func elseIf(n int, s string) {
	text := strconv.Itoa(n) // want `text is formatted`
	if s == "" {
		log.Print("empty")
	} else if n > 10 {
		log.Print("large")
		log.Print(text)
	}
}

func clause(kind, n int) string {
	text := fmt.Sprint("n", n) // want `one branch alone reads it`
	switch kind {
	case 1:
		return text
	case 2:
		return "two"
	}
	return ""
}

func (a *account) method(debug bool) {
	n := a.id
	line := fmt.Sprintf("%d of %d", n, len(a.name)) // want `line is formatted`
	if debug {
		log.Print(line)
	}
}

func closure(ids []int) func(int) error {
	return func(i int) error {
		msg := fmt.Sprintf("no %d", i) // want `msg is formatted`
		if i >= len(ids) {
			return errors.New(msg)
		}
		return nil
	}
}

func generic[T ~int | ~string](v T, ok bool) string {
	text := fmt.Sprint(v) // want `text is formatted`
	if ok {
		return text
	}
	return ""
}

func loop(rows []account, verbose bool) {
	for i, r := range rows {
		line := fmt.Sprintf("row %d: %v", i, r) // want `line is formatted`
		if verbose {
			log.Print(line)
		}
	}
}

// Reported without a fix: the operand has a method, changes, or means something else.

func stringer(a account, ok bool) string {
	text := fmt.Sprintf("of %v", a) // want `text is formatted`
	if ok {
		return text
	}
	return ""
}

func changed(n int, ok bool) string {
	text := fmt.Sprintf("%d", n) // want `text is formatted`
	n++
	if ok {
		return text + strconv.Itoa(n)
	}
	return ""
}

func pointer(a *account, ok bool) string {
	text := fmt.Sprintf("%d", a.id) // want `text is formatted`
	if ok {
		return text
	}
	return ""
}

var global int

func shared(ok bool) string {
	text := fmt.Sprintf("%d", global) // want `text is formatted`
	next()
	if ok {
		return text
	}
	return ""
}

func next() { global++ }

func called(ok bool) string {
	text := strconv.Itoa(count()) // want `text is formatted`
	if ok {
		return text
	}
	return ""
}

func count() int { global++; return global }

func base(n, b int, ok bool) string {
	text := strconv.FormatInt(int64(n), b) // want `text is formatted`
	if ok {
		return text
	}
	return ""
}

func hidden(n int, ok bool) string {
	text := fmt.Sprintf("%d", n) // want `text is formatted`
	if n := n + 1; ok {
		return text + strconv.Itoa(n)
	}
	return ""
}

func captured(ok bool) string {
	n := 1
	add := func() { n++ }
	text := fmt.Sprintf("%d", n) // want `text is formatted`
	add()
	if ok {
		return text
	}
	return ""
}

func title(id int, name string) string { return fmt.Sprintf("%d: %s", id, name) }

func titled(id int, name string, verbose bool) int {
	t := title(id, name) // want `t is formatted on every path, and one branch alone reads it`
	if verbose {
		log.Print(t)
	}
	return id
}

// What follows is left alone.

func both(n int, ok bool) string {
	text := strconv.Itoa(n)
	if ok {
		return text
	}
	return text + "?"
}

func condition(n int) string {
	text := strconv.Itoa(n)
	if text != "7" {
		return text
	}
	return ""
}

func inLoop(n int, rows []account) {
	text := strconv.Itoa(n)
	for range rows {
		log.Print(text)
	}
}

func later(n int, ok bool) func() string {
	text := strconv.Itoa(n)
	return func() string {
		if ok {
			return text
		}
		return ""
	}
}

func written(n int, ok bool) string {
	text := strconv.Itoa(n)
	if ok {
		text += "!"
	}
	return text
}

func deferred(n int, ok bool) {
	text := strconv.Itoa(n)
	defer func() { log.Print(text) }()
	if ok {
		return
	}
	log.Print(n)
}

func failing(n int, read func() error) (string, error) {
	text := strconv.Itoa(n)
	if err := read(); err != nil {
		return "", err // seldom
	}
	return text, nil
}
