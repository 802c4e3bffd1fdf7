// Package report turns the values that pawl works with into what people and
// programs read: text for a terminal, a short Markdown summary, JSON, a commit
// message, and one HTML page. It formats and never decides. Whether something
// is faster stands in the verdict, whether it was kept in the outcome, and the
// words here follow those fields even where the figures seem to say otherwise.
//
//	NewProgress    the line on standard error while pawl works
//	Plan           what costs, and what will be tried about it, before any edit
//	Text           the end of a run, made to be understood in ten seconds
//	Log, Story     earlier runs, and one of them
//	Markdown       the end of a run in a few lines, for a pull request
//	CommitMessage  one kept change, with its evidence in trailers
//	Comparison, ComparisonMarkdown, ComparisonJSON
//	               what compare or gate found: the answer on the first line
//	JSON           any of the values, for programs
//	HTML           the whole run on one page that needs nothing else
//	DiagnosisText, DiagnosisHTML
//	               what profiles, runs, metrics and traces say about a program;
//	               the page has pictures of it and flame graphs
//
// # Rules of the text
//
// Figures have three digits and the unit that fits them: ns, µs, ms; B, KiB,
// MiB. Changes carry their sign. An interval stands in brackets behind the
// change that it belongs to, and "exact" stands there for counts, which do not
// vary. Whatever is claimed is claimed "in this benchmark", for that is all
// that was measured.
//
// Text written elsewhere, by compilers, tests and file names, is shown without
// its control characters, so that no output of a tested program can move the
// cursor of the reader's terminal.
//
// # What the caller says
//
// Width, colour and the character set come in as Options. The package looks at
// no terminal and at no environment variable.
package report

// Options say what the reader's terminal can show.
type Options struct {
	Width int  // columns; 80 when zero, and never fewer than 40
	Color bool // ANSI colours
	ASCII bool // no characters beyond ASCII but those in the user's own names
}

const (
	defaultWidth = 80
	leastWidth   = 40
)

func (o Options) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, leastWidth)
}
