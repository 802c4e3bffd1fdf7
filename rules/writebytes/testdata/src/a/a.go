package a

import (
	"bufio"
	"bytes"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
)

type out struct {
	w    *bufio.Writer
	file *os.File
}

func (o *out) line(s string) error {
	o.w.Write([]byte(s + "\n"))           // want `the string is copied into memory of its own, only to be written; WriteString takes it as it is`
	_, err := o.file.Write([]byte("end")) // want `the string is copied`
	return err
}

func serve[T any](w http.ResponseWriter, r *http.Request, to io.Writer, lines []string, _ T) {
	w.Write([]byte(`{"ok":true}`)) // want `the string is copied`
	for _, line := range lines {
		defer func() { to.Write([]byte(line)) }() // want `the string is copied`
	}
}

type journal struct{ to io.Writer }

func (j journal) add(entry string) (n int, err error) {
	raw := []byte(entry) // want `the string is copied`
	if n, err = j.to.Write(raw); err != nil {
		return 0, err
	}
	return n, nil
}

type label string

func (l label) to(f *os.File, w io.Writer) {
	f.Write([]byte(l)) // want `the string is copied`
	w.Write([]byte(l)) // want `the string is copied`
}

// What follows is left alone.

type own struct{}

func (own) Write(b []byte) (int, error) { return len(b), nil }

type name string

type texts struct{ w io.Writer }

func (t texts) WriteString(s string) (int, error) { return t.w.Write([]byte(s)) }

func alone(b *bytes.Buffer, s *strings.Builder, h hash.Hash, o own, w io.Writer, n name, data []byte) {
	b.Write([]byte("x"))
	s.Write([]byte("x"))
	h.Write([]byte("x"))
	o.Write([]byte("x"))
	w.Write(data)
	w.Write([]byte{'x'})
	twice := []byte(n)
	w.Write(twice)
	w.Write(twice)
	before := []byte("again")
	for range data {
		w.Write(before)
	}
	var changed []byte
	changed = []byte("y")
	w.Write(changed)
}
