package equal

import (
	"bytes"
	"io"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// A part takes a few bytes of each write and fails at the end.
type part struct {
	got  bytes.Buffer
	room int
}

func (p *part) Write(b []byte) (int, error) {
	n := min(len(b), 3, p.room-p.got.Len())
	p.got.Write(b[:n])
	if p.got.Len() == p.room {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestSend(t *testing.T) {
	messages := [][]byte{nil, []byte("a"), []byte("a longer message"), []byte("b"), make([]byte, 300), []byte("last")}
	for room := 1; room < 400; room += 7 {
		var b before.Sender
		var a after.Sender
		x, y := &part{room: room}, &part{room: room}
		for _, m := range messages {
			b.Send(m)
			a.Send(m)
			n1, err1 := b.Flush(x)
			n2, err2 := a.Flush(y)
			if n1 != n2 || err1 != err2 || !bytes.Equal(x.got.Bytes(), y.got.Bytes()) {
				t.Fatalf("room for %d: %d, %v, %q, then %d, %v, %q", room, n1, err1, x.got.Bytes(), n2, err2, y.got.Bytes())
			}
			if err1 != nil { // what is left goes elsewhere
				x.room, y.room = x.room+1000, y.room+1000
			}
		}
	}
}
