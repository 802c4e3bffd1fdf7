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
		var b binaries
		var why string
		var err error
		if b.plain, why, err = p.build(ctx, pkg, merged, false); err != nil {
			return err
		}
		if b.plain == "" {
			p.unbuilt = append(p.unbuilt, fmt.Sprintf("the tests of %s do not build with both versions: %s", pkg.ImportPath, why))
		} else if !noRace {
			if b.race, _, err = p.build(ctx, pkg, merged, true); err != nil {
				return err
			}
			noRace = b.race == ""
		}
		p.bins[pkg.ImportPath] = b
	}
	return nil
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
