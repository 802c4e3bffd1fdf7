package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
)

// A Sender seals frames and writes them. It buffers one frame at a time:
// Seal makes it, Flush writes it out, and goes on where it stopped when the
// writer returned an error half-way.
type Sender struct {
	mac hash.Hash
	seq uint64

	// What is left to write of the current frame.
	nextHeader  []byte
	nextPayload []byte
	nextTag     []byte
}

// NewSender returns a Sender that authenticates with key.
func NewSender(key []byte) *Sender {
	return &Sender{mac: hmac.New(sha256.New, key)}
}

// Seal makes the next frame. The payload must stay as it is until Flush has
// returned nil.
func (s *Sender) Seal(kind Kind, flags uint8, stream uint32, payload []byte) error {
	must(kind >= KindData && kind <= KindClose, "stream %d: unknown kind %d", stream, kind)
	must(len(payload) <= MaxPayload, "stream %d: payload of %d bytes", stream, len(payload))
	if len(s.nextHeader) > 0 || len(s.nextPayload) > 0 || len(s.nextTag) > 0 {
		return ErrPending
	}

	h := header{kind: kind, flags: flags, stream: stream, length: uint32(len(payload))}
	s.nextHeader = s.appendHeader(nil, h)
	s.nextPayload = payload
	s.sum(s.nextHeader, payload)
	return nil
}

// appendHeader appends the encoded header to dst.
func (s *Sender) appendHeader(dst []byte, h header) []byte {
	var b [headerSize]byte
	h.put(b[:])
	return append(dst, b[:]...)
}

// sum leaves the tag of the frame in nextTag.
func (s *Sender) sum(head, payload []byte) {
	var seq [8]byte
	binary.BigEndian.PutUint64(seq[:], s.seq)
	s.seq++

	s.mac.Reset()
	s.mac.Write(seq[:])
	s.mac.Write(head)
	s.mac.Write(payload)
	s.nextTag = s.mac.Sum(nil)
	s.nextTag = s.nextTag[:tagSize]
}

// Flush writes what is left of the current frame to w and returns how many
// bytes of it were written.
func (s *Sender) Flush(w io.Writer) (int, error) {
	var written int
	if len(s.nextHeader) > 0 {
		n, err := w.Write(s.nextHeader)
		s.nextHeader = s.nextHeader[n:]
		written += n
		if err != nil {
			return written, err
		}
	}
	if len(s.nextPayload) > 0 {
		n, err := w.Write(s.nextPayload)
		s.nextPayload = s.nextPayload[n:]
		written += n
		if err != nil {
			return written, err
		}
	}
	if len(s.nextTag) > 0 {
		n, err := w.Write(s.nextTag)
		s.nextTag = s.nextTag[n:]
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
