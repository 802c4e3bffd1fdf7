package c04

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
)

// V1 method

type uploads struct {
	store func(sum string, size int64) error
}

func (u *uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sum := sha256.New()
	chunk := make([]byte, 128<<10)
	var size int64
	for {
		n, err := r.Body.Read(chunk)
		sum.Write(chunk[:n])
		size += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	if err := u.store(hex.EncodeToString(sum.Sum(nil)), size); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
