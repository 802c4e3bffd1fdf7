package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/guardrails"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/watched"
	"github.com/pawl-dev/pawl/internal/run/watch"
	"github.com/pawl-dev/pawl/internal/words"
)

const watchManual = `
Watch captures CPU, heap, goroutine, mutex and block profiles and the runtime's
metrics of programs that run, every -interval, and keeps them in a directory of
bounded size for each. It goes on for -for, or until it is interrupted. Restarts
of either side leave gaps, which are recorded.

A TARGET is the URL of a program's /debug/pprof, unix:/PATH of its socket, or a
directory in which something else leaves profiles; NAME= in front names it. The
metrics are beside the profiles, at /metrics, or at the URL after a comma.

	pawl watch api=http://localhost:6060/debug/pprof
	pawl watch -interval 5m -seconds 30 api=unix:/run/api/admin.sock
	pawl watch api=http://localhost:6060,http://localhost:9090/metrics
	pawl watch k8s:shop/app=api:6060
	pawl watch 'pyroscope:http://localhost:4040?api'
	pawl watch -list

Pods are named as k8s:NAMESPACE/LABELS:PORT and reached by kubectl. A server of
profiles, pyroscope:URL?QUERY or parca:URL?QUERY, is asked for the sum of what
came since. -push also sends what is captured to Pyroscope. -overhead measures
what watching costs a program, in turns with a control.

	pawl watch -overhead -per http_requests_total api=http://localhost:6060

What was kept is a production profile for other verbs, as watch:NAME, or a part
of it: of the last hours, or by the labels that the program sets.

	pawl find -profile watch:api ./...
	pawl diagnose 'watch:api?since=2h&handler=/search'

-canary compares a new version with one that is to be as fast, while both do the
same kind of work: CPU time per unit of work, window by window, each judged by
what both did in it. The exit code is 0 where no slowdown that counts is left
possible, 1 where there is one, and 4 where neither is shown in time.

	pawl watch -canary http://new:6060 -baseline http://old:6060 -per http_requests_total -for 10m

-claim says, after a deploy, whether the gain is there that the kept changes of
a run promised: 0 where it arrived, 1 where it did not, 4 where neither is
shown.

	pawl watch -claim latest api

-rules prints recording and alert rules of Prometheus for the runtime, by what
the program at TARGET exports, and -dashboard a Grafana dashboard of them.

	pawl watch -rules http://localhost:6060 >go.rules.yml`

// A watching holds the flags of watch.
type watching struct {
	watch.Options
	judged    watch.CanaryOptions
	canary    string
	baseline  string
	root      string
	size      int
	tokenEnv  string
	tokenFile string
	list      bool
	rules     bool
	dashboard bool
	json      bool
	overhead  bool
	push      string
	pushEnv   string
	claim     string
	deployed  string
	verbose   bool
	color     string
}

