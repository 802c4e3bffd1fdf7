package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// ClaimOptions say whose promises are looked for, and where.
type ClaimOptions struct {
	Run      *model.Run
	Root     string // of the rings
	Service  string // as in watch:SERVICE, with its labels
	Deployed time.Time
	Now      time.Time
	Tool     string
}

// claimAlpha is the probability that any of the intervals of a claim is wrong.
const claimAlpha = 0.05

// mostSide is how many captures of a version are read, the nearest to its deploy.
const mostSide = 1000

// A claim is a comparison of two versions, under way.
type claim struct {
	o        ClaimOptions
	r        request
	dir      string
	promises []worth.Promise
	out      *model.Claim
}

// Claim says whether what the kept changes of a run promised is there after their deploy.
// The error is one of usage, or says why nothing can be compared.
func Claim(ctx context.Context, o ClaimOptions) (*model.Claim, error) {
	r, all, err := stored(o.Root, scheme+strings.TrimPrefix(o.Service, scheme), o.Now)
	if err != nil {
		return nil, err
	}
	c := &claim{o: o, r: r, dir: Dir(o.Root, r.name), out: &model.Claim{
		Schema: model.SchemaVersion, Tool: o.Tool, Run: o.Run.ID, Service: r.name, Alpha: claimAlpha, Arrivals: []model.Arrival{},
	}}
	if err := c.promised(ctx); err != nil {
		return nil, err
	}
	before, after, err := c.part(all)
	if err != nil {
		return nil, err
	}
	if err := c.compare(ctx, before, after); err != nil {
		return nil, err
	}
	c.out.Verdict = overall(c.out)
	return c.out, nil
}

// promised reads what the kept changes promised.
func (c *claim) promised(ctx context.Context) error {
	own := func(bm model.Benchmark) (cpu, mem *profile.Profile) {
		read := func(kind string) *profile.Profile {
			p, err := profile.ReadFile(ctx, store.TakenProfile(c.o.Run.Dir, store.SetName(bm)+".base."+kind+".pprof"))
			if err != nil {
				return nil // it goes without, and says so
			}
			return p
		}
		return read("cpu"), read("mem")
	}
	for _, a := range c.o.Run.Last() {
		if !a.Outcome.Kept() {
			continue
		}
		p, warnings, err := worth.PromiseOf(a, own)
		if err != nil {
			c.out.Unpromised = append(c.out.Unpromised, model.ClaimedChange{ID: p.ID, Title: p.Title, Commit: p.Commit, Why: err.Error()})
			continue
		}
		c.promises = append(c.promises, p)
		c.out.Warnings = append(c.out.Warnings, warnings...)
	}
	switch {
	case len(c.promises) > 0:
		return nil
	case len(c.out.Unpromised) > 0:
		return fmt.Errorf("run %s promised nothing that profiles could show: %s", c.o.Run.ID, c.out.Unpromised[0].Why)
	}
	return fmt.Errorf("run %s kept no change: nothing was promised", c.o.Run.ID)
}

// A version is the captures of one build, or of one side of a deploy.
type version struct {
	build    string
	captures []ring.Capture
}

// part puts captures before and after the deploy: by its time, and else by the builds
// that their profiles name: the latest is the one that was deployed.
func (c *claim) part(all []ring.Capture) (before, after version, err error) {
	if !c.o.Deployed.IsZero() {
		c.out.Parted = "deployed"
		for _, x := range all {
			switch {
			case !x.Until.After(c.o.Deployed):
				before.captures = append(before.captures, x)
			case !x.From.Before(c.o.Deployed):
				after.captures = append(after.captures, x)
			}
		}
	} else if before, after, err = c.builds(all); err != nil {
		return before, after, err
	}
	for side, v := range map[string]version{"before": before, "after": after} {
		if len(v.captures) == 0 {
			return before, after, fmt.Errorf("nothing is kept of %s %s the deploy: pawl watch -list %[1]s shows from when to when it was captured", c.r.name, side)
		}
	}
	before.captures = before.captures[max(0, len(before.captures)-mostSide):]
	after.captures = after.captures[:min(mostSide, len(after.captures))]
	return before, after, nil
}

func (c *claim) builds(all []ring.Capture) (before, after version, err error) {
	c.out.Parted = "build"
	var versions []version
	for _, x := range all {
		build, err := c.build(x)
		if err != nil {
			return before, after, err
		}
		if build == "" {
			continue
		}
		i := slices.IndexFunc(versions, func(v version) bool { return v.build == build })
		if i < 0 {
			i = len(versions)
			versions = append(versions, version{build: build})
		}
		versions[i].captures = append(versions[i].captures, x)
	}
	n := len(versions)
	switch {
	case n == 0:
		return before, after, fmt.Errorf("the profiles of %s do not name their build (Go writes it since 1.24, on Linux): give the time of the deploy, -deployed 2006-01-02T15:04", c.r.name)
	case n == 1:
		return before, after, fmt.Errorf("all profiles of %s are of one build, %s: it was not deployed since, or was not watched before", c.r.name, versions[0].build)
	}
	return versions[n-2], versions[n-1], nil
}

