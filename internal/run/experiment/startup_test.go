package experiment

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const trace = `listening on :80
init internal/godebugs @0.01 ms, 0 ms clock, 0 bytes, 0 allocs
init example.com/m/big @2.5 ms, 1.5 ms clock, 1048576 bytes, 12 allocs
init broken @x ms, 1 ms clock
`

func TestInits(t *testing.T) {
	t.Parallel()
	run := parseInits(trace)
	if x := run["example.com/m/big"]; len(run) != 2 || x.Ns != 1.5e6 || x.At != 2.5e6 || x.Bytes != 1<<20 || x.Allocs != 12 {
		t.Errorf("%+v", run)
	}
	other := map[string]model.Init{"example.com/m/big": {Pkg: "example.com/m/big", Ns: 3e6}}
	all := ranked([]map[string]model.Init{run, other, other})
	if len(all) != 2 || all[0].Pkg != "example.com/m/big" || all[0].Ns != 3e6 || all[0].Least != 1.5e6 || all[0].Most != 3e6 {
		t.Errorf("%+v", all)
	}
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	all := parseSymbols("  1000  64 T example.com/m.F\n  1040  36 T example.com/m.(*T).M\n  2000 500 B example.com/m.zero\n 3000 70 R type:*example.com/m.T\n  4 5 r gopkg.in/yaml%2ev3.x\n 9000 1000000 D example.com/m.zeros\n junk\n", func(addr uint64) bool { return addr == 0x9000 })
	want := []model.PkgSize{{Pkg: "example.com/m", Bytes: 100}, {Pkg: shared, Bytes: 70}, {Pkg: "gopkg.in/yaml.v3", Bytes: 5}}
	if !slices.EqualFunc(all, want, func(a, b model.PkgSize) bool { return a.Pkg == b.Pkg && a.Bytes == b.Bytes }) {
		t.Errorf("%+v", all)
	}
	if got := packageOf("example.com/m.F[go.shape.int]"); got != "example.com/m" {
		t.Error(got)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	got := paths([]gocmd.Package{
		{ImportPath: "m", Imports: []string{"a", "b"}}, {ImportPath: "a", Imports: []string{"c"}}, {ImportPath: "b", Imports: []string{"d"}},
		{ImportPath: "c", Imports: []string{"d"}}, {ImportPath: "d"},
	}, "m")
	if !slices.Equal(got["d"], []string{"m", "b", "d"}) || !slices.Equal(got["c"], []string{"m", "a", "c"}) {
		t.Errorf("%v", got)
	}
}

func TestStale(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]model.Freshness{
		"":                          {Share: 0.95, Samples: 10, Gone: []model.Gone{{Func: "m.F", Share: 0.04}}},
		"80.0 % of its samples map": {Share: 0.8, Samples: 10},
		"m.F, with 6.0 %":           {Share: 0.94, Samples: 10, Gone: []model.Gone{{Func: "m.F", Share: 0.06}}},
		"no sample maps":            {Samples: 10},
		"no sample is":              {},
	} {
		if got := stale(f); len(got) < len(want) || got[:len(want)] != want || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestListening(t *testing.T) {
	t.Parallel()
	args, addr, err := listening([]string{"-http", "{addr}", "-p={port}"})
	if err != nil || addr == "" || args[1] != addr || !strings.HasSuffix(addr, ":"+strings.TrimPrefix(args[2], "-p=")) {
		t.Errorf("%v %s %v", args, addr, err)
	}
	if args, addr, err := listening([]string{"-v"}); addr != "" || len(args) != 1 || err != nil {
		t.Errorf("%v %s %v", args, addr, err)
	}
}

// What answers is waited for, and what only listens is no answer.
func TestWaitFor(t *testing.T) {
	t.Parallel()
	answers := httptest.NewServer(http.NotFoundHandler())
	defer answers.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if took := waitFor(ctx, answers.Listener.Addr().String(), time.Now()); took <= 0 {
		t.Error(took)
	}
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if took := waitFor(short, mute.Addr().String(), time.Now()); took != 0 {
		t.Error(took)
	}
}

func TestFresher(t *testing.T) {
	t.Parallel()
	if got := strings.Join(fresher([]string{"a", "b"}, "m/app"), " "); got != "pawl tune -pgo a -pgo b -main m/app ./..." {
		t.Error(got)
	}
}
