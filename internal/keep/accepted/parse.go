package accepted

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxErrors is how many mistakes of a file are named at once.
const maxErrors = 10

// Parse reads a file of accepted regressions. Name is for messages. All lines
// are read, and the error names each mistake with its line, the first ten of
// them: "accepted.txt:4: there is no reason: …".
func Parse(r io.Reader, name string) (*File, error) {
	f := &File{name: name, used: make(map[int]bool)}
	var errs []error
	seen := make(map[string]int)
	sc := bufio.NewScanner(r)
	n := 0
	for sc.Scan() {
		n++
		l, err := parseLine(sc.Text(), n)
		if err == nil && l.entry != nil {
			err = f.twice(*l.entry, seen)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
			continue
		}
		f.lines = append(f.lines, l)
	}
	if err := sc.Err(); errors.Is(err, bufio.ErrTooLong) {
		errs = append(errs, fmt.Errorf("%s:%d: the line is longer than %d characters", name, n+1, bufio.MaxScanTokenSize))
	} else if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(errs) > maxErrors {
		errs = append(errs[:maxErrors], fmt.Errorf("%s: and %d more", name, len(errs)-maxErrors))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return f, nil
}

// twice is the error of an entry for what another one already accepts.
func (f *File) twice(e Entry, seen map[string]int) error {
	key := e.Pkg + " " + e.Benchmark + " " + e.Metric
	if first, ok := seen[key]; ok {
		return fmt.Errorf("%s %s has an entry on line %d already: keep one", e.Benchmark, e.Metric, first)
	}
	seen[key] = e.Line
	return nil
}

func parseLine(text string, n int) (line, error) {
	if n == 1 {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	if !utf8.ValidString(text) {
		return line{}, errors.New("the line is not UTF-8")
	}
	text = strings.TrimSpace(text)
	if text == "" || text[0] == '#' {
		return line{comment: text}, nil
	}
	if i := strings.IndexFunc(text, hidden); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		return line{}, fmt.Errorf("there is a character that cannot be seen: %U", r)
	}
	e, err := parseEntry(text)
	if err != nil {
		return line{}, err
	}
	e.Line = n
	return line{entry: &e}, nil
}

// hidden reports whether a reviewer would not see r: control characters but the
// tab, and those that turn the direction of writing or have no width.
func hidden(r rune) bool {
	return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// parseEntry takes a line apart word by word: the colon before the reason is
// the first one after the limit, for names may have colons too.
func parseEntry(text string) (Entry, error) {
	var e Entry
	pkg, rest := word(text)
	name, rest := word(rest)
	metric, rest := word(rest)
	e.Pkg, e.Benchmark, e.Metric = pkg, name, metric
	head, reason, colon := strings.Cut(rest, ":")
	words := strings.Fields(head)
	switch {
	case strings.HasPrefix(pkg, "Benchmark") && name != "" && !strings.HasPrefix(name, "Benchmark"):
		return e, fmt.Errorf("the package is missing before %s: write its import path first", pkg)
	case metric == "" || strings.HasSuffix(metric, ":") || len(words) == 0 && strings.HasPrefix(name, "Benchmark"):
		return e, errors.New("an entry is PACKAGE BENCHMARK METRIC LIMIT [until DATE]: REASON")
	case !strings.HasPrefix(name, "Benchmark"):
		return e, fmt.Errorf("%q is no name of a benchmark: write it whole, such as BenchmarkSend/size=1024", name)
	case metric == "ns/op", metric == "sec/op":
		return e, fmt.Errorf("%q is no metric: use %s, one that the benchmark reports, or %s for all", metric, strings.Join(metrics(), ", "), Any)
	}
	var err error
	if e.Limit, err = parseLimit(words[0]); err != nil {
		return e, err
	}
	if e.Until, err = parseUntil(words[1:]); err != nil {
		return e, err
	}
	if e.Reason = strings.TrimSpace(reason); !colon || e.Reason == "" {
		return e, errors.New("there is no reason: write why this is accepted after a colon, such as “: checksum added (#123)”")
	}
	return e, nil
}

// word splits off the first word.
func word(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// limitForm is a percentage: without exponent, and with as many digits as
// anybody means.
var limitForm = regexp.MustCompile(`^\+([0-9]{1,6}(?:\.[0-9]{1,6})?)%$`)

func parseLimit(s string) (float64, error) {
	if s == unlimited {
		return math.Inf(1), nil
	}
	if m := limitForm.FindStringSubmatch(s); m != nil {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil && x > 0 {
			return x / 100, nil
		}
	}
	return 0, fmt.Errorf("%q is no limit: write the largest increase that is accepted, such as +8%%, or %s", s, unlimited)
}

func parseUntil(words []string) (time.Time, error) {
	if len(words) == 0 {
		return time.Time{}, nil
	}
	if words[0] != "until" {
		return time.Time{}, fmt.Errorf("%q after the limit: there may be “until” and a day, and then a colon and the reason", words[0])
	}
	if len(words) != 2 {
		return time.Time{}, errors.New("after “until” stands one day, such as until 2027-03-01, and then a colon and the reason")
	}
	t, err := time.Parse(time.DateOnly, words[1])
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no day: write it as 2027-03-01", words[1])
	}
	return t, nil
}
