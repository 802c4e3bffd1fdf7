package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A site that grew beyond noise is a suspect from this share of all growth, and
// this many bytes or goroutines. A goroutine of a leak profile is leaked for
// certain, and one is enough.
const (
	suspectShare      = 0.05
	suspectBytes      = 1 << 20
	suspectGoroutines = 10
)

// mostOthers is how many sites are named that are no suspects, and mostSuspects
// how many that are.
const (
	mostOthers   = 8
	mostSuspects = 20
)

// The words for how a site went.
const (
	trendRose     = "rose"     // beyond noise, and in no step beyond noise the other way
	trendWavered  = "wavered"  // rose beyond noise, and not steadily
	trendLevelled = "levelled" // rose, and then came to rest
	trendFell     = "fell"
	trendSteady   = "steady" // not beyond noise
)

// Growth compares heap profiles, or goroutine profiles, of one process: two or
// more, in order of time. The error is for profiles that are not that.
func Growth(points []profile.Source, o Options) (*model.Growth, error) {
	if len(points) < 2 {
		return nil, errors.New("growth needs two profiles or more of one process")
	}
	y := NewHistory(o)
	for _, s := range points {
		if err := y.Add(s); err != nil {
			return nil, err
		}
	}
	return y.Growth()
}

// Grown looks for growth from the profiles of base to those behind it: of each
// kind that Growth compares and that both have. It returns the profiles that are
// left, of other kinds, or heaps of different processes or of what changed in a
// time, which Growth cannot compare. The error is that of Growth otherwise.
func Grown(base, now []profile.Source, o Options) (grown []model.Growth, restBase, restNow []profile.Source, err error) {
	restBase, restNow = base, now
	for _, kind := range []profile.Kind{profile.KindHeap, profile.KindLeak, profile.KindGoroutine} {
		b, otherBase := ofOneKind(kind, restBase)
		n, otherNow := ofOneKind(kind, restNow)
		if len(b) == 0 || len(n) == 0 || kind == profile.KindHeap && slices.ContainsFunc(append(b, n...), ofTime) {
			continue
		}
		g, err := Growth(append(b, n...), o)
		var other *otherProcess
		switch {
		case errors.As(err, &other) && kind == profile.KindHeap:
			continue
		case err != nil:
			return nil, nil, nil, err
		}
		grown, restBase, restNow = append(grown, *g), otherBase, otherNow
	}
	return grown, restBase, restNow, nil
}

// ofTime reports whether a profile is of what changed in a stretch of time.
func ofTime(s profile.Source) bool { return s.Profile.Seconds() > 0 }

// ofOneKind divides profiles into those of a kind and the others.
func ofOneKind(kind profile.Kind, sources []profile.Source) (of, others []profile.Source) {
	for _, s := range sources {
		if s.Profile.Kind() == kind {
			of = append(of, s)
		} else {
			others = append(others, s)
		}
	}
	return of, others
}

// Growth says what the points show. There must have been two or more.
func (y *History) Growth() (*model.Growth, error) {
	if len(y.names) == 1 && y.stale > 0 { // nothing new: two points that are alike
		y.alike = true
		y.names, y.times = append(y.names, y.names[0]), append(y.times, y.newest)
		y.put(y.latest)
	}
	y.each(func(s *site) { s.extend(len(y.names)) })
	y.finish()
	if y.nameless() {
		return nil, fmt.Errorf("%s has addresses and no names of functions: go tool pprof -proto -output named.pprof PROGRAM PROFILE adds them", y.names[0])
	}
	g := &model.Growth{
		Kind: string(y.kind), Sources: y.names, Unit: "goroutines", Period: y.period,
		Suspects: []model.GrowthSite{}, Others: []model.GrowthSite{}, Threshold: suspectShare, Least: suspectGoroutines,
	}
	switch y.kind {
	case profile.KindHeap:
		g.Unit, g.Least = "bytes", suspectBytes
	case profile.KindLeak:
		g.Period, g.Threshold, g.Least = 0, 0, 1
	default:
		g.Period = 0
	}
	at := y.seconds()
	for i, v := range y.all.values {
		g.Points = append(g.Points, model.GrowthPoint{Seconds: at[i], Total: v})
	}
	g.Seconds = at[len(at)-1]
	g.Total = y.changeOf(&y.all, at)
	y.judge(g, at)
	if y.kind == profile.KindHeap {
		g.Allocated = y.allocated(g.Seconds)
	}
	say(g)
	g.Warnings = y.doubts(g)
	return g, nil
}

