package diagnose

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
)

// A history is what several profiles of one process say of each site. A
// profile is not kept: of a heap, the rows of the first and of the latest are,
// and of each step in between what came and went on each site.
type history struct {
	o      Options
	kind   profile.Kind
	build  string
	period int64
	names  []string
	times  []time.Time
	stale  int // profiles that showed nothing new
	newest time.Time
	sites  map[siteKey]*site
	all    site
	first  map[rowKey]heapRow
	latest map[rowKey]heapRow
}

// A siteKey is a line that allocates, or a group of goroutines.
type siteKey struct {
	line
	wait, started string
}

// A site is what is known of one of them, by points of time.
type site struct {
	key     siteKey
	via     map[string]float64
	values  []float64
	objects []float64
	steps   []change // from each point to the next
	whole   change   // from the first to the last
	alloc   change   // allocated from the first to the last: nothing of it goes
	made    float64  // objects
	present drawn    // all that was sampled, of any point
}

// A rowKey is a stack, in short, and a size of objects.
type rowKey struct {
	stack [16]byte
	size  float64
}

// A heapRow is a row of a heap profile, on a site.
type heapRow struct {
	at *site
	h  profile.HeapSample
}

func newHistory(o Options) *history {
	return &history{o: o, sites: map[siteKey]*site{}}
}

