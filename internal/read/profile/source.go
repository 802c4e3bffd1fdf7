package profile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

const (
	// piece is how much is unpacked at once, and ahead how many pieces are
	// unpacked before they are asked for.
	piece = 256 << 10
	ahead = 4
	// largestField is how many bytes one field may have. A stack of a million
	// calls has some three million.
	largestField = 64 << 20
	// kept is how much of the beginning is kept, for a second reader: what is not
	// in pprof's format shows that soon.
	kept = 1 << 20
)

// A source is a profile's bytes, unpacked by a goroutine of its own, so that
// unpacking and decoding take a processor each. Close ends it.
type source struct {
	in    *bufio.Reader
	buf   []byte // of a field that does not fit into in
	limit int64

	full chan []byte
	free chan []byte
	quit chan struct{}
	err  error // of the goroutine, once full is closed

	rest []byte // of the piece that is read
	last []byte // that piece
	head []byte // the first bytes, as far as they are kept
	over bool   // more was read than is kept
}

// An unreadable is an error of the bytes themselves, and not of what they say.
type unreadable struct{ err error }

func (u *unreadable) Error() string { return u.err.Error() }
func (u *unreadable) Unwrap() error { return u.err }

// open begins to read what may be compressed. Neither the packed bytes nor the
// unpacked ones may be more than limit.
func open(r io.Reader, limit int64) *source {
	s := &source{limit: limit, full: make(chan []byte, ahead), free: make(chan []byte, ahead+2), quit: make(chan struct{})}
	for range ahead + 2 {
		s.free <- nil
	}
	s.in = bufio.NewReaderSize(s, piece)
	go func() {
		defer close(s.full)
		s.err = s.unpack(r)
	}()
	return s
}

// close ends the goroutine. A Read of the reader itself is waited for.
func (s *source) close() {
	close(s.quit)
	for range s.full {
	}
}

// unpack sends all pieces until there is none, or nobody wants them any more.
func (s *source) unpack(r io.Reader) error {
	packed := &io.LimitedReader{R: r, N: s.limit + 1}
	in := bufio.NewReaderSize(packed, 64<<10)
	var plain io.Reader = in
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return s.tooLarge(packed.N == 0, fmt.Errorf("unpacking it: %w", err))
		}
		plain = z
	}
	for total := int64(0); ; {
		var buf []byte
		select {
		case buf = <-s.free:
		case <-s.quit:
			return nil
		}
		if buf == nil {
			buf = make([]byte, piece)
		}
		n, err := fill(plain, buf)
		if total += int64(n); total > s.limit || packed.N == 0 {
			return s.tooLarge(true, nil)
		}
		select {
		case s.full <- buf[:n]:
		case <-s.quit:
			return nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("unpacking it: %w", err)
		}
	}
}

// fill is io.ReadFull with the reader's own error, which tells an end from a
// break.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

func (s *source) tooLarge(is bool, other error) error {
	if is {
		return fmt.Errorf("%w than %d MiB", ErrTooLarge, s.limit>>20)
	}
	return other
}

// Read is for in.
func (s *source) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.last != nil {
			s.free <- s.last[:cap(s.last)]
			s.last = nil
		}
		buf, ok := <-s.full
		if !ok {
			if s.err != nil {
				return 0, &unreadable{s.err}
			}
			return 0, io.EOF
		}
		s.rest, s.last = buf, buf
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	if len(s.head)+n > kept {
		s.head, s.over = nil, true
	}
	if !s.over {
		s.head = append(s.head, p[:n]...)
	}
	return n, nil
}

// field returns the next field of the outermost message, whose bytes hold
// until the next call; io.EOF after the last.
func (s *source) field() (field, error) {
	begin, err := s.in.Peek(20) // a tag, and a number or a size
	if len(begin) == 0 {
		return field{}, err
	}
	tag, n := uvarint(begin)
	if n == 0 {
		return field{}, s.cause(err, errVarint)
	}
	if tag&7 != asBytes {
		f, rest, err2 := cut(begin)
		if err2 != nil {
			return field{}, s.cause(err, err2)
		}
		_, _ = s.in.Discard(len(begin) - len(rest)) // which Peek has shown to be there
		return f, nil
	}
	size, m := uvarint(begin[n:])
	switch {
	case m == 0:
		return field{}, s.cause(err, errVarint)
	case size > largestField:
		return field{}, fmt.Errorf("a field has %d MiB: damaged, or too much for one", size>>20)
	}
	_, _ = s.in.Discard(n + m)
	body, err := s.bytes(int(size))
	return field{num: int(tag >> 3), wire: asBytes, bytes: body}, err
}

// cause returns the error of reading where that is why bytes are missing.
func (s *source) cause(reading, other error) error {
	if reading != nil && !errors.Is(reading, io.EOF) {
		return reading
	}
	return other
}

// bytes returns the next n bytes. What a size promises is believed as it comes.
func (s *source) bytes(n int) ([]byte, error) {
	if n <= s.in.Size() {
		body, err := s.in.Peek(n)
		if err != nil {
			return nil, s.cause(err, errShort)
		}
		_, _ = s.in.Discard(n) // the buffer stays as it is until the next read
		return body, nil
	}
	s.buf = s.buf[:0]
	for len(s.buf) < n {
		at := len(s.buf)
		step := min(n-at, max(at, piece))
		s.buf = append(s.buf, make([]byte, step)...)
		if _, err := io.ReadFull(s.in, s.buf[at:]); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return nil, s.cause(err, errShort)
		}
	}
	return s.buf, nil
}

// all returns everything from the first byte on, or false where more was read
// than is kept, or there is more than limit.
func (s *source) all(limit int64) ([]byte, bool) {
	if s.over {
		return nil, false
	}
	s.over = true // no more of it
	head := s.head
	rest, err := io.ReadAll(io.LimitReader(struct{ io.Reader }{s}, limit))
	data := append(head, rest...)
	return data, err == nil && int64(len(rest)) < limit
}
