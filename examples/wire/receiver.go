package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
)

// A Message is a frame that has been received and found authentic. It belongs
// to the caller.
type Message struct {
	Kind    Kind
	Stream  uint32
	Payload []byte

	packed bool
}

// A Receiver reads frames and checks them.
type Receiver struct {
	r   io.Reader
	mac hash.Hash
	crc hash.Hash32
	seq uint64
}

// NewReceiver returns a Receiver of frames from r that authenticates with key.
func NewReceiver(r io.Reader, key []byte) *Receiver {
	return &Receiver{r: r, mac: hmac.New(sha256.New, key), crc: crc32.NewIEEE()}
}

// Reset makes the Receiver read from r, as the first frame of a connection.
func (v *Receiver) Reset(r io.Reader) {
	v.r = r
	v.seq = 0
}

// Next reads one frame. It returns io.EOF at the end of the stream.
func (v *Receiver) Next() (*Message, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(v.r, head[:]); err != nil {
		return nil, err
	}
	h := parseHeader(head[:])
	if h.length > MaxPayload {
		return nil, ErrTooLong
	}
	body := make([]byte, h.length)
	if _, err := io.ReadFull(v.r, body); err != nil {
		return nil, err
	}
	if err := v.verify(head[:], body); err != nil {
		return nil, err
	}
	m := &Message{Kind: h.kind, Stream: h.stream, Payload: body, packed: h.flags&FlagPacked != 0}
	if m.packed {
		if err := m.unpack(v.crc); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// verify reads the tag that follows the body and compares it.
func (v *Receiver) verify(head, body []byte) error {
	var seq [8]byte
	binary.BigEndian.PutUint64(seq[:], v.seq)
	v.seq++

	var tag [tagSize]byte
	if _, err := io.ReadFull(v.r, tag[:]); err != nil {
		return err
	}
	v.mac.Reset()
	v.mac.Write(seq[:])
	v.mac.Write(head)
	v.mac.Write(body)
	if !hmac.Equal(v.mac.Sum(nil)[:tagSize], tag[:]) {
		return ErrTag
	}
	return nil
}
