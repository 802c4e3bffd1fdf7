package c31

import (
	"io"
	"net/http"
	"strings"
)

// V5 two functions
func text(r io.Reader) (string, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	return string(data), nil
}

func lines(w http.ResponseWriter, r *http.Request) {
	s, err := text(r.Body)
	if err != nil {
		return
	}
	for _, l := range strings.Split(s, "\n") {
		io.WriteString(w, l)
	}
}
