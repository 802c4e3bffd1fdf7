package main

import (
	"context"
	"flag"
)

const tuneManual = `
Tune tries settings of the build and of the runtime by measurement: see -try,
-pgo, -like, -startup and -size.
` + tryingManual

// A tuning holds the flags that all that tune does have in common.
type tuning struct {
	chdir   string
	json    bool
	html    string
	quiet   bool
	verbose bool
	color   string
}

func (t *tuning) register(fs *flag.FlagSet) {
	fs.StringVar(&t.chdir, "C", "", "change to `dir` first")
	fs.BoolVar(&t.json, "json", false, "print JSON instead of a table")
	fs.StringVar(&t.html, "html", "", "write what was found as one HTML page into `file`")
	fs.BoolVar(&t.quiet, "q", false, "no progress on stderr")
	verboseFlag(fs, &t.verbose)
	colorFlag(fs, &t.color)
}

func runTune(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var t tuning
	fs := v.flags(e)
	t.register(fs)
	x := experiments(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if run := x.mode(); run != nil {
		return run(ctx, e, t, args, operands)
	}
	return 0, usageError("tune needs one of -try, -pgo, -pgo-check, -like, -startup and -size; pawl help tune")
}
