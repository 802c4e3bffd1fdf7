package c04

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
)

const chunk = 256 << 10

// V1 handler that a method returns
type Uploads struct {
	limit int64
}

func (u *Uploads) Digest() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		buf := make([]byte, chunk)
		h := sha256.New()
		for body := http.MaxBytesReader(w, r.Body, u.limit); ; {
			n, err := body.Read(buf)
			h.Write(buf[:n])
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
		}
		_, _ = io.WriteString(w, hex.EncodeToString(h.Sum(nil)))
	}
}
