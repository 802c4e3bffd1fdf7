package audits

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/findings"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes an audit as text: the findings, one paragraph each, and then what is
// set. Without Verbose, what is set alike in several places stands there once.
func Text(w io.Writer, a *model.Audit, o sheet.Options) error {
	s := sheet.New(o)
	for _, x := range a.Findings {
		findings.Head(s, place(x.At), x.Finding, "about "+x.About)
		for _, t := range remarks(x) {
			s.Para(sheet.Dim, "  ", t)
		}
		s.Blank()
	}
	s.Para(sheet.Bold, "", headline(a))
	for _, line := range hidden(a) {
		s.Para(sheet.Dim, "  ", line)
	}
	if rows := set(a, o.Verbose); len(rows) > 0 {
		s.Heading("What is set:")
		for _, r := range rows {
			what := "  " + s.Text(r.What) + "  "
			if utf8.RuneCountInString(what)+utf8.RuneCountInString(r.Where) > s.Width() {
				s.Para(sheet.Bold, "  ", r.What)
				what = "    "
			}
			s.Mark(sheet.Bold, what, sheet.Dim, r.Where)
			s.Para(sheet.Normal, "    ", r.About+": "+r.Effect)
		}
	}
	s.Warnings(a.Warnings)
	return s.Flush(w)
}

// hidden says how much is not shown, and why.
func hidden(a *model.Audit) []string {
	return findings.Hidden(a.Hidden, "choices about size, reproducibility or where it runs; -tier all shows them")
}

func remarks(x model.SettingFinding) []string {
	var out []string
	for _, at := range x.Also {
		out = append(out, "see also "+place(at))
	}
	if x.Try != "" {
		out = append(out, "try: "+x.Try)
	}
	return out
}

// place writes where something is; what is in a binary has no line.
func place(p model.Pos) string {
	if p.Line == 0 {
		return p.File
	}
	return p.String()
}

// headline says in a line how much was found, and in what.
func headline(a *model.Audit) string {
	return findings.Headline(len(a.Findings), fmt.Sprintf("%s: %s, %s", words.Plural(len(a.Files), "file"), words.Plural(a.Builds, "build"), words.Plural(a.Processes, "run")))
}

// A row is a setting with all the places that have it.
type row struct{ What, Where, About, Effect string }

// set lists what is set, alike settings together.
func set(a *model.Audit, all bool) []row {
	var out []row
	at, count := map[string]int{}, []int{}
	for _, x := range a.Settings {
		r := row{What: strings.TrimSpace(x.Name + " " + cut(x.Value)), Where: x.For + ", " + place(x.At), About: x.About, Effect: x.Effect}
		key := r.What + "\x00" + x.For
		i, known := at[key]
		if known && !all {
			count[i]++
			continue
		}
		at[key] = len(out)
		out, count = append(out, r), append(count, 1)
	}
	for i, n := range count {
		if n > 1 {
			out[i].Where += fmt.Sprintf(" and %s", words.Plural(n-1, "other place"))
		}
	}
	return slices.Clip(out)
}

// longest is how much of a value is shown: -ldflags tend to hold a lot.
const longest = 60

func cut(value string) string {
	value = strings.Join(strings.Fields(value), " ")
	if r := []rune(value); len(r) > longest {
		return string(r[:longest]) + " …"
	}
	return value
}

// SARIF writes the findings as a SARIF 2.1.0 log.
func SARIF(w io.Writer, a *model.Audit) error {
	f := &model.Findings{Tool: a.Tool}
	for _, x := range a.Findings {
		one := x.Finding
		one.Message += " (about " + x.About + ")"
		for _, at := range x.Also {
			one.Message += "; see also " + place(at)
		}
		f.Findings = append(f.Findings, one)
	}
	return findings.SARIF(w, f)
}
