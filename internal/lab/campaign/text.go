package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

func keepFlags(f *flag.FlagSet, s *settings) {
	commonFlags(f, s)
	f.StringVar(&s.out, "o", "internal/lab/campaign/testdata/campaign.txt", "the `file` to write")
}

// runKeep writes the records as text, and makes sure that the text says the
// same.
func runKeep(_ context.Context, s *settings) error {
	records, err := readRecords(s.results)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := writeText(&b, records); err != nil {
		return err
	}
	back, err := readText(strings.NewReader(b.String()))
	if err != nil {
		return err
	}
	if got, want := tables(back), tables(records); got != want {
		return fmt.Errorf("the text gives other tables than the records:\n%s\n%s", got, want)
	}
	if err := writeFile(s.out, []byte(b.String()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(s.out, ".txt")+".md", []byte(tables(records)), 0o666)
}

// The text holds what the tables and a replay need, and no more. A line is of
// one of three kinds, told by its first word; the fields of "run" and
// "benchmark" are those that writeText writes, in order.
const textHead = `# Comparisons of a campaign. go doc ./internal/lab/campaign says how they came about.
#
# effect SUBJECT NOMINAL STEPS MEASURED LO HI DUETS SD NS/OP
# run VERB SUBJECT EFFECT LOAD CODE WALL MEASURE LOAD-CPU STALLED; benchstat at equal CPU time: P DELTA CPU; at 10 × 1 s: P DELTA CPU
# benchmark NAME STANDING ANSWER SCREEN ALPHA LEAST SECONDS CPU HOW: DUETS: LINKS
#
# A benchmark belongs to the run above it. DUETS and LINKS are ln(candidate ÷ base)
# in millionths, in order.
`

const million = 1e6

func writeText(w io.Writer, records []Record) error {
	b := bufio.NewWriter(w)
	b.WriteString(textHead)
	for _, r := range records {
		if m := r.Measured; r.Verb == "calibrate" && m != nil {
			fmt.Fprintf(b, "effect %s %v %d %v %v %v %d %v %v\n", r.Subject, r.Effect, r.Steps, m.Change, m.Lo, m.Hi, m.Duets, m.SD, m.PerOp)
		}
		if r.Run == nil {
			continue
		}
		c := r.Run.Conditions
		fmt.Fprintf(b, "run %s %s %v %s %d %v %v %v %v; %s; %s\n", r.Verb, r.Subject, r.Effect, r.Load, r.Run.Code, r.Run.Wall, r.Run.Measure, c.Taken, c.Stalled, r.Equal.text(), r.Usual.text())
		for _, j := range r.Pawl {
			how := "cpu"
			if j.Wall {
				how = "wall"
			}
			fmt.Fprintf(b, "benchmark %s %s %s %s %v %v %v %v %s:%s:%s\n", j.Bench, word(j.Standing), word(j.Answer), word(j.Screen),
				j.Alpha, j.Least, j.Seconds, j.CPU, how, millionths(j.Duets), millionths(j.Links))
		}
	}
	return b.Flush()
}

// word writes a phrase as one field.
func word(s string) string {
	if s == "" {
		return "-"
	}
	return strings.ReplaceAll(s, " ", "_")
}

func phrase(s string) string {
	if s == "-" {
		return ""
	}
	return strings.ReplaceAll(s, "_", " ")
}

func (r *StatRun) text() string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%v %v %v", r.P, r.Delta, r.CPU)
}

func millionths(xs []float64) string {
	var b strings.Builder
	for _, x := range xs {
		fmt.Fprintf(&b, " %d", int64(math.Round(x*million)))
	}
	return b.String()
}

