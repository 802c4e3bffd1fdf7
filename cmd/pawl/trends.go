package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/report/trends"
	"github.com/pawl-dev/pawl/internal/run/trend"
	"github.com/pawl-dev/pawl/internal/tree"
)

// A trending is what log was asked for about figures over time.
type trending struct {
	html string
	from targets
}

func (g trending) asked() bool { return g.html != "" || len(g.from) > 0 }

// logTrend shows figures over time: those of the module's runs, or of files.
func logTrend(ctx context.Context, e *env, g trending, chdir string, asJSON bool, view sheet.Options) error {
	c, found, err := collect(ctx, e, g.from, chdir)
	if err != nil {
		return err
	}
	t, err := c.Trend(ctx, version())
	if err != nil {
		return err
	}
	if t = shared(e, t); g.html != "" {
		if err := trendPage(foreign.Path(e.dir, g.html), t, *shared(e, &found)); err != nil {
			return fmt.Errorf("-html: %w", err)
		}
	}
	if asJSON {
		return data.JSON(e.stdout, t)
	}
	return trends.Text(e.stdout, t, view)
}

// collect reads the files, or where there are none what the module keeps.
func collect(ctx context.Context, e *env, files []string, chdir string) (*trend.Collection, []model.Comparison, error) {
	if len(files) == 0 {
		return collectOwn(ctx, e, chdir)
	}
	c := trend.New(files...)
	for _, f := range files {
		err := c.File(ctx, foreign.Path(e.dir, f))
		if bad := new(trend.InputError); errors.As(err, &bad) {
			return nil, nil, usageError("%v", bad)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return c, nil, nil
}

func collectOwn(ctx context.Context, e *env, chdir string) (*trend.Collection, []model.Comparison, error) {
	st, err := openStore(ctx, e, chdir)
	if err != nil {
		return nil, nil, err
	}
	dir, err := changeDir(e, chdir)
	if err != nil {
		return nil, nil, err
	}
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	runs, comparisons, err := kept(e, st)
	if err != nil {
		return nil, nil, err
	}
	records, warnings, err := hotpath.Load(filepath.Join(place.Module, hotpath.Dir))
	if err != nil {
		return nil, nil, usageError("%v", err)
	}
	warn(e, warnings)
	c := trend.New(filepath.Base(place.Module))
	for i := range runs {
		c.Run(&runs[i])
	}
	for i := range comparisons {
		c.Comparison(&comparisons[i])
	}
	for _, r := range records {
		c.Record(r)
	}
	return c, comparisons, nil
}

func trendPage(file string, t *model.Trend, found []model.Comparison) error {
	raw, err := data.RawJSON("trend.json", "All that this page says, for programs.", "", t)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := trends.HTML(&page, t, found, []data.Raw{raw}); err != nil {
		return err
	}
	return os.WriteFile(file, page.Bytes(), 0o600)
}
