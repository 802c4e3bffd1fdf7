package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// idleEnv makes the program end at once: the load starts it as a process that
// does nothing.
const idleEnv = "CAMPAIGN_IDLE"

func main() {
	if os.Getenv(idleEnv) != "" {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(1)
	}
}

// A settings is what the flags say; verbs use what concerns them.
type settings struct {
	work, results, load, subjects, pawl, gotool string
	effects                                     string
	seed                                        uint64
	n, power, duets, usual, equal, gates, units int
	out                                         string
	withParent, alone                           bool
	workers                                     int
	least                                       float64
	perBenchmark                                string
	stdout, stderr                              io.Writer
}

// A verb is one thing that the program does.
type verb struct {
	flags func(*flag.FlagSet, *settings)
	run   func(context.Context, *settings) error
}

var verbs = map[string]verb{
	"load":      {loadFlags, runLoad},
	"prepare":   {commonFlags, runPrepare},
	"calibrate": {calibrateFlags, runCalibrate},
	"aa":        {aaFlags, runAA},
	"same":      {sameFlags, runSame},
	"different": {differentFlags, runDifferent},
	"layout":    {layoutFlags, runLayout},
	"beside":    {besideFlags, runBeside},
	"gate":      {gateFlags, runGate},
	"overhead":  {overheadFlags, runOverhead},
	"replay":    {replayFlags, runReplay},
	"table":     {commonFlags, runTable},
	"keep":      {keepFlags, runKeep},
	"pictures":  {picturesFlags, runPictures},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errors.New("say what to do: prepare, calibrate, layout, beside, aa, same, different, gate, overhead, replay, table, keep, pictures or load; go doc ./internal/lab/campaign explains them")
	}
	v, ok := verbs[args[0]]
	if !ok {
		return fmt.Errorf("there is no verb %q; go doc ./internal/lab/campaign lists them", args[0])
	}
	s := &settings{stdout: stdout, stderr: stderr, gotool: "go"}
	fs := flag.NewFlagSet("campaign "+args[0], flag.ContinueOnError)
	fs.SetOutput(stderr)
	v.flags(fs, s)
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("%s takes no arguments, only flags: %s", args[0], strings.Join(fs.Args(), " "))
	}
	if err := s.paths(); err != nil {
		return err
	}
	return v.run(ctx, s)
}

func commonFlags(f *flag.FlagSet, s *settings) {
	f.StringVar(&s.work, "work", "", "the work `directory`; pawl-campaign in the user's cache directory by default")
	f.StringVar(&s.results, "results", "", "the `file` of results; results.jsonl in the work directory by default")
	f.StringVar(&s.subjects, "subjects", "", "only these subjects, by their short `names`, with commas")
}

func measureFlags(f *flag.FlagSet, s *settings) {
	commonFlags(f, s)
	f.StringVar(&s.load, "load", "2x", "the load while measuring: `N`x for N workers, or none")
	f.Uint64Var(&s.seed, "seed", 1, "what every choice follows from")
	f.StringVar(&s.pawl, "pawl", "", "a built pawl; the one of this source by default")
	f.BoolVar(&s.alone, "alone", false, "pawl alone, without benchstat beside it")
	f.StringVar(&s.perBenchmark, "per-benchmark", "30s", "pawl's flag of this name")
}

func aaFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.n, "n", 60, "comparisons of equals")
	f.IntVar(&s.power, "power", 12, "comparisons with an injected 5 % among them")
	f.IntVar(&s.equal, "equal", 1, "in every so many rounds, benchstat at equal CPU time; 0 for never")
	f.IntVar(&s.usual, "usual", 10, "in every so many rounds over the subjects, benchstat at 10 × 1 s too; 0 for never")
}

func sameFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.n, "n", 24, "comparisons of each effect")
	f.StringVar(&s.effects, "effects", "2,5", "the injected effects in `per cent`")
	f.IntVar(&s.usual, "usual", 4, "in every so many rounds over the subjects, benchstat at 10 × 1 s too; 0 for never")
	f.IntVar(&s.equal, "equal", 1, "in every so many rounds, benchstat at equal CPU time; 0 for never")
}

// differentFlags leaves out what the power of aa shows already.
func differentFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.n, "n", 12, "comparisons of each effect")
	f.StringVar(&s.effects, "effects", "2", "the injected effects in `per cent`")
	f.IntVar(&s.usual, "usual", 0, "in every so many rounds over the subjects, benchstat at 10 × 1 s too; 0 for never")
	f.IntVar(&s.equal, "equal", 2, "in every so many rounds, benchstat at equal CPU time; 0 for never")
}

func (s *settings) paths() error {
	if s.work == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("finding a place for the work directory: %w; name one with -work", err)
		}
		s.work = filepath.Join(cache, "pawl-campaign")
	}
	var err error
	if s.work, err = filepath.Abs(s.work); err != nil {
		return err
	}
	s.results = cmp.Or(s.results, filepath.Join(s.work, "results.jsonl"))
	return nil
}

func (s *settings) printf(format string, args ...any) { fmt.Fprintf(s.stderr, format+"\n", args...) }
