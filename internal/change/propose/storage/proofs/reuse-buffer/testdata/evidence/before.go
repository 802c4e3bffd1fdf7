// Package evidence frames messages and writes them as the receiver takes them.
package evidence

import (
	"encoding/binary"
	"io"
)

// A Sender sends one message after the other. It is for one goroutine.
type Sender struct {
	pending []byte // what is still to be written
	sent    int
}

func appendFrame(dst, message []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(message)))
	return append(dst, message...)
}

// Send starts to send a message; what is left of the last one is dropped.
func (s *Sender) Send(message []byte) {
	s.sent++
	s.pending = appendFrame(nil, message) // target
}

// Flush writes what is pending and returns how many messages were sent so far.
func (s *Sender) Flush(w io.Writer) (int, error) {
	for len(s.pending) > 0 {
		n, err := w.Write(s.pending)
		s.pending = s.pending[n:]
		if err != nil {
			return s.sent, err
		}
	}
	return s.sent, nil
}