// seconds are the times of points since the first: all 0 where one of them does
// not say.
func (y *History) seconds() []float64 {
	at := make([]float64, len(y.times))
	for i, t := range y.times {
		if t.IsZero() || !t.After(y.times[max(0, i-1)]) && i > 0 {
			return make([]float64, len(y.times))
		}
		at[i] = t.Sub(y.times[0]).Seconds()
	}
	return at
}

// changeOf is what a site's points show of its change, with intervals for what
// was sampled.
func (y *History) changeOf(s *site, at []float64) model.GrowthChange {
	n := len(s.values)
	c := model.GrowthChange{Change: s.values[n-1] - s.values[0]}
	c.Lo, c.Hi = c.Change, c.Change
	slope, steepest := change{}, 0.0
	for i, f := range slopeParts(at) {
		c.PerSecond += f * (s.values[i+1] - s.values[i])
		slope.join(s.steps[i], f)
		steepest = max(steepest, f)
	}
	c.PerSecondLo, c.PerSecondHi = c.PerSecond, c.PerSecond
	if y.kind == profile.KindHeap {
		grain := s.present.grain()
		c.Lo, c.Hi = s.whole.bounds(grain, z95)
		c.PerSecondLo, c.PerSecondHi = slope.bounds(grain*steepest, z95)
	}
	return c
}

// slopeParts returns how much each step counts in the slope of the line by least
// squares; nothing where the times are not known. A slope is a sum of steps with
// factors that are not negative. The errors of steps are independent, or such
// that they cancel: what came in one goes in another. So the variance of the
// sum is not above that of independent steps.
func slopeParts(at []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, t := range at {
		mean += t / float64(len(at))
	}
	for _, t := range at {
		square += (t - mean) * (t - mean)
	}
	if square <= 0 {
		return nil
	}
	out := make([]float64, len(at)-1)
	above := 0.0
	for i := len(at) - 1; i > 0; i-- {
		above += at[i] - mean
		out[i-1] = max(0, above/square)
	}
	return out
}

// judge sorts the sites into suspects, others and those that are steady.
func (y *History) judge(g *model.Growth, at []float64) {
	changed := 0
	for _, s := range y.sites {
		first, last := s.values[0], s.values[len(s.values)-1]
		g.Risen += max(0, last-first)
		if s.whole.came.count+s.whole.went.count > 0 || first != last {
			changed++
		}
	}
	z := zFor(changed)
	if y.kind == profile.KindHeap {
		g.Sees = z * z * float64(max(y.period, 1))
	}
	g.Level = 1 - 0.05/float64(max(changed, 1))
	for _, s := range y.sites {
		out := model.GrowthSite{
			Func: s.key.fn, File: s.key.file, Line: s.key.n, Via: greatest(s.via), Wait: s.key.wait, Started: s.key.started,
			GrowthChange: y.changeOf(s, at), Values: s.values, Trend: y.trend(s, z), Samples: int64(math.Round(s.whole.came.count + s.whole.went.count)),
		}
		if y.kind == profile.KindHeap {
			out.Objects = s.objects
		}
		if g.Risen > 0 {
			out.Share = max(0, out.Change) / g.Risen
		}
		out.Rose, out.Fell = steps(s.values)
		switch {
		case out.Trend == trendSteady:
			g.Steady++
		case out.Trend == trendRose && out.Change >= g.Least && out.Share >= g.Threshold:
			g.Suspects = append(g.Suspects, out)
		default:
			g.Others = append(g.Others, out)
		}
	}
	byGrowth(g.Suspects)
	if len(g.Suspects) > mostSuspects {
		g.Others = append(g.Others, g.Suspects[mostSuspects:]...)
		g.Suspects = g.Suspects[:mostSuspects]
	}
	byGrowth(g.Others)
	if len(g.Others) > mostOthers {
		g.More = len(g.Others) - mostOthers
		g.Others = g.Others[:mostOthers]
	}
}

func byGrowth(sites []model.GrowthSite) {
	sorted.By(sites, func(a, b model.GrowthSite) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Wait, b.Wait), cmp.Compare(a.Started, b.Started))
	})
}

func steps(values []float64) (rose, fell int) {
	for i := 1; i < len(values); i++ {
		switch {
		case values[i] > values[i-1]:
			rose++
		case values[i] < values[i-1]:
			fell++
		}
	}
	return rose, fell
}

// doubtful is the probability above which points that rise may be in random
// order. Three points cannot be below it.
const doubtful = 0.05

