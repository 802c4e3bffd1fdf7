package a

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"net/http"
	"strings"
)

func rows(r io.Reader) ([][]string, error) {
	text, err := io.ReadAll(r) // want `the whole stream is held in memory only to be read once more, piece by piece; hand over the reader itself`
	if err != nil {
		return nil, err
	}
	return csv.NewReader(strings.NewReader(string(text))).ReadAll()
}

type counter[R io.Reader] struct{ in R }

func (c *counter[R]) words() (n int, err error) {
	data, err := io.ReadAll(c.in) // want `only to be read once more`
	if err != nil {
		return 0, err
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		n++
	}
	return n, sc.Err()
}

// What follows is left alone.

func sent(r io.Reader) (*http.Request, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return http.NewRequest("POST", "https://example.org", bytes.NewReader(data))
}

func twiceRead(r io.Reader) (*gzip.Reader, int, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	return z, len(data), err
}

func rewound(r io.Reader) (*bytes.Reader, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	again := bytes.NewReader(data)
	return again, nil
}
