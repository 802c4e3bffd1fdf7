package loadtest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// A Report is what a load command said of one run.
type Report struct {
	Form     string  // what the output was read as: "hey", "wrk", "plain lines", …
	Requests float64 // all that were made, those that failed included
	Errors   float64 // of them, answered by a status of 400 or more, or not answered
	// LatencyNs are the latencies by quantile, "p50" or "p99.9", in nanoseconds.
	LatencyNs map[string]float64
	// StepNs is the smallest difference between two latencies that the form can
	// show, in nanoseconds; 0 where it shows as many digits as there are.
	StepNs float64
}

// A form reads one kind of output. It reports false for what is not of its
// kind; what it reads is checked afterwards.
type form struct {
	name string
	read func(text string) (Report, bool)
}

// forms returns the forms in the order in which they are tried: the plain
// lines, which are the least particular, come last.
func forms() []form {
	return []form{
		{"vegeta JSON", readVegetaJSON},
		{"oha JSON", readOhaJSON},
		{"plain JSON", readPlainJSON},
		{"vegeta", readVegeta},
		{"oha", readOha},
		{"hey", readHey},
		{"wrk", readWrk},
		{"ab", readAB},
		{"k6", readK6},
		{"plain lines", readPlain},
	}
}

// errUnknown is the part of an error about unknown output that says what to do.
var errUnknown = errors.New("known are the outputs of hey, wrk, wrk2, oha, vegeta report, ab and k6; " +
	`a script of your own prints lines such as "requests 1234", "errors 0", "p50 1.2ms" and "p99 9ms"`)

// parse reads the output of a load command. An output that is of no known form,
// or that speaks of no requests, is an error that shows how it begins and says
// what to print.
func parse(out []byte) (Report, error) {
	text := escapes.ReplaceAllString(strings.ToValidUTF8(string(out), "�"), "")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, f := range forms() {
		r, ok := f.read(text)
		if !ok {
			continue
		}
		r.Form = f.name
		return r, r.check()
	}
	if strings.TrimSpace(text) == "" {
		return Report{}, fmt.Errorf("the load command printed nothing: %w", errUnknown)
	}
	return Report{}, fmt.Errorf("the output of the load command is of no known form; it begins\n%s\n%w",
		indent(firstLines(text, 6)), errUnknown)
}

// escapes are the colours that some tools print.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// check drops latencies that are none and returns an error for counts that
// cannot be.
func (r *Report) check() error {
	for q, ns := range r.LatencyNs {
		if !positive(ns) {
			delete(r.LatencyNs, q) // hey prints 0.0000 secs for what is below 0.1 ms
		}
	}
	switch {
	case !positive(r.Requests):
		return fmt.Errorf("the load command (read as %s) made no requests: run it by hand against the program", r.Form)
	case !(r.Errors >= 0) || math.IsInf(r.Errors, 0):
		return fmt.Errorf("the load command (read as %s) reports %v errors, which is no count", r.Form, r.Errors)
	}
	return nil
}

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// firstLines returns the first n lines, each cut to a sensible length.
func firstLines(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if n--; n < 0 {
			b.WriteString("…")
			break
		}
		b.WriteString(words.Clip(strings.TrimRight(line, "\n"), 160) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// lastLines returns the last n lines of what a process said last.
func lastLines(out []byte, n int) string {
	return firstLines(strings.ToValidUTF8(words.LastLines(string(out), n), "�"), n)
}

func indent(text string) string { return "\t" + strings.ReplaceAll(text, "\n", "\n\t") }

// duration reads a number with a unit, as the tools print them ("1.2ms",
// "0.0035 secs", "250.00us", "1m2.5s"), and returns nanoseconds.
func duration(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	for _, word := range []string{"secs", "sec"} {
		if number, ok := strings.CutSuffix(s, word); ok {
			s = number + "s"
		}
	}
	// A plain number with a unit keeps digits below a nanosecond.
	if at := strings.LastIndexAny(s, "0123456789."); at >= 0 {
		if unit, ok := units[s[at+1:]]; ok {
			if x, err := strconv.ParseFloat(s[:at+1], 64); err == nil {
				return x * unit, positive(x*unit) || x == 0
			}
		}
	}
	d, err := time.ParseDuration(s)
	return float64(d), err == nil && d >= 0
}

// units are the units of duration in nanoseconds; the two µ look alike.
var units = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9,
}

// quantile returns the name of a quantile that is given in per cent, "99.90"
// or "50th", or "" for what is none: 0 and 100 are the extremes, and no
// quantiles.
func quantile(percent string) string {
	percent = strings.TrimSuffix(strings.TrimSuffix(percent, "%"), "th")
	x, err := strconv.ParseFloat(percent, 64)
	if err != nil || !(x > 0 && x < 100) {
		return ""
	}
	return "p" + strconv.FormatFloat(x, 'f', -1, 64)
}

// number reads a count, which some tools print with separators or decimals.
func number(s string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return x, err == nil && x >= 0 && !math.IsInf(x, 0)
}

// field returns the first group of re in text as a number.
func field(re *regexp.Regexp, text string) (float64, bool) {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return number(m[1])
}

// jsonObject returns text from the first line that begins with a brace.
func jsonObject(text string) (string, bool) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text, true
	}
	if at := strings.Index(text, "\n{"); at >= 0 {
		return text[at+1:], true
	}
	return "", false
}