// trend is how a site went, at the quantile z.
func (y *History) trend(s *site, z float64) string {
	n := len(s.values)
	lo, hi := y.beyond(s, 0, n-1, z)
	switch {
	case hi < 0:
		return trendFell
	case lo <= 0:
		return trendSteady
	case y.kind == profile.KindLeak: // what is leaked stays, whether more come or not
		return trendRose
	}
	for i := 1; i < n; i++ {
		if _, hi := y.beyond(s, i-1, i, z); hi < 0 {
			return trendWavered
		}
	}
	switch {
	case y.levelled(s):
		return trendLevelled
	case n >= 4 && rising(s.values) >= doubtful, n >= 3 && !y.slopes(s):
		return trendWavered
	}
	return trendRose
}

// slopes reports whether the line through a site's points rises beyond the
// noise of sampling.
func (y *History) slopes(s *site) bool {
	if y.kind != profile.KindHeap {
		return true
	}
	at := y.seconds()
	if at[len(at)-1] == 0 {
		for i := range at {
			at[i] = float64(i)
		}
	}
	slope := change{}
	for i, f := range slopeParts(at) {
		slope.join(s.steps[i], f)
	}
	return slope.value() > z95*math.Sqrt(slope.came.variance+slope.went.variance)
}

// beyond is the interval that says whether a site's change between two points is
// noise. Of heaps it is that of sampling, by the score test for equal means of
// two Poisson sums: what came and what went. Goroutines are all counted, but their
// number varies with the load: the interval is that of work which comes at
// random times, whose number is distributed as Poisson says. Leaked ones do
// not vary.
func (y *History) beyond(s *site, from, to int, z float64) (lo, hi float64) {
	if y.kind != profile.KindHeap {
		a, b := s.values[from], s.values[to]
		if y.kind == profile.KindLeak {
			return b - a, b - a
		}
		half := z * math.Sqrt(a+b)
		return b - a - half, b - a + half
	}
	c := s.between(from, to)
	variance := c.came.variance + c.went.variance
	if all := c.came.sum + c.went.sum; all*all < fewest*variance {
		return min(0, c.value()), max(0, c.value()) // less than a few sampled objects
	}
	half := z * math.Sqrt(variance)
	return c.value() - half, c.value() + half
}

// between is what came and went on a site between two points.
func (s *site) between(from, to int) change {
	if from == 0 && to == len(s.values)-1 {
		return s.whole
	}
	c := change{}
	for _, step := range s.steps[from:to] {
		c.join(step, 1)
	}
	return c
}

// levelled reports whether a site rose in the first half of the points, and in
// the second neither beyond noise nor, for certain, at half that pace.
func (y *History) levelled(s *site) bool {
	n := len(s.values)
	mid := (n - 1) / 2
	if mid == 0 {
		return false
	}
	lo, _ := y.beyond(s, 0, mid, z95)
	still, hi := y.beyond(s, mid, n-1, z95)
	if y.kind == profile.KindHeap { // where nothing came, more may have than was sampled
		_, hi = s.between(mid, n-1).bounds(s.present.grain(), z95)
	}
	length := func(from, to int) float64 {
		if at := y.seconds(); at[n-1] > 0 {
			return at[to] - at[from]
		}
		return float64(to - from)
	}
	return lo > 0 && still <= 0 && hi/length(mid, n-1) < lo/length(0, mid)/2
}

// allocated is what was allocated from the first point to the last.
func (y *History) allocated(seconds float64) *model.AllocRate {
	made := func(s *site) (value, lo, hi float64) {
		lo, hi = s.alloc.came.bounds(cmp.Or(s.alloc.came.grain(), s.present.grain()), z95)
		return s.alloc.came.sum, lo, hi
	}
	a := &model.AllocRate{Objects: y.all.made, Sites: []model.AllocSite{}}
	a.Bytes, a.Lo, a.Hi = made(&y.all)
	if seconds > 0 {
		a.PerSecond, a.ObjectsPerSecond = a.Bytes/seconds, a.Objects/seconds
	}
	for _, s := range y.sites {
		if s.alloc.came.count > 0 {
			out := model.AllocSite{Func: s.key.fn, File: s.key.file, Line: s.key.n, Via: greatest(s.via)}
			out.Bytes, out.Lo, out.Hi = made(s)
			a.Sites = append(a.Sites, out)
		}
	}
	sorted.By(a.Sites, func(a, b model.AllocSite) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Func, b.Func))
	})
	a.Sites = a.Sites[:min(len(a.Sites), mostCallers)]
	return a
}

func (y *History) nameless() bool {
	for k := range y.sites {
		if k.fn != "" {
			return false
		}
	}
	return len(y.sites) > 0
}