// build is the program that the CPU profile of a capture names; "" where it names none.
func (c *claim) build(x ring.Capture) (string, error) {
	if x.Build != "" {
		return x.Build, nil
	}
	i := slices.IndexFunc(x.Profiles, func(p ring.Profile) bool { return p.Kind == cpuKind })
	if i < 0 {
		return "", nil
	}
	p, err := c.read(x.Profiles[i])
	if p == nil {
		return "", err
	}
	return p.Build(), nil
}

// read reads a profile without the samples that do not have the labels; nil where it has
// gone meanwhile or is damaged.
func (c *claim) read(p ring.Profile) (*profile.Profile, error) {
	m := merger{r: c.r, values: map[string]bool{}}
	if err := m.add(c.dir, p); err != nil || len(m.some) == 0 {
		return nil, err
	}
	var buf bytes.Buffer
	if err := m.some[0].Write(&buf); err != nil {
		return nil, err
	}
	return profile.Read(&buf)
}

// compare fills in what both versions show.
func (c *claim) compare(ctx context.Context, before, after version) error {
	cpu, err := c.accounts(ctx, before, after, "cpu", cpuKind)
	if err != nil {
		return err
	}
	c.out.Before, c.out.After = sideOf(before, cpu[0]), sideOf(after, cpu[1])
	if c.out.Before.Samples == 0 || c.out.After.Samples == 0 {
		return errors.New("the CPU profiles of one side have no samples: the service had no work, or no sample has these labels")
	}
	for _, typ := range []string{"cpu", "alloc_objects", "alloc_space"} {
		of := slices.DeleteFunc(slices.Clone(c.promises), func(p worth.Promise) bool { return p.Resource != typ })
		if len(of) == 0 {
			continue
		}
		by := cpu
		if typ != "cpu" {
			if by, err = c.accounts(ctx, before, after, typ, heapKind); err != nil {
				return err
			}
		}
		c.out.Arrivals = append(c.out.Arrivals, worth.Arrivals(of, by[0], by[1], claimAlpha, len(c.promises))...)
	}
	for i := range c.out.Arrivals {
		a := &c.out.Arrivals[i]
		a.CPUBefore, a.CPUAfter = cpu[0].ShareOf(a.Funcs), cpu[1].ShareOf(a.Funcs)
	}
	return nil
}

func (c *claim) accounts(ctx context.Context, before, after version, typ, kind string) (out [2]*worth.Account, err error) {
	for i, v := range []version{before, after} {
		out[i] = worth.NewAccount(c.promises, typ)
		for _, of := range chosen(v.captures, kind) {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			p, err := c.read(of.Profile)
			if err != nil {
				return out, err
			}
			if p == nil {
				continue
			}
			if err := out[i].Add(p, of.process); err != nil {
				return out, fmt.Errorf("%s profile of %s: %w", kind, c.r.name, err)
			}
		}
	}
	return out, nil
}

func sideOf(v version, cpu *worth.Account) model.ClaimSide {
	return model.ClaimSide{
		Build: v.build, From: v.captures[0].From, Until: v.captures[len(v.captures)-1].Until,
		Captures: cpu.Profiles(), Samples: cpu.Samples(),
	}
}

// overall is the verdict of all: one that did not arrive is enough, and one that is
// undecided leaves all so.
func overall(c *model.Claim) model.ClaimVerdict {
	has := func(v model.ClaimVerdict) bool {
		return slices.ContainsFunc(c.Arrivals, func(a model.Arrival) bool { return a.Verdict == v })
	}
	switch {
	case has(model.ClaimMissing):
		return model.ClaimMissing
	case has(model.ClaimUndecided):
		return model.ClaimUndecided
	}
	return model.ClaimArrived
}

// stored returns what a request asks for, and the captures that it is about.
func stored(root, text string, now time.Time) (request, []ring.Capture, error) {
	r, err := parseRequest(text)
	if err != nil {
		return r, nil, err
	}
	all, err := ring.Read(Dir(root, r.name))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil, testbed.Usagef("%s: nothing was kept of %s: pawl watch %[2]s=http://HOST:PORT/debug/pprof captures it", text, r.name)
	}
	return r, slices.DeleteFunc(all, func(c ring.Capture) bool {
		return c.Gap != "" || r.since > 0 && c.Until.Before(now.Add(-r.since))
	}), err
}
