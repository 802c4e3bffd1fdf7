package rank_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/escape"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/internal/rank"
)

var (
	fDir    = flag.String("real.dir", "", "")
	fRoot   = flag.String("real.root", "", "")
	fPkg    = flag.String("real.pkg", "", "")
	fBench  = flag.String("real.bench", "", "")
	fMem    = flag.String("real.mem", "", "")
	fRace   = flag.String("real.race", "", "")
	fCPU    = flag.String("real.cpu", "", "")
	fAllocs = flag.Float64("real.allocs", 0, "")
	fNs     = flag.Float64("real.ns", 0, "")
	fN      = flag.Int64("real.n", 2000, "")
)

func TestReal(t *testing.T) {
	if *fDir == "" {
		t.Skip()
	}
	ctx := context.Background()
	st := t.TempDir()
	g, err := gocmd.New(ctx, gocmd.Config{Dir: *fDir, Env: os.Environ(), GOWORK: "off", State: st})
	if err != nil {
		t.Fatal(err)
	}
	root := *fRoot
	if root == "" {
		root = *fDir
	}
	o := profile.Options{Root: root, ModuleDir: *fDir, ModCache: g.Vars["GOMODCACHE"], N: *fN, Total: *fAllocs}
	bm := model.Benchmark{Pkg: *fPkg, Name: *fBench}
	get := func(name string, res model.Resource, o profile.Options) ([]model.Cost, []model.Unexplained, *profile.Profile) {
		p, err := profile.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, u, err := p.Costs(bm, res, o)
		if err != nil {
			t.Fatal(err)
		}
		return c, u, p
	}
	t0 := time.Now()
	allocs, lost, _ := get(*fMem, model.Allocs, o)
	if *fRace != "" {
		rc, _, _ := get(*fRace, model.Allocs, o)
		var u []model.Unexplained
		before := len(allocs)
		allocs, u = profile.AddTiny(allocs, rc, *fAllocs)
		fmt.Printf("tiny: %d -> %d sites\n", before, len(allocs))
		lost = append(lost, u...)
	}
	co := o
	co.Total = *fNs
	cpu, u, p := get(*fCPU, model.CPU, co)
	lost = append(lost, u...)
	gc, err := p.GCShare(bm, co)
	fmt.Println("profiles:", time.Since(t0), "gc share", gc)
	pats := escape.Packages(allocs, false)
	t0 = time.Now()
	notes, err := escape.Take(ctx, g, escape.Config{Dir: st, Root: root, Patterns: pats, Pkgs: []string{*fPkg}})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("notes:", time.Since(t0), len(notes.All()), pats, notes.Warnings)
	src := func(f string) ([]byte, error) {
		if filepath.IsAbs(f) {
			return os.ReadFile(f)
		}
		return os.ReadFile(filepath.Join(root, f))
	}
	t0 = time.Now()
	ts, lost := rank.Targets(rank.Input{Allocs: map[model.Benchmark][]model.Cost{bm: allocs}, CPU: map[model.Benchmark][]model.Cost{bm: cpu},
		GCShare: map[model.Benchmark]float64{bm: gc}, Stats: map[model.Benchmark]model.Stats{bm: {Allocs: *fAllocs, CPUNs: *fNs}}, Notes: notes, Source: src, Unexplained: lost})
	fmt.Println("rank:", time.Since(t0))
	joined, joinedObj, obj := 0, 0.0, 0.0
	nAlloc := 0
	for _, x := range ts {
		fmt.Printf("%s %s at %s leaf %s per=%.3f B=%.0f share=%.3f cpu=%.3f ceil=%.3f\n    %s: %s\n", x.ID, x.Resource, x.At, x.Leaf.Pos(), x.PerOp, x.Bytes, x.Share, x.CPUShare, x.Ceiling, x.Reason.Kind, x.Reason.Text)
		var mods []string
		for _, f := range x.Stack {
			if f.Module || strings.HasSuffix(f.File, "_test.go") {
				mods = append(mods, f.Pos().String())
			}
		}
		fmt.Println("    via", mods)
		if x.Resource == model.Allocs {
			nAlloc++
			obj += x.PerOp
			if x.Reason.Kind == model.ReasonEscape {
				joined++
				joinedObj += x.PerOp
				for _, n := range x.Notes {
					if n.Kind == model.NoteEscape && testing.Verbose() {
						for _, s := range n.Flow {
							fmt.Println("       ", s.At, s.Text)
						}
					}
				}
			}
		}
	}
	for _, u := range lost {
		fmt.Printf("UNEXPLAINED %s %.3f %s %s\n", u.Resource, u.PerOp, u.Kind, u.Text)
	}
	fmt.Printf("joined %d/%d sites, %.3f/%.3f objects of %.3f\n", joined, nAlloc, joinedObj, obj, *fAllocs)
}
