package main

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/claims"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/run/evidence"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/catalogue/gen"
	"github.com/pawl-dev/pawl/rules/rule"
)

const evidenceManual = `
Evidence runs the proof that each rule carries: the code that it finds and the
code that its fix makes of it, compared by a test and judged by a benchmark. It
uses this machine and the Go version that the current directory selects. It
prints what is claimed, what was measured, and a verdict:

  holds      the gain is there
  weaker     the gain is less than half of what is claimed
  not there  the gain is not there; pawl find demotes the rule for you
  undecided  the budget did not suffice
  failed     before and after do not behave the same, or do not run

Name rules by name or id, and the transformations of optimize by name
(docs/transformations.md); without any, all that have evidence are run.
The sources are part of pawl: it needs the go command, and no network. They are
built in a temporary directory, which is removed.

It exits with 0 when all gains are there, with 1 when one is not, with 3 when
the evidence of a rule failed or could not be run, and with 4 when one is
undecided.`

// A proving holds the flags of evidence.
type proving struct {
	chdir    string
	budget   time.Duration
	alpha    float64
	seed     uint64
	json     bool
	markdown bool
	quiet    bool
	merge    string
	color    string
}

func (p *proving) register(fs *flag.FlagSet) {
	fs.StringVar(&p.chdir, "C", "", "change to `dir` first: its module selects the Go version")
	spanFlag(fs, &p.budget, "budget", 30*time.Minute, "`time` of the whole run; rules that are not reached are undecided")
	alphaFlag(fs, &p.alpha, "all verdicts of the run together")
	fs.Uint64Var(&p.seed, "seed", 0, "`seed` of the coin flips; 0 draws one")
	fs.BoolVar(&p.json, "json", false, "print JSON instead of a table")
	fs.BoolVar(&p.markdown, "markdown", false, "print Markdown, as in docs/evidence.md, instead of a table")
	fs.StringVar(&p.merge, "merge", "", "print the Markdown of runs that -json wrote, as `FILE,FILE`, by Go version; nothing is measured")
	fs.BoolVar(&p.quiet, "q", false, "no progress on stderr")
	colorFlag(fs, &p.color)
}

func (p *proving) check() error {
	if p.json && (p.markdown || p.merge != "") {
		return usageError("-json and -markdown are two forms of one report, and -merge prints the second: give one of them")
	}
	return nil
}

func runEvidence(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var p proving
	operands, err := v.read(e, p.register, args)
	if err != nil {
		return 0, err
	}
	if err := p.check(); err != nil {
		return 0, err
	}
	rules, err := chosen(operands)
	if err != nil {
		return 0, err
	}
	if p.merge != "" {
		return exitOK, p.merged(e, rules)
	}
	dir, err := changeDir(e, p.chdir)
	if err != nil {
		return 0, err
	}
	cache, err := cacheDir()
	if err != nil {
		return 0, err
	}
	opt := evidence.Options{
		Tool: version(), Args: args, Dir: dir, Env: e.environ, CacheDir: cache, Budget: p.budget, Alpha: p.alpha, Seed: seed(p.seed), Now: e.now,
	}
	progress := newProgress(e, p.quiet, p.color, p.budget)
	if progress != nil {
		opt.Watch = progress
	}
	rep, err := evidence.Run(ctx, rules, opt)
	progress.Done()
	if err != nil && len(rep.Results) == 0 {
		return 0, err
	}
	if perr := p.print(e, rules, rep); perr != nil {
		return 0, perr
	}
	return evidenceCode(rep), err
}

// chosen returns the rules and transformations that are named, each once; all
// without a name.
func chosen(names []string) ([]rule.Rule, error) {
	transformations := propose.Catalogue()
	var out []rule.Rule
	var rest []string
	for _, name := range names {
		i := slices.IndexFunc(transformations, func(r rule.Rule) bool { return strings.EqualFold(r.Name, name) })
		if i < 0 {
			rest = append(rest, name)
			continue
		}
		out = append(out, transformations[i])
	}
	var entries []catalogue.Entry
	if len(rest) > 0 || len(names) == 0 {
		var err error
		if entries, err = named(rest); err != nil {
			return nil, err
		}
	}
	for _, entry := range entries {
		out = append(out, entry.Rule)
	}
	if len(names) == 0 {
		out = append(out, transformations...)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(r rule.Rule) bool {
		twice := seen[r.Name]
		seen[r.Name] = true
		return twice
	}), nil
}

func named(names []string) ([]catalogue.Entry, error) {
	all := gen.Sorted(catalogue.All())
	if len(names) == 0 {
		return all, nil
	}
	var out []catalogue.Entry
	for _, name := range names {
		found, err := gen.Find(all, name)
		if err != nil {
			return nil, testbed.Usage(err.Error())
		}
		out = append(out, found...)
	}
	return out, nil
}

// merged prints the page of runs that are in files.
func (p *proving) merged(e *env, rules []rule.Rule) error {
	var runs []*model.Evidence
	for _, name := range strings.Split(p.merge, ",") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.dir, name)
		}
		rep, err := evidence.ReadReport(name)
		if err != nil {
			return err
		}
		runs = append(runs, rep)
	}
	return claims.NewPage(evidence.Claims(rules), runs...).WriteMarkdown(e.stdout)
}

func (p *proving) print(e *env, rules []rule.Rule, rep *model.Evidence) error {
	switch {
	case p.json:
		return data.JSON(e.stdout, rep)
	case p.markdown:
		return claims.NewPage(evidence.Claims(rules), rep).WriteMarkdown(e.plain())
	}
	o := e.view(p.color, e.outTTY)
	return claims.Text(e.plain(), rep, sheet.Options{Width: o.Width, ASCII: o.ASCII})
}

// evidenceCode is the exit code of a run. A gain that is not there is a finding
// however much else is open.
func evidenceCode(rep *model.Evidence) int {
	switch {
	case rep.Count(model.EvidenceNotThere) > 0:
		return exitFindings
	case rep.Count(model.EvidenceFailed) > 0, rep.Stopped == "interrupted":
		return exitFailed
	case rep.Count(model.EvidenceUndecided) > 0:
		return exitUndecided
	}
	return exitOK
}
