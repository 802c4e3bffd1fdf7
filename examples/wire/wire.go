// Package wire is a small authenticated framing protocol: what two services
// that share a key speak over one connection.
//
// A frame is a header, a payload and a tag:
//
//	kind(1) flags(1) stream(4) length(4) | payload(length) | tag(16)
//
// The tag is the first half of an HMAC-SHA256 over a sequence number, the
// header and the payload, so that a frame can neither be forged, nor replayed,
// nor reordered. A payload with FlagPacked is run-length coded: the CRC-32 of
// what it unpacks to, then runs of count(2) and byte(1).
//
// A Sender and a Receiver are for one goroutine each.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Kind says what a frame carries.
type Kind uint8

// The kinds of frames.
const (
	KindData Kind = 1 + iota
	KindPing
	KindClose
)

// FlagPacked marks a payload that is run-length coded.
const FlagPacked = 0x01

// MaxPayload is the largest payload of one frame, in bytes.
const MaxPayload = 16 << 10

const (
	headerSize = 10
	tagSize    = 16
)

// The errors that a Receiver returns.
var (
	ErrTag     = errors.New("wire: frame is not authentic")
	ErrTooLong = errors.New("wire: frame is longer than MaxPayload")
	ErrPacked  = errors.New("wire: packed payload is malformed")
	ErrPending = errors.New("wire: a frame is still waiting to be flushed")
)

// header is the fixed part in front of a payload.
type header struct {
	kind   Kind
	flags  uint8
	stream uint32
	length uint32
}

func (h header) put(b []byte) {
	b[0] = byte(h.kind)
	b[1] = h.flags
	binary.BigEndian.PutUint32(b[2:], h.stream)
	binary.BigEndian.PutUint32(b[6:], h.length)
}

func parseHeader(b []byte) header {
	return header{
		kind:   Kind(b[0]),
		flags:  b[1],
		stream: binary.BigEndian.Uint32(b[2:]),
		length: binary.BigEndian.Uint32(b[6:]),
	}
}

// must panics with a formatted message when ok is false: the caller broke the
// contract, not the peer.
func must(ok bool, format string, args ...any) {
	if !ok {
		panic("wire: " + fmt.Sprintf(format, args...))
	}
}
