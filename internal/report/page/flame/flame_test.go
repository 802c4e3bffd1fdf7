package flame

import (
	"bytes"
	"encoding/json"
	"html/template"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page"
)

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
	if err := json.Unmarshal([]byte(newView(f, "x", 1).Data), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The data holds what the graph does, to a part in ten million.
func TestFlameData(t *testing.T) {
	f := specimen.Flame()
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

func TestFlameIsBounded(t *testing.T) {
	for _, n := range []int{3000, 10_000} {
		d := dataOf(t, specimen.WideFlame(n))
		if nodes := len(d.Nodes) / d.Columns; nodes > flameNodes || nodes < flameNodes/2 {
			t.Errorf("%d functions: %d nodes are on the page", n, nodes)
		}
		if boxes := len(newView(specimen.WideFlame(n), "x", 1).Boxes); boxes > flameBoxes || boxes < 1 {
			t.Errorf("%d functions: %d boxes", n, boxes)
		}
	}
	if v := newView(specimen.WideFlame(10_000), "x", 1); !strings.Contains(v.Small, " parts of less than 0.1 % each") {
		t.Errorf("what is left out: %s", v.Small)
	}
}

// Boxes stay within the one above, whatever is not shown beside them, and only
// those with room have a label.
func TestFlameBoxes(t *testing.T) {
	for _, b := range newView(specimen.Flame(), "x", 1).Boxes {
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
	js := string(Script)
	if len(js) > 12<<10 || !strings.HasPrefix(js, "'use strict';") {
		t.Errorf("the script has %d bytes, or is not strict", len(js))
	}
	for _, not := range []string{"</", "<!--", "innerHTML", "eval(", "http:", "https:", "fetch(", "import(", "insertAdjacentHTML", "document.write"} {
		if strings.Contains(js, not) {
			t.Errorf("the script has %q", not)
		}
	}
	var p page.Frame
	Add(&p, []View{{}})
	if p.Script != template.JS(js) {
		t.Error("a page with a flame graph does not have the script")
	}
}

// No name leaves its place on the page.
func FuzzFlamePage(f *testing.F) {
	f.Add("</script><!--", "</title>")
	f.Add("a\xff[b/c]d", `"><x y=`)
	tmpl := template.Must(template.ParseFS(Files, "flame.html"))
	f.Fuzz(func(t *testing.T, name, file string) {
		if strings.ContainsAny(name+file, "\ufffe\uffff") { // which XML does not have
			t.Skip()
		}
		fl := specimen.Flame()
		fl.Title, fl.Funcs[1].Name, fl.Funcs[1].File = name, name, file
		var buf bytes.Buffer
		if err := tmpl.ExecuteTemplate(&buf, "flame", newView(fl, "x", 1)); err != nil {
			t.Fatal(err)
		}
		page := string(bytes.Map(page.Visible, buf.Bytes()))
		specimen.WellFormed(t, specimen.Bare(t, page, Script))
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%d scripts", n)
		}
	})
}
