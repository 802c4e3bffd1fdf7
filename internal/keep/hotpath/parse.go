package hotpath

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/words"
)

// maxSize is the size of a file beyond which it is no record, and maxErrors how
// many mistakes of one are named at once.
const (
	maxSize   = 64 << 10
	maxErrors = 10
)

// A FileError is a mistake in the file of a record.
type FileError struct {
	File string
	Line int // from 1; 0 for the whole file
	Msg  string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// A field is a key with its value and the comments above it.
type field struct {
	line     int
	key      string
	values   []string // the lines of the value
	comments []string
}

// text returns the value as one text. Where nothing stands behind the key, the
// value begins on the next line.
func (f field) text() string {
	v := f.values
	if len(v) > 1 && v[0] == "" {
		v = v[1:]
	}
	return strings.Join(v, "\n")
}

// word returns the value where it has to be on one line.
func (f field) word() (string, error) {
	t := f.text()
	switch {
	case t == "":
		return "", fmt.Errorf("%s has no value", f.key)
	case strings.Contains(t, "\n"):
		return "", fmt.Errorf("%s has a value of several lines: it takes one", f.key)
	}
	return t, nil
}

// parse reads a record. Name is the file's, for messages and, without directory
// and ending, the record's. All lines are read, and the error joins a FileError
// for each mistake, the first ten of them.
func parse(data []byte, name string) (Record, error) {
	p := reader{file: name}
	r := Record{Name: nameOf(name), File: name, comments: make(map[string][]string)}
	fields, trailing := p.split(data)
	if len(p.errs) == 0 || len(fields) > 0 {
		p.fill(&r, fields)
	}
	if len(trailing) > 0 {
		r.comments[""] = trailing
	}
	return r, p.err()
}

// A reader collects the mistakes of one file.
type reader struct {
	file string
	errs []error
}

func (p *reader) fail(line int, format string, args ...any) {
	p.errs = append(p.errs, &FileError{p.file, line, fmt.Sprintf(format, args...)})
}

func (p *reader) err() error {
	if n := len(p.errs); n > maxErrors {
		p.errs = append(p.errs[:maxErrors], &FileError{p.file, 0, fmt.Sprintf("and %d more", n-maxErrors)})
	}
	return errors.Join(p.errs...)
}

// split takes the lines apart into fields. What comments there are below the
// last field is returned too.
func (p *reader) split(data []byte) (fields []field, trailing []string) {
	if len(data) > maxSize {
		p.fail(0, "it has %d bytes, and a record has %d at most", len(data), maxSize)
		return nil, nil
	}
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	if !p.version(lines[0]) {
		return nil, nil
	}
	open := false // the last field may go on
	for i, text := range lines[1:] {
		n := i + 2
		text = strings.TrimRightFunc(text, unicode.IsSpace)
		if err := visible(text); err != nil {
			p.fail(n, "%v", err)
			continue
		}
		switch {
		case text == "":
			open = false
		case text[0] == '#':
			trailing = append(trailing, text)
			open = false
		case text[0] == ' ' || text[0] == '\t':
			if !open {
				p.fail(n, "an indented line goes on with a value, and there is none above it: is there an empty line or a comment between?")
				continue
			}
			last := &fields[len(fields)-1]
			last.values = append(last.values, text)
		default:
			key, value, ok := strings.Cut(text, ":")
			if !ok || strings.ContainsAny(key, " \t") {
				p.fail(n, "%q is no key with a colon, such as %q", shorten(text), "why: …")
				open = false
				continue
			}
			fields = append(fields, field{line: n, key: key, values: []string{strings.TrimSpace(value)}, comments: trailing})
			trailing, open = nil, true
		}
	}
	for i := range fields {
		dedent(fields[i].values[1:])
	}
	return fields, trailing
}

// version checks the first line.
func (p *reader) version(line string) bool {
	line = strings.TrimSpace(line)
	v, ok := strings.CutPrefix(line, "pawl record ")
	n, err := strconv.Atoi(v)
	switch {
	case !ok || err != nil || n < 1:
		p.fail(1, "the first line of a record is %q", fmt.Sprintf("pawl record %d", version))
	case n > version:
		p.fail(1, "this is version %d of the format, and this pawl knows %d; a newer pawl can read it", n, version)
	default:
		return true
	}
	return false
}

// visible is the error of a line that a reviewer would not see as it is.
func visible(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("the line is not UTF-8")
	}
	for _, r := range text {
		if hidden(r) {
			return fmt.Errorf("there is a character that cannot be seen: %U", r)
		}
	}
	return nil
}

// hidden reports whether a reader would not see r: control characters but the
// tab, and those that turn the direction of writing or have no width.
func hidden(r rune) bool {
	return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029')
}

// dedent takes the indentation that all lines have off them.
func dedent(lines []string) {
	if len(lines) == 0 {
		return
	}
	blank := func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }
	common := blank(lines[0])
	for _, l := range lines[1:] {
		b := blank(l)
		n := 0
		for n < len(b) && n < len(common) && b[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	for i := range lines {
		lines[i] = lines[i][len(common):]
	}
}

// shorten cuts a text for a message.
func shorten(s string) string {
	return words.Clip(s, 60)
}

// nameOf returns the name of the record that a file holds.
func nameOf(file string) string {
	if i := strings.LastIndexAny(file, `/\`); i >= 0 {
		file = file[i+1:]
	}
	return strings.TrimSuffix(file, Ext)
}
