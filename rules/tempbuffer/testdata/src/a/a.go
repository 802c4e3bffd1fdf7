package a

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
)

func decode(r io.Reader) (string, error) {
	buf := make([]byte, 64*1024) // want `buf, of 65536 bytes, is made and dropped on each call: a sync.Pool keeps such buffers`
	n, err := unpack(r, buf)
	if err != nil {
		return "", err
	}
	return parse(buf[:n])
}

func unpack(r io.Reader, buf []byte) (int, error) { return r.Read(buf) }

func parse(data []byte) (string, error) {
	if len(data) == 0 {
		return "", errors.New("empty")
	}
	return strings.Clone(string(data[1:])), nil
}

type source struct{ r io.Reader }

func (s *source) copy(w io.Writer) error {
	var buf = make([]byte, 32<<10) // want `buf, of 32768 bytes`
	for {
		n, err := s.r.Read(buf)
		if err != nil {
			return err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
	}
}

func closure(r io.Reader) func() (int, error) {
	return func() (int, error) {
		buf := make([]byte, 0, 4096) // want `buf, of 4096 bytes`
		return r.Read(buf[:cap(buf)])
	}
}

func generic[R io.Reader](r R) byte {
	buf := make([]byte, 2048) // want `buf, of 2048 bytes`
	io.ReadFull(r, buf)
	return buf[7]
}

type summer[R io.Reader] struct{ from R }

func (s summer[R]) sum() (n int, err error) {
	var block [8 << 10]byte // want `block, of 8192 bytes`
	for i := 0; err == nil; i, err = s.from.Read(block[:]) {
		for _, b := range block[:i] {
			n += int(b)
		}
	}
	return n, err
}

func staged(dst io.Writer, src io.Reader) error {
	_, err := io.CopyBuffer(dst, src, make([]byte, 1<<17)) // want `a buffer, of 131072 bytes, is made and dropped on each call`
	return err
}

// What follows is left alone.

func counts(data []byte) (most int) {
	var seen [1 << 10]int
	for _, b := range data {
		seen[b]++
	}
	return seen[0]
}

func keepsAll(keep func([]byte)) {
	var block [8 << 10]byte
	keep(block[:])
}

func handedOn(keep func([]byte), r *bufio.Scanner) {
	keep(make([]byte, 1<<17))
	r.Buffer(make([]byte, 0, 1<<17), 1<<20)
}

func small(r io.Reader) byte {
	buf := make([]byte, 512)
	r.Read(buf)
	return buf[0]
}

func onStack(n int) byte {
	buf := make([]byte, 4096)
	for i := range buf {
		buf[i] = byte(i)
	}
	return buf[n]
}

func returned(r io.Reader) []byte {
	buf := make([]byte, 4096)
	n, _ := r.Read(buf)
	return buf[:n]
}

func stored(r io.Reader, to map[string][]byte) {
	buf := make([]byte, 4096)
	n, _ := r.Read(buf)
	to["x"] = buf[:n]
}

func sent(r io.Reader, to chan []byte) {
	buf := make([]byte, 4096)
	r.Read(buf)
	to <- buf
}

func goroutine(r io.Reader) {
	buf := make([]byte, 4096)
	go r.Read(buf)
}

func looped(rs []io.Reader) (sum int) {
	for _, r := range rs {
		buf := make([]byte, 4096) // made before the loop, it serves all
		n, _ := r.Read(buf)
		sum += n
	}
	return sum
}

func variable(r io.Reader, n int) byte {
	buf := make([]byte, n)
	r.Read(buf)
	return buf[0]
}

func init() {
	buf := make([]byte, 4096)
	os.Stdin.Read(buf)
}
