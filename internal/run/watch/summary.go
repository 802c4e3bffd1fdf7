package watch

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// Summaries says what is kept of the services of these names; of all, without any.
func Summaries(root string, names ...string) ([]model.Watched, error) {
	if len(names) == 0 {
		dirs, err := os.ReadDir(root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, d := range dirs {
			names = append(names, d.Name())
		}
	}
	var out []model.Watched
	for _, name := range names {
		all, err := ring.Read(Dir(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, testbed.Usagef("nothing was kept of %s: pawl watch -list shows what there is", name)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, summary(name, all))
	}
	return out, nil
}

func summary(name string, all []ring.Capture) model.Watched {
	w := model.Watched{Name: name, Gaps: []model.WatchGap{}, Profiles: []model.WatchedKind{}}
	var seconds, cpu, taking float64
	var first, last time.Time
	begun, spans := map[string]time.Time{}, map[string]time.Duration{} // of each instance
	for _, c := range all {
		if c.Gap != "" {
			w.Gaps = append(w.Gaps, model.WatchGap{From: c.From, Until: c.Until, Instance: c.Instance, Why: c.Gap})
			continue
		}
		w.Captures++
		if first.IsZero() {
			first = c.From
		}
		last = c.Until
		if begun[c.Instance].IsZero() {
			begun[c.Instance] = c.From
		}
		spans[c.Instance] = c.Until.Sub(begun[c.Instance])
		for kind, why := range c.Missing {
			miss(&w.Missing, kind, why)
		}
		for _, p := range c.Profiles {
			w.Bytes += p.Bytes
			count(&w.Profiles, p)
			if p.Kind == cpuKind && c.CPU > 0 {
				seconds, cpu, taking = seconds+float64(p.Seconds), cpu+c.CPU, taking+c.Taking
			}
		}
	}
	w.Missing = slices.DeleteFunc(w.Missing, func(m model.WatchedMiss) bool {
		return m.Kind == "metrics" && m.Captures == w.Captures // it never had a page
	})
	w.From, w.Until = first, last
	whole := 0.0
	for _, span := range spans {
		whole += span.Seconds()
	}
	if cpu > 0 && whole > 0 {
		w.Taking = taking / cpu * min(1, seconds/whole)
		w.TakingCore = taking / 1e9 / last.Sub(first).Seconds()
	}
	return w
}

// shown is a kind as users call it.
func shown(kind string) string {
	if kind == cpuKind {
		return "cpu"
	}
	return kind
}

func miss(all *[]model.WatchedMiss, kind, why string) {
	kind = shown(kind)
	i, ok := slices.BinarySearchFunc(*all, kind, func(m model.WatchedMiss, kind string) int { return cmp.Compare(m.Kind, kind) })
	if !ok {
		*all = slices.Insert(*all, i, model.WatchedMiss{Kind: kind})
	}
	(*all)[i].Captures++
	(*all)[i].Why = why
}

func count(kinds *[]model.WatchedKind, p ring.Profile) {
	kind := shown(p.Kind)
	i := slices.IndexFunc(*kinds, func(k model.WatchedKind) bool { return k.Kind == kind })
	if i < 0 {
		i = len(*kinds)
		*kinds = append(*kinds, model.WatchedKind{Kind: kind})
	}
	(*kinds)[i].Profiles++
	(*kinds)[i].Bytes += p.Bytes
}
