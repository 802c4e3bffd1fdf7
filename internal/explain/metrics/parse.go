package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Parse reads a page, whatever its form. An error says what the page looks
// like instead.
func Parse(data []byte) (*Reading, error) {
	r, err := parse(data)
	if err != nil {
		return nil, err
	}
	r.derive()
	if !r.useful() {
		return nil, fmt.Errorf("%s, and nothing in it is of Go's runtime; %s", formWord(r.Form), formHint(r.Form))
	}
	return r, nil
}

func parse(data []byte) (*Reading, error) {
	head := bytes.TrimSpace(data[:min(len(data), 512)])
	switch {
	case len(head) == 0:
		return nil, errors.New("the page is empty")
	case head[0] == '<':
		return nil, errors.New("it is a page of HTML: metrics have their own address, such as /metrics or /debug/vars")
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return nil, errors.New("it is packed, as profiles are: take a heap profile with debug=1")
	case bytes.HasPrefix(head, []byte("heap profile:")):
		return heapText(data)
	case bytes.Contains(head, []byte(" profile: ")):
		return nil, errors.New("it is the text of a profile that has no metrics: only a heap profile has some")
	case head[0] == '{' && !quotedName(head) || head[0] == '[':
		return object(data)
	}
	return prometheus(string(data))
}

// quotedName reports whether a page begins with a metric whose name is in
// braces: {"name",…} or {"name"}.
func quotedName(head []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(head))
	dec.Token() // the brace
	if _, err := dec.Token(); err != nil {
		return false
	}
	rest := bytes.TrimSpace(head[dec.InputOffset():])
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == '}')
}

func formWord(form string) string {
	switch form {
	case "prometheus":
		return "it is text of Prometheus"
	case "runtime/metrics":
		return "it is a JSON object"
	}
	return "it is of " + form
}

func formHint(form string) string {
	switch form {
	case "prometheus":
		return "a Go program's registry needs collectors.NewGoCollector, which the default one has"
	case "runtime/metrics":
		return "expvar has memstats, and other objects need names of runtime/metrics"
	}
	return "is the program written in Go?"
}
