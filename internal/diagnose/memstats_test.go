package diagnose

import (
	"math"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

const mib = 1 << 20

// memText is the end of a heap profile as text, as Go 1.26 writes it.
const memText = `heap profile: 1: 48 [1: 49] @ heap/1048576
1: 48 [1: 48] @ 0x487725 0x423605
#	0x65150b	main.f+0x4b	/src/main.go:259


# runtime.MemStats
# Alloc = 62914560
# TotalAlloc = 900000000
# Sys = 419430400
# Lookups = 0
# Mallocs = 5000
# Frees = 4000
# HeapAlloc = 62914560
# HeapSys = 377487360
# HeapIdle = 293601280
# HeapInuse = 83886080
# HeapReleased = 83886080
# HeapObjects = 1000
# Stack = 10485760 / 10485760
# MSpan = 24000 / 1048576
# MCache = 4592 / 1048576
# BuckHashSys = 2097152
# GCSys = 20971520
# OtherSys = 6291456
# NextGC = 83886080
# LastGC = 1763749499000000000
# PauseNs = [1 2 3]
# PauseEnd = [1 2 3]
# NumGC = 12
# NumForcedGC = 1
# GCCPUFraction = 0.013
# DebugGC = false
# MaxRSS = 524288000
`

func TestMemStats(t *testing.T) {
	m, err := ParseMemStats(strings.NewReader(memText))
	if err != nil {
		t.Fatal(err)
	}
	if m.Sys != 400*mib || m.HeapReleased != 80*mib || m.StackSys != 10*mib || m.MSpanInuse != 24000 || m.NumGC != 12 || m.GCCPUFraction != 0.013 || m.MaxRSS != 500*mib {
		t.Errorf("%+v", m)
	}
	replace := func(old, new string) string { return strings.Replace(memText, old, new, 1) }
	for name, tt := range map[string]struct{ text, want string }{
		"empty":                  {"", "no Sys in the text"},
		"a page":                 {"<html>", "no Sys in the text"},
		"cut":                    {memText[:strings.Index(memText, "# HeapReleased")], "no HeapReleased"},
		"no number":              {replace("# Sys = 419430400", "# Sys = many"), `Sys = "many"`},
		"below zero":             {replace("# Sys = 419430400", "# Sys = -1"), "whole number"},
		"one figure for two":     {replace("10485760 / 10485760", "10485760"), "1 figures, want 2"},
		"a share above all":      {replace("0.013", "NaN"), "not a share"},
		"larger than the system": {replace("HeapIdle = 293601280", "HeapIdle = 993601280"), "larger than Sys"},
		"too much given back":    {replace("HeapReleased = 83886080", "HeapReleased = 393886080"), "larger than HeapIdle"},
		"no address space":       {replace("Sys = 419430400", "Sys = 9219430400419430400"), "address space"},
		"before the heading":     {strings.Replace(memText, "# runtime.MemStats", "", 1), "no Sys in the text"},
	} {
		if _, err := ParseMemStats(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
	long := replace("# PauseNs = [1 2 3]", "# PauseNs = ["+strings.Repeat("0 ", 1<<20)+"]\r")
	if _, err := ParseMemStats(strings.NewReader(long)); err != nil {
		t.Errorf("with a long line: %v", err)
	}
}

// Parts add up to what Go holds, and the largest comes first.
func TestMemory(t *testing.T) {
	m, err := ParseMemStats(strings.NewReader(memText))
	if err != nil {
		t.Fatal(err)
	}
	sizes := func(m *model.Memory) map[string]uint64 {
		out, sum := map[string]uint64{}, uint64(0)
		for _, p := range m.Parts {
			out[p.Name], sum = p.Bytes/mib, sum+p.Bytes
			if p.Title == "" || p.Lever == "" || p.Before == "" || p.Gap == "" || len(p.Rules) == 0 || p.Rules[0].Title == "" {
				t.Errorf("%s leaves something out: %+v", p.Name, p)
			}
		}
		if sum != m.Held {
			t.Errorf("parts add up to %d of %d", sum, m.Held)
		}
		return out
	}
	got := Memory("x", m, 40*mib)
	want := map[string]uint64{"idle": 200, "live": 40, "garbage": 20, "holes": 20, "stacks": 10, "runtime": 30}
	for name, n := range sizes(got) {
		if want[name] != n {
			t.Errorf("%s: %d MiB, want %d", name, n, want[name])
		}
	}
	if got.Held != 320*mib || got.Outside != 100*mib || got.Parts[0].Name != memIdle || got.StandsOut != 1 || math.Abs(got.Parts[0].Share-0.625) > 1e-9 {
		t.Errorf("%+v", got)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Seen, "100 MiB that are not Go's") {
		t.Errorf("warnings %+v", got.Warnings)
	}
	if n := sizes(Memory("x", m, 999*mib)); n["live"] != 60 || n["garbage"] != 0 {
		t.Errorf("an estimate above what there is: %v", n)
	}
	for rss, want := range map[uint64]string{200 * mib: "never above 200 MiB", 800 * mib: "not Go's"} {
		m.MaxRSS = rss
		if got := Memory("x", m, 40*mib); len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0].Seen, want) {
			t.Errorf("at a peak of %d: %+v", rss, got.Warnings)
		}
	}
	m.MaxRSS, m.NumGC = 0, 0
	if got := Memory("x", m, -1); got.Outside != 0 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Try, "gc=1") {
		t.Errorf("of a system that does not say: %+v", got)
	}
}

// Whatever the text is, there is an error or the parts add up.
func FuzzMemStats(f *testing.F) {
	f.Add(memText, 1e6)
	f.Add(memText[:700], -1.0)
	f.Add("# runtime.MemStats\n# Stack = 1 / 2\n# MaxRSS = 18446744073709551615\n", 0.0)
	f.Fuzz(func(t *testing.T, text string, live float64) {
		m, err := ParseMemStats(strings.NewReader(text))
		if err != nil {
			return
		}
		got := Memory("x", m, live)
		if got.Held > got.Sys || got.StandsOut > len(got.Parts) {
			t.Errorf("%+v", got)
		}
		for _, p := range got.Parts {
			if p.Bytes > 5*m.Sys {
				t.Errorf("%s has %d bytes of %d", p.Name, p.Bytes, m.Sys)
			}
		}
	})
}
