package experiment

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/words"
)

// The names of what can be tried.
const (
	pgo        = "pgo"
	goamd64    = "goamd64"
	gogc       = "gogc"
	gomemlimit = "gomemlimit"
	gomaxprocs = "gomaxprocs"
)

// settingNames lists what can be tried.
func settingNames() []string { return []string{pgo, goamd64, gogc, gomemlimit, gomaxprocs} }

// A setting is one thing to try.
type setting struct {
	kind  string // as in settingNames; two with a plus sign
	name  string // where env and flags are not how one writes it
	env   []string
	flags []string // of the build
	price []string // what is paid for it that no measurement here shows
}

// String names a setting as one writes it on a command line.
func (s setting) String() string {
	return cmp.Or(s.name, strings.Join(slices.Concat(s.env, s.flags), " "))
}

// built reports whether it is one of the build.
func (s setting) built() bool { return s.kind == pgo || s.kind == goamd64 }

// A present is what settings depend on: what is set now, and what is used.
type present struct {
	goamd64 string  // "v1"; empty for other processors
	runs    int     // the highest level of GOAMD64 that this processor runs
	gogc    string  // "" where it is not set
	peak    float64 // resident memory, in bytes
	profile string  // of -pgo; "" where there is none
	cpus    int
	limits  cgroup.Limits // that it is tried under
}

// build lists the settings of the build that are to be tried, and why others
// cannot be.
func (p present) build(names []string) (all []setting, not []string) {
	if slices.Contains(names, pgo) {
		if p.profile == "" {
			not = append(not, "pgo: there is no profile; give one of the program at work with -pgo FILE")
		} else {
			all = append(all, setting{kind: pgo, name: "-pgo", flags: []string{"-pgo=" + p.profile}})
		}
	}
	if slices.Contains(names, goamd64) {
		levels := p.levels()
		if len(levels) == 0 {
			not = append(not, "goamd64: this is "+runtime.GOARCH+", or a processor that runs no other level than "+p.goamd64)
		}
		all = append(all, levels...)
	}
	return all, not
}

// oldest is the first processors that run a level of GOAMD64.
var oldest = []string{
	1: "any amd64 processor",
	2: "Intel Nehalem (2008), AMD Bulldozer (2011)",
	3: "Intel Haswell (2013), AMD Excavator (2015)",
	4: "Intel Skylake-X (2017), AMD Zen 4 (2022); not Intel's desktop processors from 2021 on",
}

func (p present) levels() []setting {
	var all []setting
	for n := 1; n <= p.runs && p.goamd64 != ""; n++ {
		if v := "v" + strconv.Itoa(n); v != p.goamd64 {
			all = append(all, setting{kind: goamd64, env: []string{"GOAMD64=" + v}, price: []string{"runs on " + oldest[n] + " and newer"}})
		}
	}
	return all
}

// percents are what GOGC is set to.
var percents = []string{"50", "200", "400"}

func (p present) runtime(names []string) (all []setting, not []string) {
	percent, limit := slices.Contains(names, gogc), slices.Contains(names, gomemlimit)
	if percent {
		for _, v := range percents {
			if v != p.gogc {
				all = append(all, setting{kind: gogc, env: []string{"GOGC=" + v}})
			}
		}
	}
	if limit && len(p.limited()) == 0 {
		not = append(not, "gomemlimit: the memory of a process is not told here, so there is nothing that a limit could be measured by")
	}
	for _, bytes := range p.limited() {
		if !limit {
			break
		}
		v := "GOMEMLIMIT=" + strconv.FormatInt(bytes>>20+1, 10) + "MiB"
		if percent { // only the limit is left to start a collection
			all = append(all, setting{kind: gogc + "+" + gomemlimit, env: []string{"GOGC=off", v}, price: []string{limitPrice}})
		} else {
			all = append(all, setting{kind: gomemlimit, env: []string{v}})
		}
	}
	if slices.Contains(names, gomaxprocs) {
		if p.cpus < 2 {
			not = append(not, "gomaxprocs: there is one processor here")
		}
		for _, n := range p.threads() {
			all = append(all, setting{kind: gomaxprocs, env: []string{"GOMAXPROCS=" + strconv.Itoa(n)}})
		}
	}
	return all, not
}

// limits are what GOMEMLIMIT is set to, in peaks of resident memory, and shares where
// there is a limit of memory.
var (
	limits = []float64{1.5, 2, 4}
	shares = []float64{0.6, 0.75, 0.9}
)

// limited lists the values of GOMEMLIMIT, the least first; none where nothing is known
// that they could be measured by.
func (p present) limited() []int64 {
	of, whole := limits, p.peak
	if p.limits.Memory > 0 {
		of, whole = shares, float64(p.limits.Memory)
	}
	var out []int64
	for _, x := range of {
		if whole > 0 {
			out = append(out, int64(x*whole))
		}
	}
	return out
}

// threads lists the values of GOMAXPROCS: powers of two below the processors, and with
// a quota what it comes to, twice that, and all.
func (p present) threads() []int {
	var out []int
	for n := 1; n < p.cpus; n *= 2 {
		out = append(out, n)
	}
	if p.limits.CPUs > 0 {
		whole := int(math.Ceil(p.limits.CPUs))
		out = []int{1, min(p.cpus, whole), min(p.cpus, 2*whole), p.cpus}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// limitPrice is what GOGC=off with a limit asks for.
const limitPrice = "collects all the time once the live heap comes near the limit"

// ParseNames reads what -try says.
func ParseNames(list string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); !slices.Contains(settingNames(), name) {
			return nil, fmt.Errorf("%s is none of %s", words.Quote(name), strings.Join(settingNames(), ", "))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// level returns the highest level of GOAMD64 that a processor with these flags
// runs, as Linux names them; 1 where it does not tell.
func level(flags string) int {
	has := make(map[string]bool)
	for _, f := range strings.Fields(flags) {
		has[f] = true
	}
	n := 1
	for _, needs := range [][]string{
		{"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"},
		{"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
		{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
	} {
		for _, f := range needs {
			if !has[f] {
				return n
			}
		}
		n++
	}
	return n
}
