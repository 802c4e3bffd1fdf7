package report_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
)

// flamePage is a page with nothing but flame graphs.
func flamePage(t *testing.T, flames ...model.Flame) string {
	t.Helper()
	var b strings.Builder
	d := &model.Diagnosis{Profiles: []model.Symptoms{{Kind: "cpu", Unit: "ns"}}}
	if err := diagnosis.HTML(&b, d, diagnosis.Extra{Flames: map[string][]model.Flame{"cpu": flames}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFlameShowsIt(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(flamePage(t, specimen.Flame()), "&#43;", "+")
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	for _, want := range []string{
		"<b>CPU time per op</b> <span>BenchmarkWrite · 1.00 µs → 800 ns · 500 samples → 480 samples",
		`class="m2" style="left:0.00%;width:50.00%;top:38px"`, ">−33 % wire.(*Enc[…]).encode<", "\n600 ns → 400 ns per op, −33.3 %",
		">new fast.Put<", `class="p3"`, "within the noise of the samples",
		"bytes.growSlice in wire.(*Enc[…]).encode: it was 50 %, 500 ns", "3 parts of 0.4 % or less each are left out",
		"Most by itself: wire.(*Enc[…]).encode 50 %, runtime.mallocgc 20 %, fast.Put 19 %", `data-view="2"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(page, "mallocgc in bytes") {
		t.Error("what is gone is named below what is gone")
	}
	objects := specimen.Flame()
	objects.Resource, objects.Unit, objects.Total, objects.Counted = "allocs", "objects", [2]float64{2.5, 1.5}, [2]float64{5, 4}
	if page := flamePage(t, objects); !strings.Contains(page, "2.50 objects → 1.50 objects of 5 → 4 counted: most below 16 bytes") {
		t.Error("what the profile leaves out is not said")
	}
	one := specimen.Flame()
	one.Two, one.PerOp = false, false
	page = flamePage(t, one)
	for _, want := range []string{`class="k0"`, "the program&#39;s own", "other modules", "50 %, 500 ns"} {
		if !strings.Contains(page, want) {
			t.Errorf("one profile: no %q in the page", want)
		}
	}
	if strings.Contains(page, "data-view=") || strings.Contains(page, "Gone") {
		t.Error("one profile is shown as two")
	}
	if page := flamePage(t); strings.Contains(page, "<script") {
		t.Error("a page without a flame graph has a script")
	}
}

func TestFlameOfHostileNames(t *testing.T) {
	t.Parallel()
	f := specimen.Flame()
	const evil = `</script><script>alert(1)</script><!--"' onload="x` + "\x00\u202e\u2028]]>"
	f.Title = evil
	for i := range f.Funcs {
		f.Funcs[i].Name, f.Funcs[i].File = evil+strconv.Itoa(i), evil
	}
	f.Funcs[3].Name = strings.Repeat("long.", 100_000)
	page := flamePage(t, f, f)
	specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
	if strings.ContainsAny(page, "\x00\u202e") || strings.Contains(page, "ZgotmplZ") {
		t.Error("something hidden is in the page, or the template refused a value")
	}
	if len(page) > 60_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// A graph may be empty, or a single node, or have values that are no numbers.
func TestFlameOfLittle(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]model.Flame{
		"nothing":   {},
		"no values": {Two: true, Nodes: []model.FlameNode{{Func: -1, Parent: -1}}},
		"one node":  {Unit: "bytes", Resource: "live", Total: [2]float64{5, 0}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{5, 0}, Self: [2]float64{5, 0}}}},
		"gone":      {Two: true, Total: [2]float64{5, 0}, Funcs: []model.FlameFunc{{Name: "f"}}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{5, 0}}, {Value: [2]float64{5, 0}, Clear: true}}},
		"infinite":  {Total: [2]float64{math.Inf(1), 0}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{math.Inf(1), math.NaN()}}}},
	} {
		t.Run(name, func(t *testing.T) {
			page := flamePage(t, f)
			specimen.WellFormed(t, specimen.Bare(t, page, flame.Script))
			if m := regexp.MustCompile(`(NaN|Inf|e\+)[^<]*[%p]`).FindString(specimen.Bare(t, page, flame.Script)); m != "" {
				t.Errorf("a coordinate is no number: %s", m)
			}
		})
	}
}

func TestFlamePageIsBounded(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3000, 10_000} {
		page := flamePage(t, specimen.WideFlame(n))
		if len(page) > 400_000 {
			t.Errorf("%d functions: the page has %d bytes", n, len(page))
		}
		if strings.Count(page, "%;top:") < 2 {
			t.Errorf("%d functions: no boxes are on the page", n)
		}
	}
}

// A page with many graphs is hardly larger than one with four.
func TestFlamesShareAPage(t *testing.T) {
	t.Parallel()
	many := make([]model.Flame, 16)
	for i := range many {
		many[i] = specimen.WideFlame(4000)
	}
	if page := flamePage(t, many...); len(page) > 1_600_000 {
		t.Errorf("16 graphs make a page of %d bytes", len(page))
	}
}
