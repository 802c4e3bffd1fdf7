package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/judge"
)

// warmStarts are the first pairs of starts, which read the files from the disk and
// do not count.
const warmStarts = 2

// mostStarts bounds the pairs: starts are short, and vary more than benchmarks.
const mostStarts = 500

// versions judges the start of the program at bin against that of another commit. A
// pair is a start of each, in an order that a coin decides.
func (s starter) versions(ctx context.Context, ref, main, bin string) (*model.StartVersions, error) {
	commit, err := tree.Resolve(ctx, s.bed.Place, ref)
	if err != nil {
		return nil, testbed.Usagef("-base: %v", err)
	}
	at, err := s.bed.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	base := filepath.Join(s.bed.Scratch, "base")
	s.opt.Watch.Stage("building", main+" at "+ref)
	if err := at.Go.BuildProgram(ctx, main, base, gocmd.BuildOpts{}); err != nil {
		return nil, err
	}
	out := &model.StartVersions{Base: ref, Commit: commit}
	rules := verdict.Rules{Judge: judge.RegressRules(), OwnLayout: true, AnySlowdown: true, Floor: s.opt.MinEffect}
	rules.Judge.Alpha, rules.Judge.MinEffect, rules.Judge.MaxUnits = s.opt.Alpha, s.opt.MinEffect, mostStarts
	series, coin := verdict.NewSeries(rules), rand.New(rand.NewPCG(s.opt.Seed, 0))
	var times [2][]float64
	for n := 0; !series.Enough() && (n <= warmStarts || s.opt.Now().Sub(s.out.Started) < s.opt.Budget); n++ {
		s.opt.Watch.Stage("starting both", strconv.Itoa(n))
		var took [2]time.Duration
		first := coin.IntN(2)
		for _, side := range []int{first, 1 - first} {
			if took[side], err = s.answered(ctx, []string{base, bin}[side]); err != nil {
				return nil, err
			}
		}
		if n < warmStarts {
			continue
		}
		if err := series.Add(math.Log(took[1].Seconds() / took[0].Seconds())); err != nil {
			return nil, fmt.Errorf("the time to start: %w", err)
		}
		for side := range times {
			times[side] = append(times[side], float64(took[side]))
		}
	}
	a := series.Answer(model.Benchmark{Name: "start"}, "start", false)
	r := rules.Read(verdict.Evidence{Times: []verdict.Answer{a}})
	out.Before, out.After = verdict.Median(times[0]), verdict.Median(times[1])
	out.Verdict, out.Standing, out.Why = a.Verdict, r.Standing, r.Why
	return out, nil
}

// answered starts a program and returns how long it took until its first answer: where
// its arguments name {addr} or {port}, a byte that comes back to an HTTP request
// there; else its own end.
func (s starter) answered(ctx context.Context, bin string) (time.Duration, error) {
	args, addr, err := listening(s.args)
	if err != nil {
		return 0, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p := gocmd.Proc{Path: bin, Args: args, Dir: s.opt.Dir, Env: s.tree.Go.Env(), CPU: gocmd.NoCPU, Kind: gocmd.Measure, Limit: 1 << 20}
	start := time.Now()
	r, err := s.bed.Meter.Start(limited, p)
	if err != nil {
		return 0, err
	}
	var took time.Duration
	if addr != "" {
		if took = waitFor(limited, addr, start); took > 0 {
			cancel()
		}
	}
	e, err := r.Wait()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case took > 0:
		return took, nil
	case addr != "":
		return 0, fmt.Errorf("the program gave no answer at %s within %v: %s", addr, patience, lastLine(e))
	case limited.Err() != nil:
		return 0, testbed.Usagef("the program does not end within %v: write {addr} or {port} where its arguments say what it listens on", patience)
	case err != nil:
		return 0, err
	case e.Code != 0:
		return 0, fmt.Errorf("the program exits with code %d: %s", e.Code, lastLine(e))
	}
	return time.Since(start), nil
}

// listening fills a free port into arguments that ask for one.
func listening(args []string) (filled []string, addr string, err error) {
	if !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "{addr}") || strings.Contains(a, "{port}") }) {
		return args, "", nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("looking for a free port: %w", err)
	}
	addr = l.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	fill := strings.NewReplacer("{addr}", addr, "{port}", port)
	for _, a := range args {
		filled = append(filled, fill.Replace(a))
	}
	return filled, addr, errors.Join(err, l.Close())
}

// again is how long to wait before the next try to reach a program: little beside what
// a start takes, and enough to leave it the processor.
const again = 200 * time.Microsecond

// waitFor returns when a program at addr answered, from start on; 0 where it did not.
func waitFor(ctx context.Context, addr string, start time.Time) time.Duration {
	var d net.Dialer
	for ctx.Err() == nil {
		c, err := d.DialContext(ctx, "tcp", addr)
		if err == nil {
			deadline, _ := ctx.Deadline()
			_ = c.SetDeadline(deadline)
			_, werr := c.Write([]byte("GET / HTTP/1.1\r\nHost: " + addr + "\r\nConnection: close\r\n\r\n"))
			n, rerr := c.Read(make([]byte, 1))
			_ = c.Close()
			if werr == nil && rerr == nil && n > 0 {
				return time.Since(start)
			}
		}
		time.Sleep(again)
	}
	return 0
}

// lastLine is what a program said last.
func lastLine(e gocmd.Exit) string {
	lines := strings.Split(strings.TrimSpace(string(e.Stderr)), "\n")
	return lines[len(lines)-1]
}
