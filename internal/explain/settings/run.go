package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/manifest"
	"github.com/pawl-dev/pawl/rules/rule"
)

func (a *audit) judgeRun(p process) {
	a.collector(p)
	a.limit(p)
	a.threads(p)
}

// collector finds a GOGC that is none, or that lets the heap grow without end.
func (a *audit) collector(p process) {
	s := manifest.Find(p.Env, "GOGC")
	if s == nil || s.Open || s.Value == "" {
		return
	}
	if _, err := strconv.ParseInt(s.Value, 10, 32); err != nil && s.Value != "off" {
		a.report(remark{
			rule: "gogc", about: memory, tier: rule.Always, at: s.At,
			text: fmt.Sprintf("GOGC=%s is no number and not off: the runtime takes 100 and says nothing", s.Value),
		})
	}
	limited := a.env(p, "GOMEMLIMIT") != nil || p.kind == "Dockerfile" && a.limited()
	if s.Value == "off" && !limited && a.says("runtime/debug.SetMemoryLimit", automemlimit) == nil {
		r := remark{
			rule: "gogc", about: memory, tier: rule.Always, at: s.At,
			text: "GOGC=off without a GOMEMLIMIT: nothing is ever collected, and the heap grows until the process is killed",
			try:  "GOMEMLIMIT beside it, some way below what the process may have",
		}
		if p.Memory != nil {
			r.text += ", here at " + p.Memory.Value
			r.also = []model.Pos{p.Memory.At}
		}
		a.report(r)
	}
}

// automemlimit sets GOMEMLIMIT by the container's limit.
const automemlimit = "github.com/KimMachineGun/automemlimit"

// says returns the first of some names that the code has.
func (a *audit) says(names ...string) *manifest.Setting {
	for _, name := range names {
		if s := manifest.Find(a.code, name); s != nil {
			return s
		}
	}
	return nil
}

// limit finds a GOMEMLIMIT that the runtime refuses, or that comes too late.
func (a *audit) limit(p process) {
	s := a.env(p, "GOMEMLIMIT")
	switch {
	case s == nil:
		if p.Memory != nil && !p.Memory.Open && p.Image != "" && a.own(p) && a.says("runtime/debug.SetMemoryLimit", automemlimit) == nil {
			a.report(remark{
				rule: "gomemlimit", about: memory, at: p.Memory.At,
				text: fmt.Sprintf("a memory limit of %s that the runtime does not know of: a spike of garbage can end in a kill", p.Memory.Value),
				try:  "GOMEMLIMIT some way below it; pawl diagnose -metrics shows how far the live heap is",
			})
		}
		return
	case s.Value == manifest.From+"limits.memory":
		a.report(remark{
			rule: "gomemlimit", about: memory, tier: rule.Always, at: s.At,
			text: "GOMEMLIMIT is the container's own limit: the kernel kills the process as soon as the runtime would begin to hold back, since the limit also counts what the runtime does not know of",
			try:  "a value some tenths below the limit",
		})
		return
	case s.Open, s.Value == "off":
		return
	}
	bytes, ok := goBytes(s.Value)
	if !ok {
		a.report(remark{
			rule: "gomemlimit", about: memory, tier: rule.Always, at: s.At,
			text: fmt.Sprintf("GOMEMLIMIT=%s is malformed: a Go program stops at its start with it. Its units are B, KiB, MiB, GiB and TiB", s.Value),
		})
		return
	}
	if p.Memory == nil || p.Memory.Open {
		return
	}
	if most, ok := cgroup.Size(p.Memory.Value); ok && bytes >= most {
		a.report(remark{
			rule: "gomemlimit", about: memory, tier: rule.Always, at: s.At, also: []model.Pos{p.Memory.At},
			text: fmt.Sprintf("GOMEMLIMIT=%s is not below the limit of %s: the process is killed before the runtime holds back", s.Value, p.Memory.Value),
			try:  fmt.Sprintf("GOMEMLIMIT=%dMiB, a tenth below the limit, and more where C or mapped files take memory", int64(0.9*most)>>20),
		})
	}
}