// add takes in the next profile. The error is for one that is of another kind
// or process than those before, or that cannot be read.
func (y *history) add(s Source) error {
	p := s.Profile
	if err := y.fits(s); err != nil {
		return err
	}
	var err error
	if y.kind == profile.KindHeap {
		err = y.addHeap(s)
	} else {
		err = y.addGoroutines(p)
		y.note(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// note keeps when a point was taken.
func (y *history) note(s Source) {
	y.names, y.times = append(y.names, s.Name), append(y.times, s.Profile.Taken())
}

// fits says why a profile does not belong to those before.
func (y *history) fits(s Source) error {
	p, kind := s.Profile, s.Profile.Kind()
	switch {
	case kind != profile.KindHeap && kind != profile.KindGoroutine && kind != profile.KindLeak:
		return fmt.Errorf("%s is a profile of another kind: growth is looked for in heap and goroutine profiles", s.Name)
	case len(p.Functions()) > 0 && !p.IsGo():
		return fmt.Errorf("%s: no function of the profile is of a Go file, or it has no names", s.Name)
	case p.Seconds() > 0:
		return fmt.Errorf("%s is of what changed in %.0f s: growth needs what is there; take it without the parameter seconds", s.Name, p.Seconds())
	case y.kind == profile.KindUnknown:
		y.kind, y.build, y.period = kind, p.Build(), p.Period()
		return nil
	case kind != y.kind:
		return fmt.Errorf("%s is a %s profile and the first a %s profile: give profiles of one kind", s.Name, kind, y.kind)
	case p.Build() != y.build && p.Build() != "" && y.build != "":
		return fmt.Errorf("%s is of another build than the first: growth is that of one process", s.Name)
	case y.newest.After(p.Taken()) && !p.Taken().IsZero():
		return fmt.Errorf("%s was taken before the one in front of it: the oldest comes first, behind -base", s.Name)
	}
	return nil
}

// site returns that of a key, with as many values as there are points before
// this one.
func (y *history) site(k siteKey) *site {
	if y.sites[k] == nil {
		y.sites[k] = &site{key: k, via: map[string]float64{}}
	}
	return y.sites[k]
}

// each calls f for all sites, and for the sum of all.
func (y *history) each(f func(*site)) {
	for _, s := range y.sites {
		f(s)
	}
	f(&y.all)
}

// extend brings the site's lists to n points.
func (s *site) extend(n int) {
	for len(s.values) < n {
		s.values, s.objects = append(s.values, 0), append(s.objects, 0)
	}
	for len(s.steps) < n-1 {
		s.steps = append(s.steps, change{})
	}
}

// addHeap takes in the rows of a heap profile. One that shows nothing new is
// left out: what is alive is known as of the last cycle of the collector, and
// there was none.
func (y *history) addHeap(s Source) error {
	rows := map[rowKey]heapRow{}
	err := s.Profile.Heap(func(stack []model.Frame, h profile.HeapSample) {
		k := rowKey{short(stack), h.Size}
		r := rows[k]
		if r.at == nil {
			at, via, ok := y.o.line(stack)
			if !ok && len(stack) > 0 {
				at = stack[0] // all of the runtime: stacks, goroutines, threads
			}
			r.at, r.h = y.site(siteKey{line: line{at.Func, at.File, at.Line}}), h
			r.at.via[via] += h.Allocs * h.Weight()
		} else {
			r.h.Allocs, r.h.InUse = r.h.Allocs+h.Allocs, r.h.InUse+h.InUse
		}
		rows[k] = r
	})
	if err != nil {
		return err
	}
	y.newest = s.Profile.Taken()
	if y.latest != nil {
		if err := sameProcess(y.latest, rows); err != nil {
			return err
		}
		if sameRows(y.latest, rows) {
			y.stale++
			return nil
		}
	}
	y.note(s)
	y.put(rows)
	return nil
}

// put makes rows the latest point.
func (y *history) put(rows map[rowKey]heapRow) {
	n := len(y.names)
	y.each(func(s *site) { s.extend(n) })
	for _, r := range rows {
		for _, s := range []*site{r.at, &y.all} {
			s.values[n-1] += r.h.InUse * r.h.Weight()
			s.objects[n-1] += r.h.InUse / r.h.Chance
			s.present.add(r.h.InUse, r.h.Weight(), r.h.Chance)
		}
	}
	if y.latest == nil {
		y.first, y.latest = rows, rows
		return
	}
	eachPair(y.latest, rows, func(at *site, before, after profile.HeapSample) {
		for _, s := range []*site{at, &y.all} {
			s.steps[n-2].row(before, after)
		}
	})
	y.latest = rows
}

// finish compares the first point with the last.
func (y *history) finish() {
	if y.kind != profile.KindHeap {
		return
	}
	eachPair(y.first, y.latest, func(at *site, before, after profile.HeapSample) {
		for _, s := range []*site{at, &y.all} {
			s.whole.row(before, after)
			made := max(0, after.Allocs-before.Allocs)
			s.alloc.came.add(made, after.Weight(), after.Chance)
			s.made += made / after.Chance
		}
	})
}

// row adds what came and went on a row. A profile shows how many sampled
// objects were made and freed, not which: as many of the old ones as may have
// gone are taken to have gone, which makes the interval rather too wide.
func (c *change) row(before, after profile.HeapSample) {
	freed := max(0, (after.Allocs-after.InUse)-(before.Allocs-before.InUse))
	went := min(before.InUse, freed)
	came := max(0, after.InUse-before.InUse+went)
	went = max(0, before.InUse-after.InUse+came)
	c.came.add(came, after.Weight(), after.Chance)
	c.went.add(went, after.Weight(), after.Chance)
}

// eachPair calls f with each row of two profiles. A row that one of them lacks
// has nothing there.
func eachPair(before, after map[rowKey]heapRow, f func(at *site, before, after profile.HeapSample)) {
	none := func(h profile.HeapSample) profile.HeapSample {
		h.Allocs, h.InUse = 0, 0
		return h
	}
	for k, a := range after {
		b, ok := before[k]
		if !ok {
			b.h = none(a.h)
		}
		f(a.at, b.h, a.h)
	}
	for k, b := range before {
		if _, ok := after[k]; !ok {
			f(b.at, b.h, none(b.h))
		}
	}
}

// sameProcess returns an error where less was allocated in the later profile
// than in the earlier one: that counts up as long as a process lives.
func sameProcess(before, after map[rowKey]heapRow) error {
	all, lost := 0.0, 0.0
	eachPair(before, after, func(_ *site, b, a profile.HeapSample) {
		all += b.Allocs * b.Weight()
		lost += max(0, b.Allocs-a.Allocs) * a.Weight()
	})
	if lost > 0.01*all {
		return fmt.Errorf("%.0f %% of what the profile before it had allocated is not in it: the program was started anew in between, or they are in the wrong order", 100*lost/all)
	}
	return nil
}

// sameRows reports whether two profiles show the same.
func sameRows(before, after map[rowKey]heapRow) bool {
	same := true
	eachPair(before, after, func(_ *site, b, a profile.HeapSample) {
		same = same && b.Allocs == a.Allocs && b.InUse == a.InUse
	})
	return same
}

// addGoroutines takes in a goroutine profile.
func (y *history) addGoroutines(p *profile.Profile) error {
	n := len(y.names) + 1
	y.newest = p.Taken()
	types := p.Types()
	y.each(func(s *site) { s.extend(n) })
	return p.Stacks(types[len(types)-1], func(stack []model.Frame, value float64) {
		at, via, ok := y.o.caller(stack)
		began := model.Frame{}
		if len(stack) > 0 {
			began = outermost(stack)
		}
		if !ok {
			at = began
		}
		s := y.site(siteKey{line{at.Func, at.File, at.Line}, y.o.waitOf(y.kind, stack), began.Func})
		s.via[via] += value
		for _, s := range []*site{s, &y.all} {
			s.extend(n)
			s.values[n-1] += value
		}
	})
}

// short is a stack in sixteen bytes.
func short(stack []model.Frame) [16]byte {
	h := sha256.New()
	for _, f := range stack {
		fmt.Fprintf(h, "%s\x00%s\x00%d\n", f.Func, f.File, f.Line)
	}
	return [16]byte(h.Sum(nil)[:16])
}
