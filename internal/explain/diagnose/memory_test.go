package diagnose

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile/memstats"
)

const mib = 1 << 20

// memText is the end of a heap profile as text.
var memText = func() string {
	data, err := os.ReadFile("../../read/profile/memstats/testdata/heap.txt")
	if err != nil {
		panic(err)
	}
	return string(data)
}()

// Parts add up to what Go holds, and the largest comes first.
func TestMemory(t *testing.T) {
	t.Parallel()
	m, err := memstats.Read(strings.NewReader(memText))
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
func FuzzMemory(f *testing.F) {
	f.Add(memText, 1e6)
	f.Add(memText[:700], -1.0)
	f.Add("# runtime.MemStats\n# Stack = 1 / 2\n# MaxRSS = 18446744073709551615\n", 0.0)
	f.Fuzz(func(t *testing.T, text string, live float64) {
		m, err := memstats.Read(strings.NewReader(text))
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
