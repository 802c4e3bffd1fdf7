package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// The formats that are read, by the Go release that introduced them. Before
// Go 1.22 a trace had to be read as a whole.
const (
	oldestFormat = 22
	newestFormat = 26
)

// maxGeneration is how many bytes of a trace may belong together. The runtime
// writes a generation each second, of some megabytes.
const maxGeneration = 1 << 30

// A NoTraceError is about a file that is no trace.
type NoTraceError struct{ why string }

func (e *NoTraceError) Error() string { return e.why }

// A VersionError is about a trace in a format that this version cannot read.
type VersionError struct{ Minor int }

func (e *VersionError) Error() string {
	if e.Minor < oldestFormat {
		return fmt.Sprintf("the trace has the format of Go 1.%d: pawl reads those of Go 1.%d and later; look at it with go tool trace, or record it with a newer Go", e.Minor, oldestFormat)
	}
	if e.Minor > newestFormat {
		return fmt.Sprintf("the trace has the format of Go 1.%d, and this pawl reads those up to Go 1.%d: upgrade pawl, or look at it with the go tool trace of that Go", e.Minor, newestFormat)
	}
	return fmt.Sprintf("the trace has the format of Go 1.%d, which no Go release writes: the file is damaged", e.Minor)
}

const headerLen = 16

var header = regexp.MustCompile(`^go 1\.([0-9]{1,4}) trace\x00`)

// readHeader looks at the first bytes without consuming them, and returns the
// minor version of Go that the format is of.
func readHeader(br *bufio.Reader) (minor int, err error) {
	head, err := br.Peek(headerLen)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return 0, fmt.Errorf("reading the trace: %w", err)
	case len(head) == 0:
		return 0, errors.New("the file is empty: the program ended before its trace was written; call trace.Stop before it exits")
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return 0, &NoTraceError{"it is compressed: a pprof profile (go tool pprof reads it), or a trace to be unpacked first (gunzip)"}
	}
	m := header.FindSubmatch(head)
	if m == nil && len(head) < headerLen && strings.HasPrefix("go 1.", string(head[:min(5, len(head))])) {
		return 0, errors.New("the file ends within the first bytes of a trace: the program ended before its trace was written")
	}
	if m == nil {
		return 0, &NoTraceError{"it is no execution trace: runtime/trace, go test -trace and /debug/pprof/trace write one"}
	}
	minor, _ = strconv.Atoi(string(m[1])) // four digits
	if minor < oldestFormat || minor > newestFormat {
		return 0, &VersionError{minor}
	}
	return minor, nil
}

// limited counts what is read, and ends a stream whose parts are too large to
// be kept.
type limited struct {
	r           io.Reader
	total, left int64
	limit       int64
	largest     int64 // part so far
	begun       bool
}

// renew begins another part.
func (l *limited) renew() {
	l.largest = max(l.largest, l.limit-l.left)
	l.left = l.limit
}

func (l *limited) Read(p []byte) (int, error) {
	if !l.begun {
		l.begun, l.left = true, l.limit
	}
	if l.left <= 0 {
		return 0, fmt.Errorf("more than %d MiB of the trace belong together, too much to put in order; record a shorter one", l.limit>>20)
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.total += int64(n)
	l.left -= int64(n)
	return n, err
}
