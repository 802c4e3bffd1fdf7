package diagnose

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A History is what several profiles of one process say of each site. A
// profile is not kept: of a heap, the rows of the first and of the latest are,
// and of each step in between what came and went on each site.
type History struct {
	o      Options
	kind   profile.Kind
	build  string
	period int64
	names  []string
	times  []time.Time
	stale  int  // profiles that showed nothing new
	alike  bool // there were no others, and the first stands for both points
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

func NewHistory(o Options) *History {
	return &History{o: o, sites: map[siteKey]*site{}}
}

// Add takes in the next profile. The error is for one that is of another kind
// or process than those before, or that cannot be read.
func (y *History) Add(s profile.Source) error {
	p := s.Profile
	if err := y.fits(s); err != nil {
		return err
	}
	if y.kind == profile.KindHeap {
		return y.addHeap(s)
	}
	if err := y.backwards(s); err != nil {
		return err
	}
	if err := y.addGoroutines(p); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	y.note(s)
	return nil
}

// note keeps when a point was taken.
func (y *History) note(s profile.Source) {
	y.names, y.times = append(y.names, s.Name), append(y.times, s.Profile.Taken())
}

// fits says why a profile does not belong to those before.
func (y *History) fits(s profile.Source) error {
	p, kind := s.Profile, s.Profile.Kind()
	switch {
	case kind != profile.KindHeap && kind != profile.KindGoroutine && kind != profile.KindLeak:
		return fmt.Errorf("%s is a profile of another kind: growth is looked for in heap and goroutine profiles", s.Name)
	case len(p.Functions()) > 0 && !p.IsGo():
		return fmt.Errorf("%s: no function of the profile is of a Go file, or it has no names", s.Name)
	case p.Seconds() > 0:
		return fmt.Errorf("%s is of what changed in %.0f s: growth needs what is there; take it without the parameter seconds", s.Name, p.Seconds())
	case y.kind == profile.KindUnknown:
		y.kind, y.build, y.period = kind, p.Build(), p.Rate()
		return nil
	case kind != y.kind:
		return fmt.Errorf("%s is a %s profile and the first a %s profile: give profiles of one kind", s.Name, kind, y.kind)
	case p.Build() != y.build && p.Build() != "" && y.build != "":
		return &otherProcess{fmt.Sprintf("%s is of another build than the first: growth is that of one process", s.Name)}
	}
	return nil
}

// An otherProcess is a profile of another process than those before.
type otherProcess struct{ msg string }

func (o *otherProcess) Error() string { return o.msg }

// backwards returns an error for a profile that is older than the one before.
func (y *History) backwards(s profile.Source) error {
	if t := s.Profile.Taken(); y.newest.After(t) && !t.IsZero() {
		return fmt.Errorf("%s was taken before the one in front of it: the oldest comes first, behind -base", s.Name)
	}
	return nil
}

// site returns that of a key, with as many values as there are points before
// this one.
func (y *History) site(k siteKey) *site {
	if y.sites[k] == nil {
		y.sites[k] = &site{key: k, via: map[string]float64{}}
	}
	return y.sites[k]
}

// each calls f for all sites, and for the sum of all.
func (y *History) each(f func(*site)) {
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
func (y *History) addHeap(s profile.Source) error {
	rows := map[rowKey]heapRow{}
	err := s.Profile.Heap(func(stack []model.Frame, h profile.HeapSample) {
		k := rowKey{short(stack), h.Size}
		r := rows[k]
		if r.at == nil {
			at, via, ok := y.o.line(stack)
			if !ok {
				at = ofTheRuntime(stack)
			}
			r.at, r.h = y.site(siteKey{line: line{at.Func, at.File, at.Line}}), h
			r.at.via[via] += h.Allocs * h.Weight()
		} else {
			r.h.Allocs, r.h.InUse = r.h.Allocs+h.Allocs, r.h.InUse+h.InUse
		}
		rows[k] = r
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if y.latest != nil {
		back := y.backwards(s)
		lost := lostRows(y.latest, rows)
		switch {
		case back != nil && (lost == 0 || lostRows(rows, y.latest) <= mostLost):
			return back
		case lost > mostLost:
			return &otherProcess{fmt.Sprintf("%s: %.0f %% of what the profile before it had allocated is not in it: the program was started anew in between, or they are in the wrong order", s.Name, 100*lost)}
		}
	}
	y.newest = s.Profile.Taken()
	if y.latest != nil {
		if sameRows(y.latest, rows) {
			y.stale++
			return nil
		}
	}
	y.note(s)
	y.put(rows)
	return nil
}

// ofTheRuntime returns the frame that names what the runtime allocates for
// itself: goroutines (malg), threads (allocm), and so on.
func ofTheRuntime(stack []model.Frame) model.Frame {
	for _, f := range stack {
		if !strings.HasPrefix(f.Func, "runtime.mallocgc") && f.Func != "runtime.newobject" && f.Func != "runtime.makeslice" && f.Func != "runtime.growslice" {
			return f
		}
	}
	return model.Frame{}
}

// put makes rows the latest point.
func (y *History) put(rows map[rowKey]heapRow) {
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
func (y *History) finish() {
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

// mostLost is how much may be lost by rounding.
const mostLost = 0.01

// lostRows returns the share of what had been allocated in the earlier profile
// that the later one does not have. That only counts up as long as a process
// lives.
func lostRows(before, after map[rowKey]heapRow) float64 {
	all, lost := 0.0, 0.0
	eachPair(before, after, func(_ *site, b, a profile.HeapSample) {
		all += b.Allocs * b.Weight()
		lost += max(0, b.Allocs-a.Allocs) * b.Weight()
	})
	if all == 0 {
		return 0
	}
	return lost / all
}

func sameRows(before, after map[rowKey]heapRow) bool {
	same := true
	eachPair(before, after, func(_ *site, b, a profile.HeapSample) {
		same = same && b.Allocs == a.Allocs && b.InUse == a.InUse
	})
	return same
}

func (y *History) addGoroutines(p *profile.Profile) error {
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
	text := make([]byte, 0, 1<<10)
	for _, f := range stack {
		text = append(append(append(text, f.Func...), 0), f.File...)
		text = strconv.AppendInt(append(text, 0), int64(f.Line), 10)
		text = append(text, 0)
	}
	sum := sha256.Sum256(text)
	return [16]byte(sum[:16])
}
