package a

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

type (
	port   uint16
	ratio  float64
	header struct{ A, B uint32 }
	packet struct{ buf *bytes.Buffer }
)

func numbers(buf *bytes.Buffer, a int32, b uint64, c port, d int8) {
	binary.Write(buf, binary.BigEndian, a)        // want `binary.Write of a single number allocates`
	binary.Write(buf, binary.LittleEndian, b)     // want `binary.Write of a single number`
	_ = binary.Write(buf, binary.NativeEndian, c) // want `binary.Write of a single number`
	_ = binary.Write(buf, binary.BigEndian, d)    // want `binary.Write of a single number`
}

func floats(f float32, r ratio) ([]byte, error) {
	var buf bytes.Buffer
	if err := binary.Write(&buf, binary.BigEndian, f); err != nil { // want `binary.Write of a single number`
		return nil, err
	}
	err := binary.Write(&buf, binary.BigEndian, r) // want `binary.Write of a single number`
	return buf.Bytes(), err
}

func (p packet) length(b []byte) (err error) {
	err = binary.Write(p.buf, binary.BigEndian, uint16(len(b))) // want `binary.Write of a single number`
	return err
}

func next() uint32 { return 1 }

// Nobody else has the buffer, so that the call cannot write to it.
func private() string {
	var buf bytes.Buffer
	binary.Write(&buf, binary.BigEndian, next()) // want `binary.Write of a single number`
	return buf.String()
}

// A proposal.
func buffered(w *bufio.Writer, n uint32) error {
	err := binary.Write(w, binary.BigEndian, n) // want `binary.Write of a single number`
	return err
}

func one(p packet) error {
	return binary.Write(p.buf, binary.BigEndian, int8(1)) // want `binary.Write of a single number`
}

// Without a fix.

func choose() binary.ByteOrder { return binary.BigEndian }

func (p packet) take() uint32 { p.buf.WriteByte(0); return 1 }

func without(p packet, w io.Writer, order binary.ByteOrder, n uint32, ok bool) error {
	binary.Write(p.buf, binary.BigEndian, p.take())        // want `binary.Write of a single number`
	binary.Write(w, binary.BigEndian, n)                   // want `binary.Write of a single number`
	binary.Write(p.buf, order, n)                          // want `binary.Write of a single number`
	binary.Write(p.buf, binary.BigEndian, ok)              // want `binary.Write of a single number`
	binary.Write(p.buf, binary.BigEndian, int16(-1))       // want `binary.Write of a single number`
	binary.Write(p.buf, choose(), uint8(1))                // want `binary.Write of a single number`
	return binary.Write(p.buf, binary.BigEndian, int16(1)) // want `binary.Write of a single number`
}

func read(r io.Reader) (n uint32, err error) {
	err = binary.Read(r, binary.BigEndian, &n) // want `binary.Read of a single number allocates`
	return n, err
}

// Without a fix.
func generic[T uint16 | uint32](buf *bytes.Buffer, n T) {
	binary.Write(buf, binary.BigEndian, n) // want `binary.Write of a single number allocates`
}

func put(w io.Writer, v any) error { return binary.Write(w, binary.BigEndian, v) }

func frame(w io.Writer, id uint32) error {
	return put(w, id) // want `put is binary.Write: binary.Write of a single number allocates`
}

// Bytes have no order.
func plain(buf *bytes.Buffer, w io.Writer, b []byte, p packet) error {
	binary.Write(buf, binary.BigEndian, b)                              // want `binary.Write of a \[\]byte copies it first`
	if err := binary.Write(w, binary.LittleEndian, b[1:]); err != nil { // want `binary.Write of a \[\]byte`
		return err
	}
	err := binary.Write(p.buf, binary.LittleEndian, name(b)) // want `binary.Write of a \[\]byte`
	return err
}

type name []byte

func filled(r io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if err := binary.Read(r, binary.BigEndian, b); err != nil { // want `binary.Read into a \[\]byte reads into another one first`
		return nil, err
	}
	c := make([]byte, n)
	err := binary.Read(r, binary.BigEndian, c) // want `binary.Read into a \[\]byte`
	if err != nil {
		return nil, err
	}
	return append(b, c...), nil
}

// Without a fix: what is read before an error is seen, or may be.
func seen(r io.Reader, b []byte, n int, order binary.ByteOrder) ([]byte, error) {
	err := binary.Read(r, binary.BigEndian, b) // want `binary.Read into a \[\]byte`
	if err != nil {
		return nil, err
	}
	c := make([]byte, n)
	d := c
	if err := binary.Read(r, binary.BigEndian, c); err != nil { // want `binary.Read into a \[\]byte`
		return d, err
	}
	e := make([]byte, n)
	for range n {
		if err := binary.Read(r, binary.BigEndian, e); err != nil { // want `binary.Read into a \[\]byte`
			break
		}
	}
	f := make([]byte, n)
	if err := binary.Read(r, binary.BigEndian, f); err != nil { // want `binary.Read into a \[\]byte`
		return f, err
	}
	g := make([]byte, n)
	for range n {
		if err := binary.Read(r, binary.BigEndian, g); err != nil { // want `binary.Read into a \[\]byte`
			return nil, err
		}
	}
	h := make([]byte, n)
	err = binary.Read(r, binary.BigEndian, h) // want `binary.Read into a \[\]byte`
	if print(h); err != nil {
		return nil, err
	}
	if err := binary.Write(new(bytes.Buffer), order, e); err != nil { // want `binary.Write of a \[\]byte`
		return g, err
	}
	return e, binary.Read(r, binary.BigEndian, b) // want `binary.Read into a \[\]byte`
}

// What follows is left alone.

func structures(buf *bytes.Buffer, h header, all []uint32) {
	binary.Write(buf, binary.BigEndian, h)
	binary.Write(buf, binary.BigEndian, &h)
	binary.Write(buf, binary.BigEndian, all)
	binary.Read(buf, binary.BigEndian, &h)
	binary.Read(buf, binary.BigEndian, all)
}

// An int has no fixed size: it is an error.
func mistaken(buf *bytes.Buffer, n int) error {
	return binary.Write(buf, binary.BigEndian, n)
}

func direct(buf *bytes.Buffer, n uint32) {
	buf.Write(binary.BigEndian.AppendUint32(buf.AvailableBuffer(), n))
}
