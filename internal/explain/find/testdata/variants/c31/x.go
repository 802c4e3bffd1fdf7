package c31

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

type cfg struct{ A string }

// V1 renamed
func read(r io.Reader) (c cfg, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return c, err
	}
	err = json.Unmarshal(data, &c)
	return c, err
}

// V2 method
type up struct{ dst io.Writer }

func (u *up) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	u.dst.Write(body)
}

// V3 closure
func lines(r io.Reader) func() []string {
	return func() []string {
		b, _ := io.ReadAll(r)
		return strings.Split(string(b), "\n")
	}
}

// V4 generic
func decode[T any](resp *http.Response) (t T, err error) {
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return
	}
	return t, json.Unmarshal(b, &t)
}

// V5 two functions
func slurp(r io.Reader) ([]byte, error) { return io.ReadAll(r) }
func conf(r io.Reader) (c cfg, err error) {
	b, err := slurp(r)
	if err != nil {
		return c, err
	}
	err = json.Unmarshal(b, &c)
	return
}
