package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/scores"
	"github.com/pawl-dev/pawl/internal/run/score"
)

const scoreManual = `
Score takes a corpus of commits that made real programs faster and measures what
pawl makes of each. Is the line that upstream changed among the first of the
plan, and for the right reason? How much does optimize gain unattended, compared
with upstream? Which verdict does try give on upstream's fix? Does the result
pass the tests that came with the fix?

The commits come from git mirrors in the directory that -mirrors names (bare
repositories, as github.com/owner/name.git, owner+name/repo and the like), or
from module versions where a row names them. Nothing in the mirrors is written.
docs/score.md lists the columns of a corpus.

Each row is saved when it is scored. After an interrupt, -resume goes on with
the other rows; of the row that was interrupted it keeps the verdict on
upstream's fix. Rows that could not be scored are tried again.

It exits with 0 when every row was scored and every verdict is acceptable, with
1 when one is not, or something kept broke a test, with 2 for a file that is no
corpus, and with 3 when no row could be scored.`

// A scoring holds the flags of score.
type scoring struct {
	measuring
	mirrors  string
	rows     string
	keep     string
	resume   bool
	json     bool
	markdown bool
}

func (s *scoring) register(fs *flag.FlagSet) {
	fs.StringVar(&s.mirrors, "mirrors", "", "`dir` of the git mirrors")
	fs.StringVar(&s.rows, "rows", "", "score the rows with these `ids` only, with commas")
	spanFlag(fs, &s.budget, "budget", 3*time.Minute, "`time` of optimize in a row, and of try")
	alphaFlag(fs, &s.alpha, "all claims of a row together")
	fs.BoolVar(&s.short, "short", true, "run the tests with -short; whole suites of -short=false may take long")
	fs.StringVar(&s.keep, "keep", "", "leave the checkouts in `dir`, for a closer look")
	fs.BoolVar(&s.resume, "resume", false, "go on with the last run on this corpus: rows that it has scored with the same flags are not scored again")
	s.measuring.register(fs, 20*time.Second)
	fs.BoolVar(&s.json, "json", false, "print JSON instead of text")
	fs.BoolVar(&s.markdown, "markdown", false, "print Markdown, as in docs/score.md, instead of text")
}

func (s *scoring) check() error {
	switch {
	case s.mirrors == "":
		return usageError("score needs -mirrors DIR: the directory of the git mirrors of the corpus' repositories")
	case s.json && s.markdown:
		return usageError("-json and -markdown are two forms of one report: give one of them")
	}
	return nil
}

func runScore(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var s scoring
	operands, err := v.read(e, s.register, args)
	if err != nil {
		return 0, err
	}
	if len(operands) != 1 {
		return 0, usageError("score needs one corpus: pawl score -mirrors DIR CORPUS.tsv")
	}
	if err := s.check(); err != nil {
		return 0, err
	}
	rows, opt, err := s.options(ctx, e, operands[0])
	if err != nil {
		return 0, err
	}
	opt.Args = args
	progress := newProgress(e, s.quiet, s.color, 0)
	if progress != nil {
		opt.Watch = progress
		opt.Done = func(r model.Scored) {
			progress.Done()
			_ = scores.Row(e.stderr, r, e.view(s.color, e.errTTY)) // progress; the same comes on stdout
		}
	}
	sc, err := score.Run(ctx, rows, opt)
	progress.Done()
	if sc == nil {
		return 0, err
	}
	if perr := s.print(e, sc); perr != nil {
		return 0, perr
	}
	if errors.Is(err, score.ErrNothing) {
		return exitFailed, err
	}
	return scoreCode(sc), err
}

// options reads the corpus and says what is to be done with it.
func (s *scoring) options(ctx context.Context, e *env, corpus string) ([]score.Row, score.Options, error) {
	name := foreign.Path(e.dir, corpus)
	f, err := foreign.Open(ctx, name)
	if err != nil {
		return nil, score.Options{}, usageError("%v", err)
	}
	defer f.Close()
	rows, err := score.ReadCorpus(f)
	if err != nil {
		return nil, score.Options{}, usageError("%s: %v", corpus, err)
	}
	mirrors := foreign.Path(e.dir, s.mirrors)
	if fi, err := os.Stat(mirrors); err != nil || !fi.IsDir() {
		return nil, score.Options{}, usageError("-mirrors %s is not a directory", s.mirrors)
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, score.Options{}, err
	}
	opt := score.Options{
		Tool: version(), Corpus: name, Resume: s.resume, Mirrors: mirrors, Budget: s.budget, PerChange: s.perChange,
		Alpha: s.alpha, MinEffect: s.minEffect, Timeout: s.timeout, Short: s.short, Seed: seed(s.seed), Sandbox: s.sandbox.config(),
		Env: e.environ, CacheDir: cache, Now: e.now,
	}
	if s.rows != "" {
		opt.Only = strings.Split(s.rows, ",")
	}
	if s.keep != "" {
		opt.Keep = foreign.Path(e.dir, s.keep)
		if err := os.MkdirAll(opt.Keep, 0o700); err != nil {
			return nil, opt, usageError("-keep: %v", err)
		}
	}
	return rows, opt, nil
}

func (s *scoring) print(e *env, sc *model.Score) error {
	switch {
	case s.json:
		return data.JSON(e.stdout, sc)
	case s.markdown:
		return scores.Markdown(e.stdout, sc)
	}
	return scores.Text(e.stdout, sc, e.view(s.color, e.outTTY))
}

func scoreCode(sc *model.Score) int {
	code := exitOK
	for _, r := range sc.Rows {
		if r.Failed == "" && (!r.Accepted || r.Broken != "") {
			return exitFindings
		}
	}
	if sc.Stopped != "" {
		return exitFailed
	}
	return code
}
