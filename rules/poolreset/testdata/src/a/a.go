package a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func line(w io.Writer, s string) {
	b := bufs.Get().(*bytes.Buffer) // want `b goes back to bufs without Reset: the next user reads what this one wrote`
	b.WriteString(s)
	_, _ = w.Write(b.Bytes())
	bufs.Put(b)
}

func deferred(v any) (string, error) {
	var b = bufs.Get().(*bytes.Buffer) // want `b goes back to bufs`
	defer bufs.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return "", err
	}
	return b.String(), nil
}

type server struct{ pool, other sync.Pool }

func (s *server) render(n int) string {
	b := s.pool.Get().(*strings.Builder) // want `b goes back to s.pool`
	defer func() { s.pool.Put(b) }()
	fmt.Fprintf(b, "%d", n)
	return b.String()
}

var hashes sync.Pool

func digest(p []byte) []byte {
	h := hashes.Get().(hash.Hash) // want `h goes back to hashes`
	defer hashes.Put(h)
	h.Write(p)
	return h.Sum(nil)
}

type event struct {
	name  string
	tags  []string
	attrs map[string]string
}

func (e *event) Reset() { e.name, e.tags = "", e.tags[:0]; clear(e.attrs) }

var events = sync.Pool{New: func() any { return &event{attrs: map[string]string{}} }}

func join(tags ...string) string {
	e := events.Get().(*event) // want `e goes back to events`
	for _, t := range tags {
		e.tags = append(e.tags, t)
	}
	s := strings.Join(e.tags, ",")
	events.Put(e)
	return s
}

func count(keys []string) (n int) {
	e := events.Get().(*event) // want `e goes back to events`
	for _, k := range keys {
		e.attrs[k] = k
	}
	for range e.attrs {
		n++
	}
	events.Put(e)
	return n
}

func optional(s string) string {
	b, ok := bufs.Get().(*bytes.Buffer) // want `b goes back to bufs without Reset`
	if !ok {
		b = new(bytes.Buffer)
	}
	defer bufs.Put(b)
	b.WriteString(s)
	return b.String()
}

type joiner[T any] struct{ free sync.Pool }

func (j *joiner[T]) join(all []T, text func(T) string) string {
	sb, _ := j.free.Get().(*strings.Builder) // want `sb goes back to j.free without Reset`
	if sb == nil {
		sb = &strings.Builder{}
	}
	for _, x := range all {
		sb.WriteString(text(x))
	}
	s := sb.String()
	j.free.Put(sb)
	return s
}

// What follows is left alone.

func resetFirst(w io.Writer, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	_, _ = w.Write(b.Bytes())
	bufs.Put(b)
}

func resetLast(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		bufs.Put(b)
	}()
	b.WriteString(s)
	return b.String()
}

// wrapper and release reset for their callers.
func wrapper() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func release(b *bytes.Buffer) {
	b.Reset()
	bufs.Put(b)
}

func wrapped(s string) string {
	b := wrapper()
	defer release(b)
	b.WriteString(s)
	return b.String()
}

func released(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	defer release(b)
	b.WriteString(s)
	return b.String()
}

func neverPut(s string) string { // New makes a fresh one each time
	b := bufs.Get().(*bytes.Buffer)
	b.WriteString(s)
	return b.String()
}

func (s *server) move(text string) string { // another pool, whose users may reset
	b := s.pool.Get().(*bytes.Buffer)
	defer s.other.Put(b)
	b.WriteString(text)
	return b.String()
}

func truncated(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Truncate(0)
	b.WriteString(s)
	return b.String()
}

func drained(w io.Writer, s string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.WriteString(s)
	_ = b.Bytes()
	_, _ = b.WriteTo(w)
}

func read(w io.Writer, s string) {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.WriteString(s)
	_ = b.String()
	_, _ = io.Copy(w, b)
}

func overwritten(s string) string {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	*b = bytes.Buffer{}
	b.WriteString(s)
	return b.String()
}

func skips(s string) string { // knows where its own part starts
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	start := b.Len()
	b.WriteString(s)
	return b.String()[start:]
}

func given(s string) string { // reset may be there
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	fill(b, s)
	return b.String()
}

func fill(b *bytes.Buffer, s string) {
	b.Reset()
	b.WriteString(s)
}

func emptied(s string) string {
	b, ok := bufs.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	} else {
		b.Reset()
	}
	defer bufs.Put(b)
	b.WriteString(s)
	return b.String()
}

func unsure(s string) string {
	b, ok := bufs.Get().(*bytes.Buffer)
	if !ok {
		return s
	}
	defer bufs.Put(b)
	b.WriteString(s)
	return b.String()
}

func assigned(name string) int { // all that is read is overwritten
	e := events.Get().(*event)
	defer events.Put(e)
	e.tags = e.tags[:0]
	e.tags = append(e.tags, name)
	return len(e.tags)
}

func cleared(keys []string) (n int) {
	e := events.Get().(*event)
	defer events.Put(e)
	clear(e.attrs)
	for _, k := range keys {
		e.attrs[k] = k
	}
	for range e.attrs {
		n++
	}
	return n
}

func whole(name string) string {
	e := events.Get().(*event)
	defer events.Put(e)
	*e = event{name: name}
	e.tags = append(e.tags, name)
	return strings.Join(e.tags, ",")
}

type noReset struct{ b []byte }

var plain sync.Pool

func scratch(p []byte) int { // a type without Reset: its users know what they do
	n := plain.Get().(*noReset)
	defer plain.Put(n)
	n.b = append(n.b, p...)
	return bytes.Count(n.b, p)
}
