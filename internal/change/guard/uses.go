package guard

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A use is what it means that code names an object of another package.
type use struct {
	kind model.SuspicionKind
	why  string
}

const (
	whyCollector = "sets or runs the garbage collector"
	whySchedule  = "sets how the program is scheduled"
	whyRunning   = "asks how the program was started or what is running"
	whyDefers    = "moves work to a time that no benchmark measures"
	whyOnce      = "does work once that the benchmark then does not pay for"
)

// Objects by package and name, or full name of a method; "*" is all of a
// package, its sub-packages included.
var watched = map[string][]use{
	"runtime.GC":                       {{model.SuspectRuntime, whyCollector}},
	"runtime.GOMAXPROCS":               {{model.SuspectRuntime, whySchedule}},
	"runtime.SetDefaultGOMAXPROCS":     {{model.SuspectRuntime, whySchedule}},
	"runtime.LockOSThread":             {{model.SuspectRuntime, whySchedule}},
	"runtime.UnlockOSThread":           {{model.SuspectRuntime, whySchedule}},
	"runtime.Gosched":                  {{model.SuspectRuntime, whySchedule}},
	"runtime.KeepAlive":                {{model.SuspectRuntime, "speaks to the garbage collector"}},
	"runtime.SetFinalizer":             {{model.SuspectRuntime, "speaks to the garbage collector"}, {model.SuspectSetup, whyDefers}},
	"runtime.AddCleanup":               {{model.SuspectRuntime, "speaks to the garbage collector"}, {model.SuspectSetup, whyDefers}},
	"runtime.MemProfileRate":           {{model.SuspectRuntime, "sets how profiles are taken"}},
	"runtime.MemProfile":               {{model.SuspectRuntime, "reads the profiles"}},
	"runtime.SetBlockProfileRate":      {{model.SuspectRuntime, "sets how profiles are taken"}},
	"runtime.SetMutexProfileFraction":  {{model.SuspectRuntime, "sets how profiles are taken"}},
	"runtime.SetCPUProfileRate":        {{model.SuspectRuntime, "sets how profiles are taken"}},
	"runtime.ReadMemStats":             {{model.SuspectRuntime, "reads what the benchmark reads"}},
	"runtime.Breakpoint":               {{model.SuspectRuntime, whySchedule}},
	"runtime.Goexit":                   {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.SetGCPercent":       {{model.SuspectRuntime, whyCollector}},
	"runtime/debug.SetMemoryLimit":     {{model.SuspectRuntime, whyCollector}},
	"runtime/debug.FreeOSMemory":       {{model.SuspectRuntime, whyCollector}},
	"runtime/debug.SetMaxThreads":      {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.SetMaxStack":        {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.SetPanicOnFault":    {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.SetTraceback":       {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.SetCrashOutput":     {{model.SuspectRuntime, whySchedule}},
	"runtime/debug.ReadGCStats":        {{model.SuspectRuntime, "reads what the benchmark reads"}},
	"runtime/metrics.*":                {{model.SuspectRuntime, "reads what the benchmark reads"}},
	"runtime/trace.*":                  {{model.SuspectRuntime, "sets how traces are taken"}},
	"os.Setenv":                        {{model.SuspectRuntime, "sets the environment"}},
	"os.Unsetenv":                      {{model.SuspectRuntime, "sets the environment"}},
	"os.Clearenv":                      {{model.SuspectRuntime, "sets the environment"}},
	"os/exec.*":                        {{model.SuspectRuntime, "starts other processes, whose time is not counted"}},
	"os.StartProcess":                  {{model.SuspectRuntime, "starts other processes, whose time is not counted"}},
	"os/signal.*":                      {{model.SuspectRuntime, "takes signals, by which processes are measured and ended"}},
	"plugin.*":                         {{model.SuspectRuntime, "loads code that was not read"}},
	"syscall.*":                        {{model.SuspectRuntime, "speaks to the kernel directly"}},
	"golang.org/x/sys.*":               {{model.SuspectRuntime, "speaks to the kernel directly"}},
	"go.uber.org/automaxprocs.*":       {{model.SuspectRuntime, whySchedule}},
	"github.com/KimMachineGun.*":       {{model.SuspectRuntime, whyCollector}},
	"runtime/cgo.*":                    {{model.SuspectRuntime, "speaks to C"}},
	"testing.*":                        {{model.SuspectDetect, "tells program code about tests"}},
	"flag.*":                           {{model.SuspectDetect, whyRunning}},
	"os.Args":                          {{model.SuspectDetect, whyRunning}},
	"os.Executable":                    {{model.SuspectDetect, whyRunning}},
	"os.Getenv":                        {{model.SuspectDetect, "reads the environment"}},
	"os.LookupEnv":                     {{model.SuspectDetect, "reads the environment"}},
	"os.Environ":                       {{model.SuspectDetect, "reads the environment"}},
	"os.ExpandEnv":                     {{model.SuspectDetect, "reads the environment"}},
	"os.Getpid":                        {{model.SuspectDetect, whyRunning}},
	"os.Getppid":                       {{model.SuspectDetect, whyRunning}},
	"os.FindProcess":                   {{model.SuspectDetect, whyRunning}},
	"os.Getwd":                         {{model.SuspectDetect, whyRunning}},
	"os.Hostname":                      {{model.SuspectDetect, whyRunning}},
	"runtime.Caller":                   {{model.SuspectDetect, "looks at who calls"}},
	"runtime.Callers":                  {{model.SuspectDetect, "looks at who calls"}},
	"runtime.CallersFrames":            {{model.SuspectDetect, "looks at who calls"}},
	"runtime.FuncForPC":                {{model.SuspectDetect, "looks at who calls"}},
	"runtime.Stack":                    {{model.SuspectDetect, "looks at who calls"}},
	"runtime.GoroutineProfile":         {{model.SuspectDetect, "looks at who calls"}},
	"runtime.NumGoroutine":             {{model.SuspectDetect, whyRunning}},
	"runtime/debug.Stack":              {{model.SuspectDetect, "looks at who calls"}},
	"runtime/debug.PrintStack":         {{model.SuspectDetect, "looks at who calls"}},
	"runtime/debug.ReadBuildInfo":      {{model.SuspectDetect, "looks at what was built"}},
	"runtime/debug.ParseBuildInfo":     {{model.SuspectDetect, "looks at what was built"}},
	"debug/buildinfo.*":                {{model.SuspectDetect, "looks at what was built"}},
	"expvar.*":                         {{model.SuspectDetect, whyRunning}},
	"net/http/pprof.*":                 {{model.SuspectDetect, "reads profiles and labels"}},
	"runtime/pprof.*":                  {{model.SuspectDetect, "reads profiles and labels"}},
	"github.com/petermattis/goid.*":    {{model.SuspectDetect, whyRunning}},
	"github.com/modern-go/gls.*":       {{model.SuspectDetect, whyRunning}},
	"time.AfterFunc":                   {{model.SuspectSetup, whyDefers}},
	"context.AfterFunc":                {{model.SuspectSetup, whyDefers}},
	"sync.Once":                        {{model.SuspectSetup, whyOnce}},
	"sync.OnceFunc":                    {{model.SuspectSetup, whyOnce}},
	"sync.OnceValue":                   {{model.SuspectSetup, whyOnce}},
	"sync.OnceValues":                  {{model.SuspectSetup, whyOnce}},
	"(*sync.Once).Do":                  {{model.SuspectSetup, whyOnce}},
	"(*sync.WaitGroup).Go":             {{model.SuspectSetup, "starts a goroutine"}},
	"golang.org/x/sync/errgroup.*":     {{model.SuspectSetup, "starts goroutines"}},
	"golang.org/x/sync/singleflight.*": {{model.SuspectState, "hands out what another call worked out"}},
	"unique.Make":                      {{model.SuspectState, "keeps what it is given in a table of the runtime"}},
	"(*sync.Pool).Get":                 {{model.SuspectState, "takes memory that was used before"}},
	"sync.Pool":                        {{model.SuspectState, "takes memory that was used before"}},
	"sync.Map":                         {{model.SuspectState, "remembers across calls"}},
	"weak.*":                           {{model.SuspectState, "remembers across calls"}},
	"unsafe.*":                         {{model.SuspectUnsafe, "goes around the type system"}},
	"reflect.SliceHeader":              {{model.SuspectUnsafe, "goes around the type system"}},
	"reflect.StringHeader":             {{model.SuspectUnsafe, "goes around the type system"}},
	"reflect.NewAt":                    {{model.SuspectUnsafe, "goes around the type system"}},
	"(reflect.Value).UnsafePointer":    {{model.SuspectUnsafe, "goes around the type system"}},
	"(reflect.Value).UnsafeAddr":       {{model.SuspectUnsafe, "goes around the type system"}},
	"(reflect.Value).Pointer":          {{model.SuspectUnsafe, "goes around the type system"}},
}

// Of these packages only some names matter, whatever "*" says.
var harmless = map[string]bool{
	"syscall.Errno": true, "syscall.EINTR": true, "syscall.EAGAIN": true, "syscall.ENOENT": true, "syscall.EINVAL": true,
	"syscall.Signal": true, "syscall.EPIPE": true, "syscall.ECONNRESET": true,
}

// usesOf returns what it means to name an object, by its name in objectName's
// form.
func usesOf(name string) []use {
	if u, ok := watched[name]; ok || harmless[name] {
		return u
	}
	pkg := strings.TrimPrefix(strings.TrimPrefix(name, "("), "*")
	slash := strings.LastIndexByte(pkg, '/')
	if dot := strings.IndexByte(pkg[slash+1:], '.'); dot >= 0 {
		pkg = pkg[:slash+1+dot]
	}
	for pkg != "" {
		if u, ok := watched[pkg+".*"]; ok {
			return u
		}
		slash := strings.LastIndexByte(pkg, '/')
		if slash < 0 {
			break
		}
		pkg = pkg[:slash]
	}
	return nil
}

// uses names what a unit newly uses of other packages: directly, or through
// code of the module that is as it was.
func (p *pair) uses(u *unit) {
	for key := range u.facts {
		name, ok := strings.CutPrefix(key, "use ")
		if !ok {
			continue
		}
		facts := p.fresh(u, key)
		if len(facts) == 0 {
			continue
		}
		for _, w := range usesOf(name) {
			p.add(w.kind, p.stmtOf(u, facts[0].node), plainName(name)+" "+w.why)
		}
		if p.fileUse(u, name) {
			p.add(model.SuspectDetect, p.stmtOf(u, facts[0].node), plainName(name)+": reads a file where the base read none")
		}
		if v := p.cand.decls[name]; v != nil && v != u && (!p.cand.changed[v.pkg.PkgPath] || !p.differs(v)) {
			for _, r := range p.behind(v) {
				p.add(r.use.kind, p.stmtOf(u, facts[0].node), v.name+" uses "+plainName(r.name)+", which "+r.use.why)
			}
		}
	}
	p.clock(u)
	for key := range u.facts {
		spec, ok := strings.CutPrefix(key, "import ")
		if !ok || len(p.fresh(u, key)) == 0 {
			continue
		}
		switch at := p.fresh(u, key)[0].node; {
		case strings.HasSuffix(spec, `"unsafe"`):
			p.add(model.SuspectUnsafe, at, "unsafe goes around the type system")
		case strings.HasPrefix(spec, "_ ") && spec != `_ "embed"`:
			p.add(model.SuspectSetup, at, "an import for its side effects runs before the benchmark")
		}
	}
	for _, f := range p.fresh(u, "go") {
		p.add(model.SuspectSetup, f.node, "starts a goroutine: work that goes on beside the timed one")
	}
}

// plainName is an object's name as code has it.
func plainName(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		prefix := ""
		if strings.HasPrefix(name, "(*") {
			prefix = "(*"
		} else if strings.HasPrefix(name, "(") {
			prefix = "("
		}
		return prefix + name[i+1:]
	}
	return name
}

// stmtOf returns the smallest statement or declaration around a node, for
// showing it.
func (p *pair) stmtOf(u *unit, n ast.Node) ast.Node {
	best := n
	for _, root := range u.nodes {
		ast.Inspect(root, func(m ast.Node) bool {
			if m == nil || m.Pos() > n.Pos() || m.End() < n.End() {
				return false
			}
			switch m.(type) {
			case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ValueSpec, *ast.IncDecStmt, *ast.CallExpr, *ast.BinaryExpr:
				if p.cand.pos(m.Pos()).Line == p.cand.pos(n.Pos()).Line {
					best = m
				}
			}
			return true
		})
	}
	return best
}

// fileUse reports whether a name reads files and the base's function read
// none.
func (p *pair) fileUse(u *unit, name string) bool {
	if !isFileUse(name) {
		return false
	}
	if old := p.base.units[u.key]; old != nil {
		for key := range old.facts {
			if isFileUse(strings.TrimPrefix(key, "use ")) {
				return false
			}
		}
	}
	return true
}

func isFileUse(name string) bool {
	return slices.Contains([]string{"os.Open", "os.OpenFile", "os.ReadFile", "os.ReadDir", "os.Stat", "os.Lstat", "os.DirFS", "os.Readlink",
		"os.OpenRoot", "os.OpenInRoot", "path/filepath.Glob", "path/filepath.Walk", "path/filepath.WalkDir", "io/ioutil.ReadFile", "io/ioutil.ReadDir"}, name)
}

// A behind is a watched use that existing code of the module leads to.
type behind struct {
	name string
	use  use
}

// behind returns what a unit that the change did not touch leads to. State
// and unsafe code inside it are the base's own.
func (p *pair) behind(u *unit) []behind {
	var out []behind
	seen := map[*unit]bool{u: true}
	for todo := []*unit{u}; len(todo) > 0; todo = todo[1:] {
		for key := range todo[0].facts {
			name, ok := strings.CutPrefix(key, "use ")
			if !ok {
				continue
			}
			for _, w := range usesOf(name) {
				if w.kind == model.SuspectRuntime || w.kind == model.SuspectDetect {
					out = append(out, behind{name, w})
				}
			}
			if v := p.cand.decls[name]; v != nil && !seen[v] {
				seen[v] = true
				todo = append(todo, v)
			}
		}
	}
	sorted.By(out, func(a, b behind) int { return strings.Compare(a.name, b.name) })
	return out
}

// clock names a unit that newly asks for the time: a cache that ages behaves
// in one way in a benchmark's second and in another in a day.
func (p *pair) clock(u *unit) {
	for _, name := range []string{"time.Now", "time.Since", "time.Until", "time.NewTicker", "time.Tick", "time.NewTimer", "time.After"} {
		if facts := p.fresh(u, "use "+name); len(facts) > 0 {
			p.add(model.SuspectCount, p.stmtOf(u, facts[0].node), name+": what it does depends on the clock")
			return
		}
	}
}

// Words in texts that only code that looks for a test has.
var tellTale = []struct {
	word string
	kind model.SuspicionKind
	why  string
}{
	{"PAWL_", model.SuspectDetect, "names a variable of the measuring tool"},
	{"test.bench", model.SuspectDetect, "names a flag of tests"},
	{"test.v", model.SuspectDetect, "names a flag of tests"},
	{"-test.", model.SuspectDetect, "names a flag of tests"},
	{"test.run", model.SuspectDetect, "names a flag of tests"},
	{"test.timeout", model.SuspectDetect, "names a flag of tests"},
	{".test", model.SuspectDetect, "names a test binary"},
	{"_test.go", model.SuspectDetect, "names a test file"},
	{"Benchmark", model.SuspectDetect, "names a benchmark"},
	{"testing.", model.SuspectDetect, "names package testing"},
	{"testdata", model.SuspectDetect, "names test data"},
	{"/proc/", model.SuspectDetect, "looks at the process"},
	{"GOGC", model.SuspectRuntime, "names a setting of the runtime"},
	{"GOMEMLIMIT", model.SuspectRuntime, "names a setting of the runtime"},
	{"GODEBUG", model.SuspectRuntime, "names a setting of the runtime"},
	{"GOMAXPROCS", model.SuspectRuntime, "names a setting of the runtime"},
}

// tells names a text that only code that looks for a test has.
func (p *pair) tells(text string, n ast.Node) {
	for _, t := range tellTale {
		if t.word == ".test" && !strings.HasSuffix(text, t.word) {
			continue
		}
		if strings.Contains(text, t.word) {
			p.add(t.kind, n, "a text "+t.why)
			return
		}
	}
}

// constantOf returns the value of a constant expression, or nil.
func constantOf(info *types.Info, e ast.Expr) constant.Value {
	if tv, ok := info.Types[e]; ok {
		return tv.Value
	}
	return nil
}
