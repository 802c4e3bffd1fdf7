package a

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

var line = regexp.MustCompile(`^\w+ \d+$`)

type text []byte

type scan struct {
	buf  []byte
	head bytes.Buffer
	out  *bufio.Writer
}

func (s *scan) look(prefix string, other []byte) (n int) {
	if strings.HasPrefix(string(s.buf), prefix) { // want `the bytes are copied into a string for strings.HasPrefix; bytes.HasPrefix looks at them where they are`
		n++
	}
	if strings.EqualFold(string(s.buf), string(other)) || strings.Contains("a list", string(other)) { // want `for strings.EqualFold` `for strings.Contains`
		n++
	}
	n += strings.IndexByte(string(s.buf), '=')     // want `bytes.IndexByte looks`
	n += strings.IndexAny(string(s.buf[1:]), "=;") // want `bytes.IndexAny looks`
	n += utf8.RuneCountInString(string(s.buf))     // want `utf8.RuneCount looks`
	if utf8.ValidString(string(s.buf)) {           // want `utf8.Valid looks`
		s.head.WriteString(string(s.buf)) // want `the bytes are copied into a string for WriteString; Write takes them as they are`
		s.out.WriteString(string(s.buf))  // want `Write takes them`
	}
	return n
}

func matches[T any](t []byte, s string, _ T) bool {
	found := func() []int { return line.FindStringIndex(string(t)) } // want `FindIndex takes them`
	if line.MatchString(string(t)) && found() != nil {               // want `the bytes are copied into a string for MatchString; Match takes`
		return true
	}
	return line.Match([]byte(s)) // want `the string is copied into a slice of bytes for Match; MatchString takes`
}

func again(b *bytes.Buffer) {
	b.WriteString(string(b.Bytes()[2:])) // want `Write takes them`
}

func named(t text) bool {
	return strings.HasSuffix(string(t), "\n") // want `bytes.HasSuffix looks`
}

// What follows is left alone.

type own struct{ bytes.Buffer }

func (*own) Write([]byte) (int, error) { return 0, nil }

func alone(b []byte, s string, r []rune, byte int, o *own, w *strings.Builder) {
	o.WriteString(string(b))
	defer w.WriteString(string(b))
	_ = strings.HasPrefix(s, "x")
	_ = strings.HasPrefix(string(r), "x")
	_ = strings.HasPrefix(string(b), "x")
	_ = bytes.HasPrefix(b, []uint8(s))
	_ = strings.Split(string(b), "x")
	_ = strings.TrimSpace(string(b))
	_ = strings.IndexFunc(string(b), func(rune) bool { return true })
	_ = line.FindString(string(b))
	_ = string(b) == s
	_ = utf8.RuneCountInString(s)
}
