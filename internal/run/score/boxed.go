package score

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// meter returns one whose go command compiles in a sandbox, where there is to be
// one, and writes there below scratch and to the build cache. It ends with ctx.
func (s *session) meter(ctx context.Context, scratch, module string) (*gocmd.Meter, error) {
	m := gocmd.NewMeter(time.Now())
	if s.opt.Sandbox == nil {
		return m, nil
	}
	vars, err := gocmd.Settings(ctx, module, s.opt.Env)
	if err != nil {
		return nil, err
	}
	box := *s.opt.Sandbox
	box.Env, box.Cache = s.opt.Env, vars["GOCACHE"]
	box.Writable = append(slices.Clone(box.Writable), scratch)
	box.Readable = append(slices.Clone(box.Readable), vars["GOROOT"], vars["GOMODCACHE"])
	in, err := gocmd.OpenSandbox(ctx, box)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = in.Close() })
	m.Confine(in, in)
	return m, nil
}

// goTest runs go test. In a sandbox that is on a copy of the checkout, with a
// build cache of its own: what tests leave in either is read by nobody outside.
func (c *checkout) goTest(ctx context.Context, args []string) (e gocmd.Exit, err error) {
	if c.sandbox == nil {
		return c.go_.Run(ctx, gocmd.Test, args...)
	}
	dir := filepath.Join(c.scratch, "boxed")
	cache := filepath.Join(filepath.Dir(c.scratch), "cache") // one for all rows
	if err := errors.Join(gocmd.RemoveAll(dir), os.MkdirAll(cache, 0o700), copyTree(filepath.Join(dir, "tree"), c.dir)); err != nil {
		return e, fmt.Errorf("copying the checkout for its tests: %w", err)
	}
	defer func() { err = errors.Join(err, gocmd.RemoveAll(dir)) }()
	rel, err := filepath.Rel(c.dir, c.module)
	if err != nil {
		return e, err
	}
	box := *c.sandbox
	box.Env, box.Cache = c.env, cache
	box.Writable = append(slices.Clone(box.Writable), dir)
	box.Readable = append(slices.Clone(box.Readable), c.go_.Vars["GOROOT"], c.go_.Vars["GOMODCACHE"], filepath.Join(c.scratch, "state"))
	in, err := gocmd.OpenSandbox(ctx, box)
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	m := gocmd.NewMeter(time.Now())
	m.Confine(in, in)
	g, err := gocmd.New(ctx, gocmd.Config{Dir: filepath.Join(dir, "tree", rel), Env: c.env, GOWORK: c.gowork(filepath.Join(dir, "tree")), State: filepath.Join(dir, "state"), Meter: m})
	if err != nil {
		return e, err
	}
	return g.Run(ctx, gocmd.Test, args...)
}
