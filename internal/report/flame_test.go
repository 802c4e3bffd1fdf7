package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// sampleFlame is of two profiles per op: encode got cheaper, grow is gone, and
// new code came.
func sampleFlame() model.Flame {
	return model.Flame{
		Title: "BenchmarkWrite", Resource: "cpu", Unit: "ns", Two: true, PerOp: true, Total: [2]float64{1000, 800}, Samples: [2]int64{500, 480},
		Folded: 3, Cut: 0.004,
		Funcs: []model.FlameFunc{
			{Name: "example.com/m/wire.BenchmarkWrite", File: "/src/m/wire/bench_test.go", Line: 9, Module: true},
			{Name: "example.com/m/wire.(*Enc[go.shape.int]).encode", File: "/src/m/wire/enc.go", Line: 42, Module: true},
			{Name: "bytes.growSlice", File: "/go/src/bytes/buffer.go", Line: 249, Std: true},
			{Name: "golang.org/x/fast.Put", File: "/mod/fast.go", Line: 3},
			{Name: "runtime.mallocgc", File: "/go/src/runtime/malloc.go", Line: 1, Std: true},
		},
		Nodes: []model.FlameNode{
			{Func: -1, Parent: -1, Value: [2]float64{1000, 800}},
			{Func: 0, Parent: 0, Value: [2]float64{1000, 800}, Self: [2]float64{100, 90}},
			{Func: 1, Parent: 1, Value: [2]float64{600, 400}, Self: [2]float64{100, 400}, Clear: true},
			{Func: 2, Parent: 2, Value: [2]float64{500, 0}, Clear: true},
			{Func: 4, Parent: 3, Value: [2]float64{500, 0}, Self: [2]float64{500, 0}, Clear: true},
			{Func: 3, Parent: 1, Value: [2]float64{0, 150}, Self: [2]float64{0, 150}, Clear: true},
			{Func: 4, Parent: 1, Value: [2]float64{300, 160}, Self: [2]float64{300, 160}},
		},
	}
}

