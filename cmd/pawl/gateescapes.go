package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/compare"
	"github.com/pawl-dev/pawl/internal/words"
)

// newly adds to a comparison what the compiler reports of the branch and not of its base.
// It stops no merge: what is measured decides. Where the compiler cannot be asked, a
// warning says so.
func newly(ctx context.Context, e *env, opt compare.Options, c *model.Comparison) {
	o := find.Options{Dir: opt.Dir, Patterns: opt.Patterns, Env: append(slices.Clone(e.environ), "PWD="+opt.Dir)}
	base, err := find.BaseOf(ctx, o, opt.Base)
	if err == nil {
		c.Escapes, err = find.Escapes(ctx, o, base)
	}
	switch {
	case err != nil:
		c.Warnings = append(c.Warnings, model.Warning{
			Seen: "-escapes: what the compiler newly reports is not known: " + err.Error(), Cause: "the packages or those of the base do not build alone", Try: "go build ./...",
		})
	case len(c.Escapes.Findings) > 0:
		c.Escapes.Tool = version()
		first := c.Escapes.Findings[0]
		c.Warnings = append(c.Warnings, model.Warning{
			Seen:  fmt.Sprintf("the compiler newly reports %s, first %s:%d: %s", words.Plural(len(c.Escapes.Findings), "place"), first.At.File, first.At.Line, first.Message),
			Cause: "the branch puts on the heap, checks or no longer inlines what its base did not",
			Try:   "pawl find -escapes lists them all",
		})
	}
}
