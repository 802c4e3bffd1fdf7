package watch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/model"
)

// spentOn is a CPU profile of a build, with so many samples of each function.
func spentOn(t *testing.T, build string, samples map[string]int64) []byte {
	t.Helper()
	p := &pprof.Profile{DurationNanos: 1e10, Period: 1e7, PeriodType: &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"},
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Mapping:    []*pprof.Mapping{{ID: 1, Limit: 1 << 20, BuildID: build, HasFunctions: true}}}
	for name, n := range samples {
		id := uint64(len(p.Function) + 1)
		fn := &pprof.Function{ID: id, Name: name, Filename: "/src/m.go"}
		at := &pprof.Location{ID: id, Mapping: p.Mapping[0], Address: id, Line: []pprof.Line{{Function: fn, Line: 1}}}
		p.Function, p.Location = append(p.Function, fn), append(p.Location, at)
		p.Sample = append(p.Sample, &pprof.Sample{Location: []*pprof.Location{at}, Value: []int64{n, n * 1e7},
			Label: map[string][]string{"handler": {"/" + name[len(name)-1:]}}})
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// promisedBy is a kept change that saves 80 % of a function.
func promisedBy(f string) model.Attempt {
	return model.Attempt{Change: model.Change{ID: f, Title: "Spend less in " + f}, Outcome: model.Kept,
		Driven:   []model.Driven{{Func: f, At: model.Pos{File: "m.go"}}},
		Verdicts: []model.Verdict{{Metric: "cpu/op", Answer: model.Faster, Change: -0.8, Lo: -0.9, Hi: -0.7}}}
}

// deployedAt is when captures begin to be of the new build.
var deployedAt = time.Unix(3600, 0).UTC()

// watchedDeploy keeps six captures of each of two builds.
func watchedDeploy(t *testing.T, builds [2]string, before, after map[string]int64) string {
	t.Helper()
	root := t.TempDir()
	r, err := ring.Open(Dir(root, "api"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range 12 {
		at, build, samples := deployedAt.Add(time.Duration(i-6)*time.Minute), builds[0], before
		if i >= 6 {
			build, samples = builds[1], after
		}
		c := ring.Capture{From: at, Until: at.Add(10 * time.Second), Run: i/6 + 1, Profiles: []ring.Profile{{Kind: cpuKind, Seconds: 10}}}
		if err := r.Add(c, map[string][]byte{cpuKind: spentOn(t, build, samples)}); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestClaim(t *testing.T) {
	before := map[string]int64{"m.F": 200, "m.G": 200, "m.rest": 400}
	for _, tt := range []struct {
		name  string
		after map[string]int64
		want  []model.ClaimVerdict // of F, of G, of all
	}{
		{"both", map[string]int64{"m.F": 80, "m.G": 80, "m.rest": 800}, []model.ClaimVerdict{model.ClaimArrived, model.ClaimArrived, model.ClaimArrived}},
		{"one", map[string]int64{"m.F": 40, "m.G": 200, "m.rest": 400}, []model.ClaimVerdict{model.ClaimArrived, model.ClaimMissing, model.ClaimMissing}},
		{"renamed", map[string]int64{"m.F": 40, "m.H": 40, "m.rest": 400}, []model.ClaimVerdict{model.ClaimArrived, model.ClaimUndecided, model.ClaimUndecided}},
	} {
		o := ClaimOptions{Root: watchedDeploy(t, [2]string{"b1", "b2"}, before, tt.after), Service: "api",
			Run: &model.Run{ID: "r", Attempts: []model.Attempt{promisedBy("m.F"), promisedBy("m.G"), {Outcome: model.Kept}, {Outcome: model.RolledBack}}}}
		c, err := Claim(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if len(c.Arrivals) != 2 || len(c.Unpromised) != 1 || c.Before.Captures != 6 || c.After.Build != "b2" {
			t.Fatalf("%s: %+v", tt.name, c)
		}
		if got := []model.ClaimVerdict{c.Arrivals[0].Verdict, c.Arrivals[1].Verdict, c.Verdict}; fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v; want %v", tt.name, got, tt.want)
		}
		if got := c.Arrivals[0].CPUBefore; got != 0.25 {
			t.Errorf("%s: F was %v of the CPU time", tt.name, got)
		}
	}
}

// What cannot be compared is an error that says what is missing.
func TestClaimRefuses(t *testing.T) {
	samples := map[string]int64{"m.F": 100, "m.rest": 100}
	run := &model.Run{ID: "r", Attempts: []model.Attempt{promisedBy("m.F")}}
	one, unnamed := watchedDeploy(t, [2]string{"b1", "b1"}, samples, samples), watchedDeploy(t, [2]string{}, samples, samples)
	for _, tt := range []struct {
		o    ClaimOptions
		want string
	}{
		{ClaimOptions{Root: one, Run: run}, "all profiles of api are of one build, b1"},
		{ClaimOptions{Root: unnamed, Run: run}, "do not name their build"},
		{ClaimOptions{Root: unnamed, Run: run, Deployed: deployedAt}, ""},
		{ClaimOptions{Root: unnamed, Run: run, Deployed: deployedAt.Add(time.Hour)}, "nothing is kept of api after the deploy"},
		{ClaimOptions{Root: filepath.Join(one, "nowhere"), Run: run}, "nothing was kept of api"},
		{ClaimOptions{Root: one, Run: &model.Run{ID: "r"}}, "kept no change"},
		{ClaimOptions{Root: one, Run: &model.Run{ID: "r", Attempts: []model.Attempt{{Outcome: model.Kept}}}}, "promised nothing that profiles could show"},
		{ClaimOptions{Root: unnamed, Run: run, Deployed: deployedAt, Service: "api?handler=/F"}, "all samples are in changed functions"},
		{ClaimOptions{Root: unnamed, Run: run, Deployed: deployedAt, Service: "api?handler=/x"}, "no sample has these labels"},
	} {
		if tt.o.Service == "" {
			tt.o.Service = "api"
		}
		c, err := Claim(t.Context(), tt.o)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case c.Verdict == model.ClaimUndecided:
			got = c.Arrivals[0].Why
		}
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%q; want %q", got, tt.want)
		}
	}
}
