package c31

import (
	"io"
	"net/http"
	"strings"
)

// V1 across two functions

func bodyText(r io.Reader) (string, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	return string(raw), nil
}

func importHosts(add func(host string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, err := bodyText(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				add(line)
			}
		}
	}
}