// flamePage is a page with nothing but flame graphs.
func flamePage(t *testing.T, flames ...model.Flame) string {
	t.Helper()
	var b strings.Builder
	d := &model.Diagnosis{Profiles: []model.Symptoms{{Kind: "cpu", Unit: "ns"}}}
	if err := DiagnosisHTML(&b, d, DiagnosisExtra{Flames: map[string][]model.Flame{"cpu": flames}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	dataScript = regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`)
	pageScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	dataLink   = regexp.MustCompile(` href="data:application/json;base64,[^"]*"`)
)

// bare takes the page's own script, the data and the link to them out of a
// page. What remains must be as wellFormed asks for, without any script.
func bare(t *testing.T, page string) string {
	t.Helper()
	for _, m := range pageScript.FindAllStringSubmatch(page, -1) {
		if m[1] != asset("page.js") {
			t.Errorf("the page has a script that is not its own: %.200s", m[1])
		}
	}
	for _, m := range dataScript.FindAllStringSubmatch(page, -1) {
		if !json.Valid([]byte(m[1])) || strings.ContainsAny(m[1], "<>&") {
			t.Errorf("the data is no JSON, or not escaped: %.200s", m[1])
		}
	}
	return dataLink.ReplaceAllString(dataScript.ReplaceAllString(pageScript.ReplaceAllString(page, ""), ""), "")
}

// drawn is a graph's data as the script reads it.
type drawn struct {
	Total   [2]float64
	Whole   float64
	Files   []string
	Funcs   [][4]any
	Columns int
	Nodes   []int
}

func dataOf(t *testing.T, f model.Flame) drawn {
	t.Helper()
	var d drawn
	if err := json.Unmarshal([]byte(newFlame(f, "x", 1).Data), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFlameShowsIt(t *testing.T) {
	page := strings.ReplaceAll(flamePage(t, sampleFlame()), "&#43;", "+")
	wellFormed(t, bare(t, page))
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
	objects := sampleFlame()
	objects.Resource, objects.Unit, objects.Total, objects.Counted = "allocs", "objects", [2]float64{2.5, 1.5}, [2]float64{5, 4}
	if page := flamePage(t, objects); !strings.Contains(page, "2.50 objects → 1.50 objects of 5 → 4 counted: most below 16 bytes") {
		t.Error("what the profile leaves out is not said")
	}
	one := sampleFlame()
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

// The data holds what the graph does, to a part in ten million.
func TestFlameData(t *testing.T) {
	f := sampleFlame()
	d := dataOf(t, f)
	if d.Columns != 7 || len(d.Nodes) != 7*len(f.Nodes) || d.Total != f.Total {
		t.Fatalf("data %+v", d)
	}
	for i, n := range f.Nodes {
		got := d.Nodes[7*i : 7*i+7]
		if i-got[1] != n.Parent || n.Func >= 0 && d.Funcs[got[0]][0] != f.Funcs[n.Func].Name {
			t.Errorf("node %d: %v of %+v", i, got, n)
		}
		for side := range 2 {
			value, self := float64(got[2+side])/d.Whole*d.Total[side], float64(got[4+side])/d.Whole*d.Total[side]
			if math.Abs(value-n.Value[side]) > 0.001 || math.Abs(self-n.Self[side]) > 0.001 {
				t.Errorf("node %d, side %d: %v and %v of %+v", i, side, value, self, n)
			}
		}
	}
	want := []any{"bytes.growSlice", float64(2), float64(249), float64(2)}
	if diff := cmp.Diff(want, d.Funcs[2][:]); diff != "" || d.Files[2] != "/go/src/bytes/buffer.go" {
		t.Errorf("function (-want +got):\n%s", diff)
	}
}

func TestFlameTones(t *testing.T) {
	for _, tt := range []struct {
		before, after float64
		clear         bool
		want          int
	}{
		{100, 100, true, 0}, {100, 99, true, 0}, {100, 40, false, 0}, {100, 40, true, -3}, {100, 70, true, -2}, {100, 90, true, -1},
		{100, 110, true, 1}, {100, 150, true, 2}, {100, 200, true, 3}, {0, 1, true, 3}, {1, 0, true, -3}, {0, 0, false, 0},
	} {
		f := model.Flame{Two: true, PerOp: true, Total: [2]float64{1000, 1000}, Funcs: []model.FlameFunc{{Name: "f"}}, Nodes: []model.FlameNode{
			{Func: -1, Parent: -1, Value: [2]float64{1000, 1000}}, {Func: 0, Value: [2]float64{tt.before, tt.after}, Clear: tt.clear},
		}}
		if got := newFlameTree(f, 1).tone[1]; got != tt.want {
			t.Errorf("%v → %v: tone %d; want %d", tt.before, tt.after, got, tt.want)
		}
		// Raw values say nothing; their shares do.
		f.PerOp, f.Total[1], f.Nodes[0].Value[1] = false, 2000, 2000
		f.Nodes[1].Value[1] *= 2
		if got := newFlameTree(f, 1).tone[1]; got != tt.want {
			t.Errorf("shares, %v → %v: tone %d; want %d", tt.before, tt.after, got, tt.want)
		}
	}
}

func TestFlameOfHostileNames(t *testing.T) {
	f := sampleFlame()
	const evil = `</script><script>alert(1)</script><!--"' onload="x` + "\x00\u202e\u2028]]>"
	f.Title = evil
	for i := range f.Funcs {
		f.Funcs[i].Name, f.Funcs[i].File = evil+strconv.Itoa(i), evil
	}
	f.Funcs[3].Name = strings.Repeat("long.", 100_000)
	page := flamePage(t, f, f)
	wellFormed(t, bare(t, page))
	if strings.ContainsAny(page, "\x00\u202e") || strings.Contains(page, "ZgotmplZ") {
		t.Error("something hidden is in the page, or the template refused a value")
	}
	if len(page) > 60_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// A graph may be empty, or a single node, or have values that are no numbers.
func TestFlameOfLittle(t *testing.T) {
	for name, f := range map[string]model.Flame{
		"nothing":   {},
		"no values": {Two: true, Nodes: []model.FlameNode{{Func: -1, Parent: -1}}},
		"one node":  {Unit: "bytes", Resource: "live", Total: [2]float64{5, 0}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{5, 0}, Self: [2]float64{5, 0}}}},
		"gone":      {Two: true, Total: [2]float64{5, 0}, Funcs: []model.FlameFunc{{Name: "f"}}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{5, 0}}, {Value: [2]float64{5, 0}, Clear: true}}},
		"infinite":  {Total: [2]float64{math.Inf(1), 0}, Nodes: []model.FlameNode{{Func: -1, Parent: -1, Value: [2]float64{math.Inf(1), math.NaN()}}}},
	} {
		t.Run(name, func(t *testing.T) {
			page := flamePage(t, f)
			wellFormed(t, bare(t, page))
			if m := regexp.MustCompile(`(NaN|Inf|e\+)[^<]*[%p]`).FindString(bare(t, page)); m != "" {
				t.Errorf("a coordinate is no number: %s", m)
			}
		})
	}
}

// wideFlame has n functions below one, each a little smaller than the last.
func wideFlame(n int) model.Flame {
	f := model.Flame{Title: "wide", Unit: "ns", Two: true, Nodes: []model.FlameNode{{Func: -1, Parent: -1}}}
	for i := range n {
		v := float64(2*n - i)
		f.Funcs = append(f.Funcs, model.FlameFunc{Name: fmt.Sprintf("example.com/some/module/with/a/path%d.(*Type).Method%d", i%100, i), File: fmt.Sprintf("/home/someone/src/module/path%d/file%d.go", i%100, i%700), Line: i})
		f.Nodes = append(f.Nodes, model.FlameNode{Func: i, Parent: i / 4, Value: [2]float64{v, v / 2}, Self: [2]float64{v, v / 2}, Clear: true})
		f.Total[0], f.Total[1] = f.Total[0]+v, f.Total[1]+v/2
	}
	f.Nodes[0].Value = f.Total
	return f
}

func TestFlameIsBounded(t *testing.T) {
	for _, n := range []int{3000, 10_000} {
		page := flamePage(t, wideFlame(n))
		if len(page) > 400_000 {
			t.Errorf("%d functions: the page has %d bytes", n, len(page))
		}
		d := dataOf(t, wideFlame(n))
		if nodes := len(d.Nodes) / d.Columns; nodes > flameNodes || nodes < flameNodes/2 {
			t.Errorf("%d functions: %d nodes are on the page", n, nodes)
		}
		if boxes := strings.Count(page, "%;top:"); boxes > flameBoxes || boxes < 2 {
			t.Errorf("%d functions: %d boxes", n, boxes)
		}
	}
	if v := newFlame(wideFlame(10_000), "x", 1); !strings.Contains(v.Small, " parts of less than 0.1 % each") {
		t.Errorf("what is left out: %s", v.Small)
	}
}

// A page with many graphs is hardly larger than one with four.
func TestFlamesShareAPage(t *testing.T) {
	many := make([]model.Flame, 16)
	for i := range many {
		many[i] = wideFlame(4000)
	}
	if page := flamePage(t, many...); len(page) > 1_600_000 {
		t.Errorf("16 graphs make a page of %d bytes", len(page))
	}
}

// Boxes stay within the one above, whatever is not shown beside them, and only
// those with room have a label.
func TestFlameBoxes(t *testing.T) {
	for _, b := range newFlame(sampleFlame(), "x", 1).Boxes {
		x, errX := strconv.ParseFloat(b.X, 64)
		w, errW := strconv.ParseFloat(b.W, 64)
		if errX != nil || errW != nil || x < 0 || x+w > 100.01 {
			t.Errorf("box %+v", b)
		}
		if w < 3 && b.Text != "" {
			t.Errorf("a label on a box of %v %%: %s", w, b.Text)
		}
	}
}

func TestPageScript(t *testing.T) {
	js := asset("page.js")
	if len(js) > 12<<10 || !strings.HasPrefix(js, "'use strict';") {
		t.Errorf("the script has %d bytes, or is not strict", len(js))
	}
	for _, not := range []string{"</", "<!--", "innerHTML", "eval(", "http:", "https:", "fetch(", "import(", "insertAdjacentHTML", "document.write"} {
		if strings.Contains(js, not) {
			t.Errorf("the script has %q", not)
		}
	}
	var p pageFrame
	p.withFlames([]flameView{{}})
	if p.Script != template.JS(js) {
		t.Error("a page with a flame graph does not have the script")
	}
}

// No name leaves its place on the page.
func FuzzFlamePage(f *testing.F) {
	f.Add("</script><!--", "</title>")
	f.Add("a\xff[b/c]d", `"><x y=`)
	tmpl := template.Must(template.ParseFS(pageFiles, "page/flame.html"))
	f.Fuzz(func(t *testing.T, name, file string) {
		if strings.ContainsAny(name+file, "\ufffe\uffff") { // which XML does not have
			t.Skip()
		}
		fl := sampleFlame()
		fl.Title, fl.Funcs[1].Name, fl.Funcs[1].File = name, name, file
		var buf bytes.Buffer
		if err := tmpl.ExecuteTemplate(&buf, "flame", newFlame(fl, "x", 1)); err != nil {
			t.Fatal(err)
		}
		page := string(bytes.Map(visible, buf.Bytes()))
		wellFormed(t, bare(t, page))
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%d scripts", n)
		}
	})
}
