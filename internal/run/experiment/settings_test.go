package experiment

import (
	"slices"
	"strings"
	"testing"
)

func names(all []setting) []string {
	var out []string
	for _, s := range all {
		out = append(out, s.String())
	}
	return out
}

func TestRuntimeSettings(t *testing.T) {
	t.Parallel()
	p := present{gogc: "200", peak: 10 << 20, cpus: 4}
	for list, want := range map[string][]string{
		"gogc":            {"GOGC=50", "GOGC=400"},
		"gomemlimit":      {"GOMEMLIMIT=16MiB", "GOMEMLIMIT=21MiB", "GOMEMLIMIT=41MiB"},
		"gomaxprocs":      {"GOMAXPROCS=1", "GOMAXPROCS=2"},
		"gogc,gomemlimit": {"GOGC=50", "GOGC=400", "GOGC=off GOMEMLIMIT=16MiB", "GOGC=off GOMEMLIMIT=21MiB", "GOGC=off GOMEMLIMIT=41MiB"},
	} {
		of, err := ParseNames(list)
		if err != nil {
			t.Fatal(err)
		}
		all, not := p.runtime(of)
		if got := names(all); !slices.Equal(got, want) || len(not) > 0 {
			t.Errorf("%s: %v %v, want %v", list, got, not, want)
		}
	}
	// Without a limit, GOGC=off would never collect.
	if all, not := (present{cpus: 1}).runtime(settingNames()); len(not) != 2 || strings.Contains(strings.Join(names(all), " "), "off") {
		t.Errorf("memory and processors not known: %v %v", names(all), not)
	}
	if _, err := ParseNames("gogc,speed"); err == nil {
		t.Error("speed is a setting")
	}
}

func TestBuildSettings(t *testing.T) {
	t.Parallel()
	all, not := present{goamd64: "v1", runs: 3, profile: "p.pgo"}.build(settingNames())
	if got := names(all); !slices.Equal(got, []string{"-pgo", "GOAMD64=v2", "GOAMD64=v3"}) || len(not) > 0 {
		t.Errorf("%v %v", got, not)
	}
	if all, not = (present{goamd64: "v1", runs: 1}).build(settingNames()); len(all) > 0 || len(not) != 2 {
		t.Errorf("%v %v", names(all), not)
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	v2 := "fpu cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
	v3 := v2 + " avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"
	v4 := v3 + " avx512f avx512bw avx512cd avx512dq avx512vl"
	for i, flags := range []string{"fpu", v2, v3, v4} {
		if got := level(flags); got != i+1 {
			t.Errorf("%s: v%d", flags, got)
		}
	}
}
