package diagnose

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A row is a stack, written as functions from the innermost outwards with a
// space between, and its values.
type row struct {
	stack  string
	values []int64
}

func cpuRow(n int64, stack string) row { return row{stack, []int64{n, n * 1e7}} }

// raw builds a profile. Functions of package main and of paths with a domain
// get a file and a line each; the others stand in the standard library.
func raw(types []string, rows ...row) *pprof.Profile {
	p := &pprof.Profile{}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: t, Unit: "count"})
	}
	known := map[string]*pprof.Location{}
	for _, r := range rows {
		s := &pprof.Sample{Value: r.values}
		for _, name := range strings.Fields(r.stack) {
			if known[name] == nil {
				id := uint64(len(known) + 1)
				known[name] = &pprof.Location{ID: id, Address: id}
				if name != "?" {
					f := &pprof.Function{ID: id, Name: name, Filename: fileOf(name)}
					p.Function = append(p.Function, f)
					known[name].Line = []pprof.Line{{Function: f, Line: int64(10 * id)}}
				}
				p.Location = append(p.Location, known[name])
			}
			s.Location = append(s.Location, known[name])
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func fileOf(name string) string {
	if strings.Contains(name, "._Cfunc_") {
		return "_cgo_gotypes.go"
	}
	pkg, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return "/src/" + pkg + "/" + pkg + ".go"
}

var (
	cpuTypes       = []string{"samples", "cpu"}
	heapTypes      = []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
	delayTypes     = []string{"contentions", "delay"}
	goroutineTypes = []string{"goroutine"}
)

func encode(t testing.TB, p *pprof.Profile) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func source(t testing.TB, name string, p *pprof.Profile) profile.Source {
	t.Helper()
	read, err := profile.Read(bytes.NewReader(encode(t, p)))
	if err != nil {
		t.Fatal(err)
	}
	return profile.Source{Name: name, Profile: read}
}

// one diagnoses a single profile.
func one(t testing.TB, o Options, p *pprof.Profile) model.Symptoms {
	t.Helper()
	d, err := Diagnose([]profile.Source{source(t, "x.pprof", p)}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Profiles) != 1 {
		t.Fatalf("%d kinds of profiles", len(d.Profiles))
	}
	return d.Profiles[0]
}

// brief is a line for each sign that stands out: its share and scheduler's in
// percent, and its lines with what they call.
func brief(signs []model.Sign) []string {
	pct := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) }
	var out []string
	for _, s := range signs {
		t := s.Name + " " + pct(s.Share)
		if s.Scheduler > 0 {
			t += "+" + pct(s.Scheduler)
		}
		for _, c := range s.Callers {
			t += " " + c.Func + ">" + c.Via
		}
		out = append(out, t)
	}
	return out
}

func heapRowOf(size, chance, allocs, inuse float64) profile.HeapSample {
	return profile.HeapSample{Size: size, Chance: chance, Allocs: allocs, InUse: inuse}
}