// readText reads what writeText wrote. What it does not hold is zero.
func readText(r io.Reader) ([]Record, error) {
	var out []Record
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		kind, rest, _ := strings.Cut(in.Text(), " ")
		var err error
		switch kind {
		case "", "#":
		case "effect":
			var rec Record
			rec, err = parseEffect(rest)
			out = append(out, rec)
		case "run":
			var rec Record
			rec, err = parseRun(rest)
			rec.Key = fmt.Sprintf("line %d", n)
			out = append(out, rec)
		case "benchmark":
			if len(out) == 0 || out[len(out)-1].Run == nil {
				err = fmt.Errorf("a benchmark without a run")
				break
			}
			var j Judged
			j, err = parseBenchmark(rest)
			last := &out[len(out)-1]
			last.Pawl = append(last.Pawl, j)
		default:
			err = fmt.Errorf("%q is no kind of line", kind)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return out, in.Err()
}

// A fielder reads fields one after the other and remembers the first error.
type fielder struct {
	fields []string
	err    error
}

func (f *fielder) word() string {
	if len(f.fields) == 0 {
		if f.err == nil {
			f.err = io.ErrUnexpectedEOF
		}
		return ""
	}
	w := f.fields[0]
	f.fields = f.fields[1:]
	return w
}

func (f *fielder) number() float64 {
	w := f.word()
	x, err := strconv.ParseFloat(w, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = fmt.Errorf("%q is no figure", w)
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	return x
}

func (f *fielder) whole() int {
	x := f.number()
	if f.err == nil && (x != math.Trunc(x) || math.Abs(x) > 1e12) {
		f.err = fmt.Errorf("%v is no whole number", x)
	}
	return int(x)
}

// end returns the first error, or one about what is left over.
func (f *fielder) end() error {
	if f.err == nil && len(f.fields) > 0 {
		f.err = fmt.Errorf("%d fields too many", len(f.fields))
	}
	return f.err
}

func parseEffect(text string) (Record, error) {
	f := &fielder{fields: strings.Fields(text)}
	r := Record{Verb: "calibrate", Subject: f.word(), Effect: f.number(), Steps: f.whole(), Measured: &Measured{}}
	m := r.Measured
	m.Change, m.Lo, m.Hi, m.Duets, m.SD, m.PerOp = f.number(), f.number(), f.number(), f.whole(), f.number(), f.number()
	return r, f.end()
}

func parseRun(text string) (Record, error) {
	parts := strings.Split(text, ";")
	if len(parts) != 3 {
		return Record{}, fmt.Errorf("a run has 3 parts and not %d", len(parts))
	}
	f := &fielder{fields: strings.Fields(parts[0])}
	r := Record{Verb: f.word(), Subject: f.word(), Effect: f.number(), Load: f.word(), Run: &PawlRun{}}
	r.Run.Code, r.Run.Wall, r.Run.Measure = f.whole(), f.number(), f.number()
	r.Run.Conditions.Taken, r.Run.Conditions.Stalled = f.number(), f.number()
	if err := f.end(); err != nil {
		return r, err
	}
	var err error
	if r.Equal, err = parseStat(parts[1]); err != nil {
		return r, err
	}
	r.Usual, err = parseStat(parts[2])
	return r, err
}

func parseStat(text string) (*StatRun, error) {
	f := &fielder{fields: strings.Fields(text)}
	if len(f.fields) == 1 && f.fields[0] == "-" {
		return nil, nil
	}
	r := &StatRun{P: f.number(), Delta: f.number(), CPU: f.number()}
	return r, f.end()
}

func parseBenchmark(text string) (Judged, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return Judged{}, fmt.Errorf("a benchmark has 3 parts and not %d", len(parts))
	}
	f := &fielder{fields: strings.Fields(parts[0])}
	j := Judged{Bench: f.word(), Standing: phrase(f.word()), Answer: phrase(f.word()), Screen: phrase(f.word())}
	j.Alpha, j.Least, j.Seconds, j.CPU = f.number(), f.number(), f.number(), f.number()
	j.Wall = f.word() == "wall"
	if err := f.end(); err != nil {
		return j, err
	}
	for i, list := range []*[]float64{&j.Duets, &j.Links} {
		f := &fielder{fields: strings.Fields(parts[1+i])}
		for f.err == nil && len(f.fields) > 0 {
			*list = append(*list, float64(f.whole())/million)
		}
		if err := f.end(); err != nil {
			return j, err
		}
	}
	return j, nil
}
