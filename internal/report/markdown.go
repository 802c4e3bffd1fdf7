package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Markdown writes the end of a run in a few lines, for a pull request or a
// chat: one table and the list of what was tried.
func Markdown(w io.Writer, r *model.Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", escape(summary(r)))
	if len(r.Results) > 0 {
		b.WriteString("\n| in this benchmark | before | after | change | interval |\n|---|--:|--:|--:|---|\n")
	}
	for _, res := range r.Results {
		for _, f := range rows(res) {
			fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s |\n", escape(res.Benchmark.String()), f.Label, f.Before, f.After, f.Change, f.Interval)
		}
	}
	if len(r.Attempts) > 0 {
		b.WriteByte('\n')
	}
	many := severalBenchmarks(r.Attempts)
	for _, a := range r.Attempts {
		mark := "✗"
		if a.Outcome == model.Kept {
			mark = "✓"
		}
		fmt.Fprintf(&b, "- %s %s: %s\n", mark, escape(a.Change.Title), escape(outcome(a, many)))
	}
	fmt.Fprintf(&b, "\n%s\n", escape(strings.Join([]string{r.Env.GoVersion, r.Env.GOOS + "/" + r.Env.GOARCH, machine(r.Env)}, ", ")))
	if r.Replay != "" {
		// Indented code cannot be closed from inside, as a fence could.
		fmt.Fprintf(&b, "\nReplay:\n\n    %s\n", clean(r.Replay))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

// markup keeps Markdown from reading names and messages as markup.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "&", "&amp;", "#", `\#`, "~", `\~`, "$", `\$`)

func escape(s string) string { return markup.Replace(clean(s)) }
