package hotpath

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// format returns a record as the text of its file, in one form: keys in one
// order, groups of them set apart by empty lines, each comment above the key
// that it stood above. parse gives the same record again.
func format(r Record) string {
	w := writer{comments: r.comments}
	w.b.WriteString("pawl record 1\n")

	w.group()
	w.field("place", strings.TrimSpace(r.Place.Pkg+" "+r.Place.Func))
	w.field("line", r.Place.Line)
	if r.Place.At.File != "" {
		w.field("at", r.Place.At.String())
	}
	w.field("why", r.Why)

	w.group()
	w.field("benchmark", strings.TrimSpace(r.Pkg+" "+r.Bench))
	w.field("command", r.Command)
	for _, d := range r.Better {
		w.field("better", d.String())
	}

	w.group()
	m := r.Measured
	if !m.Date.IsZero() {
		w.field("measured", m.Date.Format(time.DateOnly))
	}
	w.field("go", m.Go)
	w.field("cpu", m.CPU)
	w.field("run", m.Run)
	w.field("commit", m.Commit)
	for _, f := range m.Figures {
		w.begin("figures")
		w.b.WriteString("figures: " + f.Benchmark + "\n")
		for _, v := range f.Values {
			w.b.WriteString("  " + v.String() + "\n")
		}
	}

	w.group()
	for _, g := range r.Guards {
		w.field("guard", g.String())
	}
	if end := r.comments[""]; len(end) > 0 {
		w.group()
		w.begin("")
	}
	return w.b.String()
}

// String returns the guard as the value of its key.
func (g Guard) String() string {
	head := g.Name + " within " + words.Duration(g.Timeout) + ":"
	if strings.Contains(g.Command, "\n") {
		return head + "\n" + g.Command
	}
	return head + " " + g.Command
}

// A writer writes fields.
type writer struct {
	b        strings.Builder
	comments map[string][]string
	written  map[string]int // fields of each key so far
	gap      bool           // an empty line comes before the next field
}

// group begins a group: an empty line, if there is a field to follow.
func (w *writer) group() { w.gap = true }

// begin writes what stands above a field.
func (w *writer) begin(key string) {
	if w.gap {
		w.b.WriteByte('\n')
		w.gap = false
	}
	at := key
	if key != "" {
		if w.written == nil {
			w.written = make(map[string]int)
		}
		at = commentKey(key, w.written[key])
		w.written[key]++
	}
	for _, c := range w.comments[at] {
		w.b.WriteString(c + "\n")
	}
}

// field writes a key with its value, unless that is empty. A value of several
// lines stands below its key, which leaves its indentation as it is. A guard's
// name and time stay on the line of the key.
func (w *writer) field(key, value string) {
	if value == "" {
		return
	}
	w.begin(key)
	lines := strings.Split(value, "\n")
	w.b.WriteString(key + ":")
	if len(lines) == 1 || key == "guard" {
		w.b.WriteString(" " + lines[0])
		lines = lines[1:]
	}
	w.b.WriteByte('\n')
	for _, l := range lines {
		w.b.WriteString("  " + l + "\n")
	}
}

// Text brings a text that somebody typed into the form that a value of several
// lines has: no empty lines, no blanks at the ends, and no indentation that all
// lines share. The error names a character that a reviewer would not see.
func Text(s string) (string, error) {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if err := visible(line); err != nil {
			return "", err
		}
		if line != "" {
			out = append(out, line)
		}
	}
	dedent(out)
	return strings.Join(out, "\n"), nil
}

// Wrap is Text for prose, broken into lines of at most width characters where
// it has longer ones.
func Wrap(s string, width int) (string, error) {
	s, err := Text(s)
	if err != nil {
		return "", err
	}
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		if len([]rune(line)) <= width {
			out = append(out, line)
			continue
		}
		current := ""
		for _, word := range strings.Fields(line) {
			if current != "" && len([]rune(current))+1+len([]rune(word)) > width {
				out = append(out, current)
				current = ""
			}
			if current != "" {
				current += " "
			}
			current += word
		}
		out = append(out, current)
	}
	return strings.Join(out, "\n"), nil
}
