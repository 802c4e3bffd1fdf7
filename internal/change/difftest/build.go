package difftest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/words"
)

// binaries are the test binaries of one package with both versions in it; ""
// stands for one that does not build.
type binaries struct{ plain, race string }

// Build builds the test binaries with the overlay. The tree must hold the
// candidate; Run works without it afterwards.
func (p *Plan) Build(ctx context.Context) error {
	if p.bins != nil {
		return nil
	}
	p.bins = make(map[string]binaries)
	if !p.drivable() || len(p.cfg.Tests) == 0 {
		return nil
	}
	merged := filepath.Join(p.cfg.Scratch, "overlay.json")
	if err := p.cfg.Go.MergeOverlay(merged, p.overlay); err != nil {
		return err
	}
	noRace := p.cfg.NoRace
	for _, pkg := range p.cfg.Tests {
		b, why, err := p.both(ctx, pkg, merged, noRace)
		switch {
		case err != nil:
			return err
		case b.plain == "":
			p.unbuilt = append(p.unbuilt, fmt.Sprintf("the tests of %s do not build with both versions: %s", pkg.ImportPath, why))
		default:
			noRace = b.race == ""
		}
		p.bins[pkg.ImportPath] = b
	}
	return nil
}

// both builds the test binaries of one package side by side: one build alone keeps no two
// processors busy.
func (p *Plan) both(ctx context.Context, pkg gocmd.Package, overlay string, noRace bool) (b binaries, why string, err error) {
	raced := make(chan error, 1)
	go func() {
		var err error
		if !noRace {
			b.race, _, err = p.build(ctx, pkg, overlay, true)
		}
		raced <- err
	}()
	plain, why, err := p.build(ctx, pkg, overlay, false)
	err = errors.Join(<-raced, err)
	if b.plain = plain; plain == "" {
		b.race = ""
	}
	return b, why, err
}

// build builds one test binary. Of one that does not build it says why.
func (p *Plan) build(ctx context.Context, pkg gocmd.Package, overlay string, race bool) (out, why string, err error) {
	name := strings.NewReplacer("/", "_", ".", "_").Replace(pkg.ImportPath) + ".test"
	if race {
		name = "race_" + name
	}
	p.cfg.detail("building " + pkg.ImportPath + " with both versions")
	out = filepath.Join(p.cfg.Scratch, name)
	err = p.cfg.Go.BuildTest(ctx, pkg.ImportPath, out, gocmd.BuildOpts{Merged: overlay, Race: race})
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		return "", words.FirstError(ge.Output), nil
	}
	return out, "", err
}

func (c Config) detail(text string) {
	if c.Detail != nil {
		c.Detail(text)
	}
}
