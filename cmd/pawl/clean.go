package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

const cleanManual = `
Clean lists and removes what pawl has left of its work on this module, with its
size: the copy of the tree in your cache directory, caches, and what a kill
left: temporary directories, half-written files, locks of pawl's branches, and
directories of runs that ended before they began.

-runs adds the directories of runs with samples, profiles, reports and patches.
-branches adds pawl's branches that were merged, and -journal the journal, which
knows what was refuted. Clean touches nothing that a running pawl uses, and
nothing of yours.`

func runClean(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	dry := fs.Bool("n", false, "only list what would be removed")
	chdir := fs.String("C", "", "change to `dir` first")
	opt := testbed.CleanOptions{}
	runs := fs.String("runs", "", "also the directories of runs that are older than this `age`, like 30d or 12h; all for 0")
	fs.BoolVar(&opt.All, "all", false, "the copies of all modules' trees, not only of this one's")
	fs.BoolVar(&opt.Branches, "branches", false, "also pawl's branches that were merged")
	fs.BoolVar(&opt.Journal, "journal", false, "also the journal: what was refuted will be tried again")
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if len(operands) > 0 {
		return 0, usageError("clean takes no operands; -C names another module's directory")
	}
	if *runs != "" {
		age, err := parseAge(*runs)
		if err != nil {
			return 0, usageError("-runs %q: %v", *runs, err)
		}
		opt.Runs, opt.Before = true, e.now().Add(-age)
	}
	if opt.Dir, err = changeDir(e, *chdir); err != nil {
		return 0, err
	}
	if opt.CacheDir, err = cacheDir(); err != nil {
		return 0, err
	}
	left, tidy, err := testbed.Leftovers(ctx, opt)
	if err != nil {
		return 0, err
	}
	listLeftovers(e.plain(), left, *dry)
	if *dry {
		return exitOK, nil
	}
	for _, l := range left {
		err = errors.Join(err, l.Remove(ctx))
	}
	if err != nil {
		return 0, err
	}
	return exitOK, tidy()
}

// listLeftovers prints what there is, how much, and what stays and why.
func listLeftovers(w io.Writer, left []testbed.Leftover, dry bool) {
	var total int64
	gone := 0
	for _, l := range left {
		what := "remove"
		switch {
		case l.Stays:
			what = "keep"
		case dry:
			what = "would remove"
		}
		line := fmt.Sprintf("%s %s %s", what, l.What, l.Path)
		if strings.HasPrefix(l.What, "run ") {
			line = fmt.Sprintf("%s %s", what, l.What)
		}
		if l.Bytes > 0 {
			line += ", " + bytesText(l.Bytes)
		}
		if l.Note != "" {
			line += " (" + l.Note + ")"
		}
		fmt.Fprintln(w, line)
		if !l.Stays {
			total += l.Bytes
			gone++
		}
	}
	if gone == 0 {
		fmt.Fprintln(w, "nothing to remove")
		return
	}
	fmt.Fprintf(w, "%s in all\n", bytesText(total))
}

// bytesText prints a size with the unit that keeps it below a thousand.
func bytesText(n int64) string {
	x := float64(n)
	for _, unit := range []string{"B", "kB", "MB"} {
		if x < 999.5 {
			return fmt.Sprintf("%.3g %s", x, unit)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.3g GB", x)
}

// parseAge reads a duration, in days too.
func parseAge(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || n < 0 {
			return 0, errors.New("not a number of days")
		}
		return time.Duration(n * float64(24*time.Hour)), nil
	}
	if text == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = errors.New("an age is not negative")
	}
	return d, err
}
