package admin

import (
	"errors"
	"net/http"
)

var errFull = errors.New("admin: the answer is too large")

// A buffer holds at most so many bytes, and is told off by closing full.
type buffer struct {
	most int
	data []byte
	over bool          // more came than fits
	full chan struct{} // closed then
}

func newBuffer(most int) *buffer { return &buffer{most: most, full: make(chan struct{})} }

func (b *buffer) Write(p []byte) (int, error) {
	switch {
	case b.over:
		return 0, errFull
	case len(p) > b.most-len(b.data):
		b.over, b.data = true, nil
		close(b.full)
		return 0, errFull
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

// answer is what was written, for which a slot is kept until it is sent.
func (b *buffer) answer(kept slot) (*answer, error) {
	if b.over {
		kept.free()
		return nil, fail(http.StatusInsufficientStorage, "the answer has more than %d bytes (Options.MaxBytes): ask for less", b.most)
	}
	return &answer{contentType: "application/octet-stream", body: b.data, done: kept.free}, nil
}
