package runs

import (
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
)

// Markdown writes the end of a run in a few lines, for a pull request or a
// chat: one table and the list of what was tried.
func Markdown(w io.Writer, r *model.Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", quote.Markdown(summary(r)))
	if len(r.Results) > 0 {
		b.WriteString("\n| in this benchmark | before | after | change | interval |\n|---|--:|--:|--:|---|\n")
	}
	for _, res := range shownResults(r) {
		for _, f := range figure.Rows(res) {
			fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s |\n", quote.Markdown(res.Benchmark.String()), f.Label, f.Before, f.After, f.Change, f.Interval)
		}
	}
	if len(r.Attempts) > 0 {
		b.WriteByte('\n')
	}
	many := severalBenchmarks(r.Attempts)
	for _, a := range r.Attempts {
		fmt.Fprintf(&b, "- %s %s: %s\n", Mark(a.Outcome), quote.Markdown(a.Change.Title), quote.Markdown(told(a, many)))
	}
	fmt.Fprintf(&b, "\n%s\n", quote.Markdown(strings.Join([]string{r.Env.GoVersion, r.Env.GOOS + "/" + r.Env.GOARCH, figure.Machine(r.Env)}, ", ")))
	if r.Replay != "" {
		// Indented code cannot be closed from inside, as a fence could.
		fmt.Fprintf(&b, "\nReplay:\n\n    %s\n", quote.Line(r.Replay))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}
