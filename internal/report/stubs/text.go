package stubs

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Text says in some lines what the benchmark runs and what is proven of it.
func Text(s model.Stub) string {
	var b strings.Builder
	p := s.Proof
	fmt.Fprintf(&b, "proven: %s runs %d of %d lines of %s in its timed part", s.Benchmark, p.Timed, p.Lines, s.Func)
	if p.Line != "" {
		fmt.Fprintf(&b, ", and %s (in %s)", p.Line, p.By)
	}
	recorded := "1 was"
	if n := s.Recorded.Inputs; n != 1 {
		recorded = fmt.Sprintf("%d different ones were", n)
	}
	fmt.Fprintf(&b, "\ninputs: %s recorded in the tests of %s", recorded, s.Recorded.Tests)
	if s.Recorded.Failed > 0 {
		fmt.Fprintf(&b, ", %d of them of calls that failed", s.Recorded.Failed)
	}
	for _, in := range s.Inputs {
		fmt.Fprintf(&b, "\n  %-8s %s", in.Name, size(in.Bytes))
		if in.Copied {
			b.WriteString(", a fresh copy in each iteration")
		}
		if in.Failed != "" {
			fmt.Fprintf(&b, ", ends with an %s", in.Failed)
		}
	}
	for _, n := range s.Notes {
		b.WriteString("\nnote: " + n)
	}
	for _, w := range s.Warnings {
		b.WriteString("\nwarning: " + w.Seen)
	}
	b.WriteString("\nread the inputs before you publish them: they come from tests, which may hold what is private, and may not be like those of production\n")
	return b.String()
}

func size(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