// goBytes reads a size as the runtime does.
func goBytes(s string) (float64, bool) {
	number := strings.TrimRight(s, "TGMKiB")
	n, err := strconv.ParseUint(number, 10, 63)
	unit := map[string]float64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[s[len(number):]]
	return float64(n) * unit, err == nil && unit > 0
}

// cores reads a limit of CPU time: 1500m, 1.5, or 150%.
func cores(s string) (float64, bool) {
	for suffix, of := range map[string]float64{"m": 1000, "%": 100} {
		if number, ok := strings.CutSuffix(s, suffix); ok {
			n, err := strconv.ParseFloat(number, 64)
			return n / of, err == nil
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// threads finds a GOMAXPROCS beside which the limit is, or that knows of none.
func (a *audit) threads(p process) {
	s := manifest.Find(p.Env, "GOMAXPROCS")
	if s == nil || s.Open || s.Value == "" {
		return
	}
	if strings.HasPrefix(s.Value, manifest.From) {
		a.threadsFrom(p, *s)
		return
	}
	n, err := strconv.Atoi(s.Value)
	if err != nil || n < 1 {
		a.report(remark{
			rule: "gomaxprocs", about: speed, at: s.At,
			text: fmt.Sprintf("GOMAXPROCS=%s is no whole number above zero: the runtime passes over it and says nothing", s.Value),
		})
		return
	}
	quota, known := 0.0, false
	if p.CPU != nil && !p.CPU.Open {
		quota, known = cores(p.CPU.Value)
	}
	r := remark{rule: "gomaxprocs", about: speed, at: s.At, try: "leave GOMAXPROCS out: from go 1.25 in go.mod on the runtime follows the limit"}
	switch {
	case known && n > max(1, int(math.Ceil(quota))):
		r.text = fmt.Sprintf("GOMAXPROCS=%d above a CPU limit of %s: that many threads use the quota up early, and then all wait for the next period", n, p.CPU.Value)
	case known && float64(n) < math.Floor(quota):
		r.text = fmt.Sprintf("GOMAXPROCS=%d below a CPU limit of %s: Go code never uses what is there", n, p.CPU.Value)
	case !a.since("go1.25") || !a.own(p):
		return
	case p.kind == "Dockerfile":
		r.text = fmt.Sprintf("GOMAXPROCS=%d for every container of the image, which switches off that the runtime follows the CPU limit by itself", n)
		if fix := a.delete(*s, "Leave GOMAXPROCS to the runtime"); fix != nil && among(a.texts[s.At.File], *s) {
			r.fix, r.class = fix, "B"
		}
	default:
		r.tier = rule.Special
		r.text = fmt.Sprintf("GOMAXPROCS=%d is fixed, so that the runtime does not follow the CPU limit when it changes", n)
	}
	if p.CPU != nil {
		r.also = []model.Pos{p.CPU.At}
	}
	a.report(r)
}

// among reports whether a setting stands behind another one of its instruction, so
// that the instruction has something left without it.
func among(src []byte, s manifest.Setting) bool {
	line := src[:s.Start]
	if i := strings.LastIndexByte(string(line), '\n'); i >= 0 {
		line = line[i+1:]
	}
	return strings.Contains(string(line), "=")
}

// threadsFrom looks at a GOMAXPROCS that is taken from the container's limit.
func (a *audit) threadsFrom(p process, s manifest.Setting) {
	if !a.since("go1.25") || !a.own(p) {
		return
	}
	r := remark{rule: "gomaxprocs", about: speed, at: s.At, try: "leave GOMAXPROCS out: the runtime does it by itself from go 1.25 in go.mod on"}
	switch {
	case !strings.Contains(s.Value, "cpu"):
		return
	case p.CPU == nil && strings.Contains(s.Value, "limits"):
		r.text = "GOMAXPROCS is taken from a CPU limit, and there is none here: it becomes the processors of the whole machine, and stays so"
		r.tier = rule.Special
	case strings.Contains(s.Value, "requests"):
		r.text = "GOMAXPROCS is taken from the CPU request, which is no limit: Go code never uses more, though it may"
		r.tier = rule.Special
	default:
		r.tier = rule.Special
		r.text = "GOMAXPROCS is taken from the CPU limit once, at start; the runtime would follow it when it changes, and not go below 2"
	}
	a.report(r)
}

const automaxprocs = "go.uber.org/automaxprocs"

// processors finds what keeps the runtime from following the CPU limit: code that
// sets GOMAXPROCS, and a go line from before it did.
func (a *audit) processors() {
	if a.goLine == nil {
		a.compat()
		return
	}
	off := a.says("GODEBUG containermaxprocs", "GODEBUG updatemaxprocs")
	auto := a.says(automaxprocs)
	if !a.since("go1.25") {
		at := a.contained()
		if auto == nil && off == nil && at != nil && a.says("runtime.GOMAXPROCS") == nil {
			a.report(remark{
				rule: "gomaxprocs", about: speed, at: a.goLine.At, also: []model.Pos{*at}, class: "B",
				text: fmt.Sprintf("go %s in go.mod, for a program in a container: below 1.25 GOMAXPROCS is the machine's processors, whatever CPU limit the container has", a.goLine.Value),
				try:  "a go line of 1.25 or later, with its other changes of GODEBUG in mind, or godebug containermaxprocs=1 and updatemaxprocs=1",
				fix:  &model.Fix{Title: "Raise the go line", Edits: []model.Edit{{File: a.goLine.At.File, Start: a.goLine.Start, End: a.goLine.End, New: "go 1.25.0"}}},
			})
		}
		return
	}
	if off != nil && off.Value == "0" {
		return // somebody decided
	}
	for _, s := range a.code {
		switch {
		case s.Name == automaxprocs:
			r := remark{
				rule: "gomaxprocs", about: speed, at: s.At, class: "N",
				text: fmt.Sprintf("automaxprocs sets GOMAXPROCS once, at start, where there is a CPU limit; with go %s the runtime follows the limit by itself, which this switches off", a.goLine.Value),
				try:  "leave it out, then go mod tidy",
			}
			if s.Value == "_" && s.End > 0 {
				r.fix, r.class = a.delete(s, "Leave GOMAXPROCS to the runtime"), "B"
			}
			a.report(r)
		case s.Name == "runtime.GOMAXPROCS" && a.pins(s.Value):
			a.report(remark{
				rule: "gomaxprocs", about: speed, at: s.At,
				text: fmt.Sprintf("runtime.GOMAXPROCS(%s) at start switches off that the runtime follows the CPU limit by itself", s.Value),
				try:  "pawl find -fix takes it out where that is safe",
			})
		}
	}
}

// compat finds a binary that was built for the go line of before.
func (a *audit) compat() {
	if s := a.says("DefaultGODEBUG"); s != nil && strings.Contains(s.Value, "containermaxprocs=0") && a.says(automaxprocs) == nil {
		a.report(remark{
			rule: "gomaxprocs", about: speed, tier: rule.Special, at: s.At,
			text: "built with a go line below 1.25: GOMAXPROCS is the machine's processors, whatever CPU limit a container has",
			try:  "GODEBUG=containermaxprocs=1,updatemaxprocs=1 in the container's environment, and a later go line for the next build",
		})
	}
}

// pins reports whether an argument of GOMAXPROCS is the machine's processors, or a
// number for a program that something limits.
func (a *audit) pins(arg string) bool {
	if arg == "runtime.NumCPU()" {
		return true
	}
	n, err := strconv.Atoi(arg)
	return err == nil && n > 1 && a.contained() != nil
}

// contained returns where it is said that a program of the module runs in a
// container.
func (a *audit) contained() *model.Pos {
	for _, p := range a.runs {
		if p.CPU != nil && a.own(p) {
			return &p.CPU.At
		}
	}
	for _, p := range a.runs {
		if p.kind == "Dockerfile" && a.own(p) {
			return &p.At
		}
	}
	return nil
}
