package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// mostCallers is how many lines are named; the first ones matter.
const mostCallers = 5

// mostRest is how many lines of the program's own work are: that is not what is
// looked at, and where it is most of the profile, the place to look next.
const mostRest = 3

// leastCaller is the part of a signature from which a line is named: a change to
// a line with less of it moves little.
const leastCaller = 0.05

// mostSymbols is how many functions of the runtime are.
const mostSymbols = 6

// caller returns the innermost frame of the program on a stack, and what it
// calls there.
func (o Options) caller(stack []model.Frame) (at model.Frame, via string, ok bool) {
	found := -1
	for i, f := range stack {
		mine := o.Own != "" && o.owns(f.Func) // whose code is in the standard library says so
		written := strings.HasSuffix(f.File, "_cgo_gotypes.go")
		if !mine && profile.Standard(f.Func) || written { // the way into C is written by cgo
			continue
		}
		if found < 0 {
			found = i
		}
		if o.Own == "" || mine {
			found = i
			break
		}
	}
	return frameAt(stack, found)
}

// frameAt returns a frame of a stack, and what it calls; false for one below 0.
func frameAt(stack []model.Frame, i int) (at model.Frame, via string, ok bool) {
	switch {
	case i < 0:
		return model.Frame{}, "", false
	case i > 0:
		via = stack[i-1].Func
	}
	return stack[i], via, true
}

// line is caller, and where no function of the program is on the stack, the
// innermost of the standard library outside the runtime: goroutines of its own
// work for the program, too. Packages that only carry calls to the system would
// be one line for all that reads, writes and dials: the outermost of them is
// named where there is nothing else.
func (o Options) line(stack []model.Frame) (at model.Frame, via string, ok bool) {
	if at, via, ok = o.caller(stack); ok {
		return at, via, true
	}
	found := -1
	for i, f := range stack {
		if f.Func == "" || ofRuntime(f.Func) {
			continue
		}
		found = i
		if !carries(f.Func) {
			break
		}
	}
	return frameAt(stack, found)
}

// carries reports whether a function of the standard library is of a package
// that others of it reach the system through.
func carries(name string) bool {
	pkg := profile.Package(name)
	return pkg == "syscall" || strings.HasPrefix(pkg, "internal/")
}

func (o Options) owns(symbol string) bool {
	pkg := profile.Package(symbol)
	return pkg == "main" || pkg == o.Own || strings.HasPrefix(pkg, strings.TrimSuffix(o.Own, "/")+"/")
}

// A callers adds up values by line.
type callers struct {
	byLine map[line]*lineSum
	orphan float64
	names  map[string]float64 // the runtime's functions
	alone  map[string]float64 // those on no line
}

type line struct {
	fn, file string
	n        int
}

type lineSum struct {
	value float64
	via   map[string]float64
}

func newCallers() *callers {
	return &callers{byLine: map[line]*lineSum{}, names: map[string]float64{}, alone: map[string]float64{}}
}

func (c *callers) add(at model.Frame, via string, value float64) {
	l := line{at.Func, at.File, at.Line}
	if c.byLine[l] == nil {
		c.byLine[l] = &lineSum{via: map[string]float64{}}
	}
	c.byLine[l].value += value
	c.byLine[l].via[via] += value
}

// put writes what was added up into a sign. Shares are of total.
func (c *callers) put(s *model.Sign, total float64) {
	s.Callers = []model.SignCaller{}
	for l, sum := range c.byLine {
		s.Callers = append(s.Callers, model.SignCaller{Func: l.fn, File: l.file, Line: l.n, Via: greatest(sum.via), Share: sum.value / total})
	}
	sorted.By(s.Callers, func(a, b model.SignCaller) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Func, b.Func))
	})
	all, named := c.orphan/total, 0
	for _, x := range s.Callers {
		all += x.Share
	}
	for named < min(mostCallers, len(s.Callers)) && s.Callers[named].Share >= leastCaller*all {
		named++
	}
	s.More, s.Callers = len(s.Callers)-named, s.Callers[:named]
	s.Orphan, s.OrphanIn = c.orphan/total, greatest(c.alone)
	for name, value := range c.names {
		if c.repeats(name, value) {
			continue
		}
		s.Symbols = append(s.Symbols, model.SignSymbol{Func: name, Share: value / total})
	}
	sorted.By(s.Symbols, func(a, b model.SignSymbol) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Func, b.Func))
	})
	if len(s.Symbols) > mostSymbols {
		s.Symbols = s.Symbols[:mostSymbols]
	}
}

// greatest returns the lines with most of what was added up, some at most, and
// none with little of total.
func (c *callers) greatest(total float64) []model.SignCaller {
	var s model.Sign
	c.put(&s, total)
	s.Callers = s.Callers[:min(mostRest, len(s.Callers))]
	return slices.DeleteFunc(s.Callers, func(x model.SignCaller) bool { return x.Share < leastCaller })
}

// repeats reports whether a function is a part of another that was seen: a
// closure, or one with a longer name and no more cost, as mallocgcSmallNoscan is
// of mallocgc. Marking by idle workers costs less than it seems to and is named.
func (c *callers) repeats(name string, value float64) bool {
	if strings.HasSuffix(name, "Idle") {
		return false
	}
	for n, v := range c.names {
		if n != name && strings.HasPrefix(name, n) && v >= value {
			return true
		}
	}
	return false
}

func greatest(by map[string]float64) string {
	best := ""
	for name, v := range by {
		if v > by[best] || v == by[best] && name < best {
			best = name
		}
	}
	return best
}
