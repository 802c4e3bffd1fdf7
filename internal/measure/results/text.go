package results

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// maxLine is the longest line that is looked at. benchfmt gives up on a file
// with a line of 64 KiB.
const maxLine = 32 << 10

// A text is a file in the form that benchfmt reads: UTF-8, no carriage
// returns, no line that is too long, and a line end at the end. Lines keep
// their numbers.
type text struct {
	data     []byte
	lines    []string // lines[i] is line i+1
	warnings []model.Warning
}

func readText(in Input) (text, error) {
	data, err := io.ReadAll(io.LimitReader(in.R, maxBytes+1))
	switch {
	case err != nil:
		return text{}, fmt.Errorf("reading %s: %w", in.Name, err)
	case len(data) > maxBytes:
		return text{}, fmt.Errorf("%s is larger than %d MiB: is it the output of go test -bench? Keep its benchmark lines only: grep -E '^(Benchmark|[a-z]+:)'", in.Name, maxBytes>>20)
	}
	data = decode(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return text{}, fmt.Errorf("%s is empty: %w; write the output of go test -bench=. -count=10 to it", in.Name, errNothing)
	}
	var t text
	if data[len(data)-1] != '\n' {
		data = t.endless(data, in.Name)
	}
	t.split(data, in.Name)
	return t, nil
}

// decode undoes what shells on Windows do to a file: PowerShell's > writes
// UTF-16 with a byte order mark.
func decode(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	units := make([]uint16, 0, len(data)/2)
	for rest := data[2:]; len(rest) >= 2; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	return []byte(string(utf16.Decode(units)))
}

// endless handles a last line without an end. A result that was cut in the
// middle of a figure still reads as one, so it is not counted, and neither is
// pawl's remark on one, where duet 19 may have become duet 1.
func (t *text) endless(data []byte, name string) []byte {
	start := bytes.LastIndexByte(data, '\n') + 1
	if line := data[start:]; !bytes.HasPrefix(line, []byte("Benchmark")) && !bytes.HasPrefix(line, []byte("# arm=")) {
		return append(data, '\n')
	}
	t.warnings = append(t.warnings, model.Warning{
		Seen:  fmt.Sprintf("the last line of %s has no end and is not counted", name),
		Cause: "what wrote it was killed, or the disk was full",
		Try:   "end the line if it is complete, or measure again",
	})
	return append(data[:start:start], '\n')
}

func (t *text) split(data []byte, name string) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	long := 0
	t.lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range t.lines {
		if len(line) > maxLine {
			t.lines[i] = ""
			long++
		}
	}
	if long > 0 {
		t.warnings = append(t.warnings, model.Warning{
			Seen:  fmt.Sprintf("%s: lines longer than %d KiB are passed over: %d", name, maxLine>>10, long),
			Cause: "output of the program under test",
		})
	}
	t.data = []byte(strings.Join(t.lines, "\n") + "\n")
}

// quote shortens what a file says for use in a message.
func quote(s string) string {
	return "“" + strings.ToValidUTF8(words.Clip(strings.Join(strings.Fields(s), " "), 60), "?") + "”"
}
