package experiments

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// few is how many rows are shown where not all there is was asked for.
const few = 10

func some[T any](all []T, o sheet.Options) []T {
	if o.Verbose {
		return all
	}
	return all[:min(few, len(all))]
}

// pgo writes what became of profiles for the compiler.
func pgo(s *sheet.Sheet, all []model.PGO, o sheet.Options) {
	for _, p := range all {
		s.Heading(p.File + " of " + p.Main)
		s.Para(sheet.Normal, "  ", mapped(p.Fresh))
		if p.Stale != "" {
			s.Para(sheet.Yellow, "  ! ", stale(p))
		}
		for _, g := range some(p.Fresh.Gone, o) {
			s.Para(sheet.Normal, "    ", lost(g))
		}
		if p.Newer != nil {
			s.Para(sheet.Normal, "  ", newer(p))
		}
		if len(p.Brought) > 0 {
			s.Para(sheet.Normal, "  ", brought(p)+":")
			for _, b := range some(p.Brought, o) {
				s.AsIs("    ", b)
			}
		}
		text, command, style := fate(p)
		if text != "" {
			s.Para(style, "  ", text)
		}
		if command != "" {
			s.AsIs("  ", command)
		}
	}
}

// mapped says how much of a profile is of the source.
func mapped(f model.Freshness) string {
	text := fmt.Sprintf("%s [%s, %s] of %s of user code map to the source", words.Percent(f.Share), words.Percent(f.Lo), words.Percent(f.Hi), words.Counted(f.Samples, "sample"))
	if !f.Taken.IsZero() {
		text += "; taken on " + f.Taken.Format(time.DateOnly)
	}
	return text + "."
}

func stale(p model.PGO) string { return "It is stale: " + p.Stale + "." }

func lost(g model.Gone) string {
	what := "is not there"
	if g.Short {
		what = "is shorter than the profile's line"
	}
	return fmt.Sprintf("%s %s %s", words.Percent(g.Share), g.Func, what)
}

func newer(p model.PGO) string { return "It and the fresh profile are " + figure.Alike(*p.Newer) + "." }

func brought(p model.PGO) string {
	return fmt.Sprintf("By it, the compiler inlines or devirtualises %s in this module", words.Plural(len(p.Brought), "call"))
}

// fate says where the profile is, or why it is not kept, and the command to go on with.
func fate(p model.PGO) (text, command string, style sheet.Style) {
	switch {
	case p.Commit != "":
		return "Kept as commit " + words.Commit(p.Commit) + " on " + p.Branch + ".", "take it: " + figure.Shell("git", "merge", p.Branch), sheet.Green
	case p.Copy != "":
		return "Kept as a file (" + p.Why + ").", "take it: " + figure.Shell("cp", p.Copy, p.File), sheet.Green
	case p.Why != "":
		return "Not kept: " + p.Why + ".", "", sheet.Normal
	case p.Tried:
		return "What the fresh profile gives beside it stands above.", "keep it: " + figure.Shell(p.Fresher...), sheet.Normal
	case len(p.Fresher) > 0:
		return "What a fresh profile would give is not measured here.", "measure it: " + figure.Shell(p.Fresher...), sheet.Normal
	}
	return "", "", sheet.Normal
}

// Likeness writes how like production a benchmark is.
func Likeness(w io.Writer, l model.Likeness, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(sheet.Bold, "", fmt.Sprintf("The benchmark spends %s of its CPU time as production does [%s, %s], and runs functions that have %s of production's.",
		words.Percent(l.Alike), words.Percent(l.Lo), words.Percent(l.Hi), words.Percent(l.Covered)))
	s.Para(sheet.Dim, "", fmt.Sprintf("By %s of production and %s of the benchmark.", words.Counted(l.Samples[0], "sample"), words.Counted(l.Samples[1], "sample")))
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Right("production"), sheet.Right("benchmark"), sheet.Left("function"), sheet.Left(""))}
	for _, x := range some(l.Weights, o) {
		what := "over-weighed"
		switch {
		case words.Percent(x.Bench) == words.Percent(x.Production):
			what = "alike"
		case x.Bench == 0:
			what = "not run"
		case x.Production == 0:
			what = "not in production"
		case x.Bench < x.Production:
			what = "under-weighed"
		}
		rows = append(rows, []sheet.Cell{sheet.Right(words.Percent(x.Production)), sheet.Right(words.Percent(x.Bench)), sheet.Left(words.Symbol(x.Func)), sheet.Left(what)})
	}
	s.Part()
	s.Table("  ", rows)
	return s.Flush(w)
}

// Startup writes what packages cost before main begins, and in the file.
func Startup(w io.Writer, x *model.Startup, size bool, o sheet.Options) error {
	s := sheet.New(o)
	if v := x.Versions; v != nil {
		s.Para(sheet.Bold, "", fmt.Sprintf("From its start to its first answer, %s takes %s, and %s at %s: %s.", x.Main, words.Nanoseconds(v.After), words.Nanoseconds(v.Before), v.Base, v.Why))
		s.Warnings(v.Verdict.Warnings)
		s.Part()
	}
	if size {
		sizes(s, x, o)
	} else {
		inits(s, x, o)
	}
	return s.Flush(w)
}

func inits(s *sheet.Sheet, x *model.Startup, o sheet.Options) {
	var sum float64
	for _, i := range x.Inits {
		sum += i.Ns
	}
	s.Para(sheet.Bold, "", fmt.Sprintf("The packages of %s take %s to initialise (medians of %s).", x.Main, words.Nanoseconds(sum), words.Plural(x.Starts, "start")))
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Right("time"), sheet.Left("range"), sheet.Right("bytes"), sheet.Right("allocs"), sheet.Left("package"))}
	for _, i := range some(x.Inits, o) {
		rows = append(rows, []sheet.Cell{
			sheet.Right(words.Nanoseconds(i.Ns)), sheet.Left("[" + words.Nanoseconds(i.Least) + ", " + words.Nanoseconds(i.Most) + "]"),
			sheet.Right(words.Bytes(i.Bytes)), sheet.Right(words.Count(i.Allocs)), sheet.Left(i.Pkg),
		})
	}
	s.Part()
	s.Table("  ", rows)
	s.Part()
	s.Para(sheet.Dim, "", "What a package of yours does there can wait until it is needed: pawl rules C41, pawl rules C42, and pawl find names the lines.")
}

func sizes(s *sheet.Sheet, x *model.Startup, o sheet.Options) {
	var sum float64
	for _, p := range x.Sizes {
		sum += p.Bytes
	}
	s.Para(sheet.Bold, "", fmt.Sprintf("The symbols of %s take %s in its file, of %s.", x.Main, words.Bytes(sum), words.Plural(len(x.Sizes), "package")))
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Right("bytes"), sheet.Right("share"), sheet.Left("package"), sheet.Left("pulled in by"))}
	for _, p := range some(x.Sizes, o) {
		rows = append(rows, []sheet.Cell{sheet.Right(words.Bytes(p.Bytes)), sheet.Right(words.Percent(p.Bytes / sum)), sheet.Left(p.Pkg), sheet.Left(importer(p.Path))})
	}
	s.Part()
	s.Table("  ", rows)
}

// importer is the way by which main imports a package, without the two ends.
func importer(path []string) string {
	if len(path) < 3 {
		return ""
	}
	return strings.Join(path[1:len(path)-1], " → ")
}