func (g *watching) register(fs *flag.FlagSet) {
	fs.DurationVar(&g.For, "for", 0, "`time` to watch; until an interrupt when 0")
	spanFlag(fs, &g.Interval, "interval", time.Minute, "`time` from one capture to the next")
	fs.IntVar(&g.Seconds, "seconds", 10, "`how long` each CPU profile takes")
	fs.IntVar(&g.size, "size", 256, "`MiB` that are kept of each service; the oldest make room")
	fs.StringVar(&g.root, "dir", "", "keep captures below `dir`, by service; pawl/watch in your cache directory without it")
	fs.StringVar(&g.tokenEnv, "token-env", "", "send the token in this `variable` of the environment as Authorization: Bearer")
	fs.StringVar(&g.tokenFile, "token-file", "", "send the token in this `file`")
	fs.BoolVar(&g.list, "list", false, "show what is kept, of the services that are named or of all")
	fs.BoolVar(&g.rules, "rules", false, "print Prometheus rules for the runtime of the program at the one TARGET, by what it exports")
	fs.BoolVar(&g.dashboard, "dashboard", false, "print a Grafana dashboard of what -rules records")
	fs.BoolVar(&g.json, "json", false, "print JSON (docs/json.md)")
	fs.StringVar(&g.canary, "canary", "", "judge the new version at this `target` against -baseline")
	fs.StringVar(&g.baseline, "baseline", "", "the `target` that -canary is to be as fast as")
	fs.StringVar(&g.judged.Per, "per", "", "of -canary and -overhead: the `counter` of work on the page of metrics, as in http_requests_total; without it CPU time per second, at equal load")
	spanFlag(fs, &g.judged.Window, "window", 10*time.Second, "of -canary: `how long` both are looked at for one ratio, in whole seconds")
	alphaFlag(fs, &g.judged.Alpha, "a verdict of pass or fail of -canary")
	effectFlag(fs, &g.judged.MinEffect, 0.03, "of -canary: smallest `slowdown` that must not pass")
	g.judged.Tolerated = 0.006
	fs.Var(part{&g.judged.Tolerated, 1, "; 0.006 is 0.6 per cent"}, "tolerate", "of -canary: how far two processes of one version may lie `apart`: fail is above it, and pass is that much below -min-effect")
	fs.StringVar(&g.judged.Since, "since", "", "of -canary: say which of the functions that differ were changed in the module here since this `commit`, the one of the baseline")
	fs.BoolVar(&g.overhead, "overhead", false, "measure what watching costs the program at the one TARGET per unit of work (-per), in turns with a control")
	fs.StringVar(&g.push, "push", "", "also send what is captured to the Pyroscope server at this `URL`")
	fs.StringVar(&g.pushEnv, "push-token-env", "", "of -push: send the token in this `variable` of the environment; as the password, where the URL names a user")
	fs.StringVar(&g.claim, "claim", "", "say whether what the kept changes of this `run` promised is there since the one SERVICE that was watched was deployed")
	fs.StringVar(&g.deployed, "deployed", "", "of -claim: the `time` of the deploy, as in 2006-01-02T15:04; by the builds that profiles name without it")
	verboseFlag(fs, &g.verbose)
	colorFlag(fs, &g.color)
}

func runWatch(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	var g watching
	fs := v.flags()
	g.register(fs)
	operands, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if g.Root, err = watchRoot(e, g.root); err != nil {
		return 0, err
	}
	switch {
	case g.list:
		return g.show(e, operands)
	case g.overhead:
		return g.costs(ctx, e, operands)
	case g.rules || g.dashboard:
		return g.guard(ctx, e, operands)
	case g.canary != "" || g.baseline != "":
		return g.judge(ctx, e, operands)
	case g.claim != "" || g.deployed != "":
		return g.arrived(ctx, e, operands)
	}
	if err := g.check(e, operands); err != nil {
		return 0, err
	}
	var names []string
	for _, t := range g.Targets {
		names = append(names, t.Name)
	}
	e.printf("pawl: watching %s every %v; what is kept is below %s\n", strings.Join(names, ", "), g.Interval, g.Root)
	g.Say = func(text string) { e.printf("pawl: %s\n", text) }
	start, before := e.now(), watch.OwnCPU()
	if err := watch.Run(ctx, g.Options); err != nil {
		return 0, err
	}
	if own := watch.OwnCPU() - before; own > 0 {
		e.printf("pawl: watching used %s %% of a core on this side\n", words.Three(100*own.Seconds()/e.now().Sub(start).Seconds()))
	}
	return g.show(e, names)
}

// guard prints rules, or the dashboard of what they record.
func (g *watching) guard(ctx context.Context, e *env, operands []string) (int, error) {
	token, err := g.token(e)
	switch {
	case err != nil:
		return 0, err
	case len(operands) != 1 || g.rules && g.dashboard:
		return 0, usageError("-rules and -dashboard need one TARGET, and print one of both")
	}
	t, err := watch.ParseTarget(operands[0], e.dir, token)
	if err != nil {
		return 0, err
	}
	rules, without, err := watch.Guardrails(ctx, t)
	if err != nil {
		return 0, err
	}
	if g.rules {
		return exitOK, guardrails.Write(e.data(), rules, without)
	}
	page, err := guardrails.Dashboard(rules)
	if err == nil {
		_, err = fmt.Fprintf(e.data(), "%s\n", page)
	}
	return exitOK, err
}

