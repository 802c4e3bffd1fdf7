package c04

import (
	"io"
	"net"
	"net/http"
)

// V1 renamed, missed
func inflate(src []byte) (*doc, error) {
	scratch := make([]byte, 128<<10)
	n, err := expand(src, scratch)
	if err != nil {
		return nil, err
	}
	return readDoc(scratch[:n])
}

type doc struct{ title string }

var expand func(src, dst []byte) (int, error)

func readDoc(b []byte) (*doc, error) { return &doc{title: string(b)}, nil }

// V2 method
type gateway struct{ conn net.Conn }

func (g *gateway) next() (string, error) {
	frame := make([]byte, 65536)
	n, err := g.conn.Read(frame)
	if err != nil {
		return "", err
	}
	return string(frame[:n]), nil
}

// V3 closure
func server() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, 32*1024)
		n, _ := r.Body.Read(buf)
		w.Write(buf[:n])
	}
}

// V4 generic, missed
func Decode[T any](r io.Reader, parse func([]byte) (T, error)) (T, error) {
	buf := make([]byte, 64*1024)
	n, err := r.Read(buf)
	if err != nil {
		var zero T
		return zero, err
	}
	return parse(buf[:n])
}

// V5 two functions
func fill(r io.Reader, b []byte) (int, error) { return io.ReadFull(r, b) }
func packetSize(r io.Reader) (int, error) {
	b := make([]byte, 64*1024)
	return fill(r, b)
}
