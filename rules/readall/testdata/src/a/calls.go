package a

import (
	"encoding/json"
	"io"
	"net/http"
)

type zoom struct{ Level int }

func contentOf(r *http.Request) ([]byte, error) {
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

func decoded(r *http.Request) (z zoom, err error) {
	data, err := contentOf(r) // want `the whole stream is read`
	if err != nil {
		return z, err
	}
	err = json.Unmarshal(data, &z)
	return z, err
}

// What follows is left alone.

func counted(r *http.Request, n *int) ([]byte, error) {
	defer r.Body.Close()
	*n++
	return io.ReadAll(r.Body)
}

func decodedAndCounted(r *http.Request, n *int) (z zoom, err error) {
	data, err := counted(r, n)
	if err != nil {
		return z, err
	}
	err = json.Unmarshal(data, &z)
	return z, err
}