// check reads the targets, and says what cannot be.
func (g *watching) check(e *env, operands []string) error {
	token, err := g.token(e)
	switch {
	case err != nil:
		return err
	case len(operands) == 0:
		return usageError("watch needs a TARGET, such as api=http://localhost:6060/debug/pprof; pawl help watch")
	case g.Seconds < 1 || time.Duration(g.Seconds)*time.Second > g.Interval:
		return usageError("-seconds %d is not between 1 and the %v of -interval", g.Seconds, g.Interval)
	case g.size < 1:
		return usageError("-size %d is no size in MiB", g.size)
	case g.For < 0:
		return usageError("-for %v is no time", g.For)
	}
	if g.push != "" {
		if g.Sink, err = g.sink(e); err != nil {
			return err
		}
	}
	g.Size = int64(g.size) << 20
	names := map[string]bool{}
	for _, text := range operands {
		t, err := watch.ParseTarget(text, e.dir, token)
		if err != nil {
			return err
		}
		if names[t.Name] {
			return usageError("two targets are called %s: name them, as in %[1]s-2=TARGET", t.Name)
		}
		names[t.Name] = true
		g.Targets = append(g.Targets, t)
	}
	return nil
}

// sink is where captures are sent besides.
func (g *watching) sink(e *env) (watch.Sink, error) {
	token := ""
	if g.pushEnv != "" {
		if token = e.getenv(g.pushEnv); token == "" {
			return nil, usageError("-push-token-env %s: the variable is not set", g.pushEnv)
		}
	}
	return watch.NewSink(g.push, token)
}

// token is the one that is to be sent; it is not printed anywhere.
func (g *watching) token(e *env) (string, error) {
	switch {
	case g.tokenEnv != "" && g.tokenFile != "":
		return "", usageError("-token-env and -token-file are two places for one token")
	case g.tokenEnv != "":
		if t := e.getenv(g.tokenEnv); t != "" {
			return t, nil
		}
		return "", usageError("-token-env %s: the variable is not set", g.tokenEnv)
	case g.tokenFile != "":
		text, err := os.ReadFile(foreign.Path(e.dir, g.tokenFile))
		if err != nil {
			return "", usageError("-token-file: %v", err)
		}
		return strings.TrimSpace(string(text)), nil
	}
	return "", nil
}

// show prints what is kept of services.
func (g *watching) show(e *env, names []string) (int, error) {
	all, err := watch.Summaries(g.Root, names...)
	if err != nil {
		return 0, err
	}
	err = report(e, g, all, watched.Text)
	if !g.list && slices.ContainsFunc(all, func(w model.Watched) bool { return w.Captures == 0 }) {
		return exitFailed, err
	}
	return exitOK, err
}

// watchRoot is where captures are kept.
func watchRoot(e *env, named string) (string, error) {
	if named != "" {
		return foreign.Path(e.dir, named), nil
	}
	cache, err := cacheDir()
	return filepath.Join(cache, "pawl", "watch"), err
}

// An opened profile is a file, and the name that a user knows it by.
type opened struct {
	name, file string
	kept       bool // by watch: the file is not the user's
}

// open returns the files that names of profiles stand for: a file for itself, and what
// watch kept for one file of each kind that is wanted and there. The files are there until
// done is called.
func (e *env) open(ctx context.Context, names []string, kinds ...string) (all []opened, done func(), err error) {
	var scratch *gocmd.Scratch
	done = func() {
		if scratch != nil {
			_ = scratch.Remove() // the next pawl tries again
		}
	}
	for _, name := range names {
		if !watch.IsStored(name) {
			all = append(all, opened{name: name, file: foreign.Path(e.dir, name)})
			continue
		}
		if scratch == nil {
			if scratch, err = gocmd.NewScratch("", "watch"); err != nil {
				return nil, done, err
			}
		}
		root, err := watchRoot(e, "")
		if err != nil {
			return nil, done, err
		}
		dir := filepath.Join(scratch.Dir, fmt.Sprint(len(all)))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, done, err
		}
		files, err := watch.Stored(ctx, root, name, dir, e.now(), kinds...)
		if err != nil {
			return nil, done, err
		}
		for _, f := range files {
			kind := strings.TrimSuffix(f[strings.LastIndexByte(f, '-')+1:], ".pprof")
			all = append(all, opened{name + " " + kind, f, true})
		}
	}
	return all, done, nil
}
