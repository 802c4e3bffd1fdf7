package copies

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

func text(r *http.Request) int {
	b, _ := io.ReadAll(r.Body) // want `the whole stream is read, then copied once more into a string`
	s := string(b)
	return strings.Count(s, "\n")
}

func proxy(w http.ResponseWriter, resp *http.Response) error {
	page, err := io.ReadAll(resp.Body) // want `io.Copy writes it as it comes`
	if err != nil {
		return err
	}
	if _, err := w.Write(page); err != nil {
		return err
	}
	return nil
}

func show(w io.Writer, r io.Reader) {
	page, err := io.ReadAll(r) // want `io.Copy writes it as it comes`
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprint(w, string(page))
}

// The two errors are told apart, or the writer is not a plain variable: no fix.
func status(w http.ResponseWriter, resp *http.Response) {
	page, err := io.ReadAll(resp.Body) // want `io.Copy writes it as it comes`
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if _, err := w.Write(page); err != nil {
		fmt.Println(err)
	}
}

func counted(w io.Writer, r io.Reader) (int, error) {
	page, err := io.ReadAll(r) // want `io.Copy writes it as it comes`
	if err != nil {
		return 0, err
	}
	return w.Write(page)
}

// What follows is left alone.

func twice(w io.Writer, r io.Reader) {
	page, _ := io.ReadAll(r)
	_, _ = w.Write(page)
	_, _ = w.Write(page)
}

func inMemory(r io.Reader) *bytes.Buffer {
	var buf bytes.Buffer
	page, _ := io.ReadAll(r)
	buf.Write(page)
	return &buf
}

func prefix(w io.Writer, r io.Reader) {
	page, _ := io.ReadAll(r)
	_, _ = w.Write(page[:1])
}

func equal(r io.Reader) bool {
	page, _ := io.ReadAll(r)
	return string(page) == "ok"
}

func header(w io.Writer, r io.Reader) {
	page, _ := io.ReadAll(r)
	fmt.Fprintln(w, "page:")
	_, _ = w.Write(page)
}

func formatted(w io.Writer, r io.Reader) {
	page, _ := io.ReadAll(r)
	fmt.Fprintf(w, "%s", page)
}
