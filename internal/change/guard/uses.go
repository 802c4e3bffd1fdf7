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

// watched are objects by package and name, or full name of a method, by what it means that code names them; "*" is all
// of a package, its sub-packages included.
var watched = byName([]watch{
	{use{model.SuspectRuntime, "sets or runs the garbage collector"},
		"runtime.GC runtime/debug.SetGCPercent runtime/debug.SetMemoryLimit runtime/debug.FreeOSMemory" +
			" github.com/KimMachineGun.*"},
	{use{model.SuspectRuntime, "sets how the program is scheduled"},
		"runtime.GOMAXPROCS runtime.SetDefaultGOMAXPROCS runtime.LockOSThread runtime.UnlockOSThread runtime.Gosched" +
			" runtime.Breakpoint runtime.Goexit runtime/debug.SetMaxThreads runtime/debug.SetMaxStack" +
			" runtime/debug.SetPanicOnFault runtime/debug.SetTraceback runtime/debug.SetCrashOutput go.uber.org/automaxprocs.*"},
	{use{model.SuspectRuntime, "speaks to the garbage collector"}, "runtime.KeepAlive runtime.SetFinalizer runtime.AddCleanup"},
	{use{model.SuspectRuntime, "sets how profiles are taken"},
		"runtime.MemProfileRate runtime.SetBlockProfileRate runtime.SetMutexProfileFraction runtime.SetCPUProfileRate"},
	{use{model.SuspectRuntime, "reads the profiles"}, "runtime.MemProfile"},
	{use{model.SuspectRuntime, "reads what the benchmark reads"},
		"runtime.ReadMemStats runtime/debug.ReadGCStats runtime/metrics.*"},
	{use{model.SuspectRuntime, "sets how traces are taken"}, "runtime/trace.*"},
	{use{model.SuspectRuntime, "sets the environment"}, "os.Setenv os.Unsetenv os.Clearenv"},
	{use{model.SuspectRuntime, "starts other processes, whose time is not counted"}, "os/exec.* os.StartProcess"},
	{use{model.SuspectRuntime, "takes signals, by which processes are measured and ended"}, "os/signal.*"},
	{use{model.SuspectRuntime, "loads code that was not read"}, "plugin.*"},
	{use{model.SuspectRuntime, "speaks to the kernel directly"}, "syscall.* golang.org/x/sys.*"},
	{use{model.SuspectRuntime, "speaks to C"}, "runtime/cgo.*"},
	{use{model.SuspectDetect, "tells program code about tests"}, "testing.*"},
	{use{model.SuspectDetect, "asks how the program was started or what is running"},
		"flag.* os.Args os.Executable os.Getpid os.Getppid os.FindProcess os.Getwd os.Hostname runtime.NumGoroutine expvar.*" +
			" github.com/petermattis/goid.* github.com/modern-go/gls.*"},
	{use{model.SuspectDetect, "reads the environment"}, "os.Getenv os.LookupEnv os.Environ os.ExpandEnv"},
	{use{model.SuspectDetect, "looks at who calls"},
		"runtime.Caller runtime.Callers runtime.CallersFrames runtime.FuncForPC runtime.Stack runtime.GoroutineProfile" +
			" runtime/debug.Stack runtime/debug.PrintStack"},
	{use{model.SuspectDetect, "looks at what was built"},
		"runtime/debug.ReadBuildInfo runtime/debug.ParseBuildInfo debug/buildinfo.*"},
	{use{model.SuspectDetect, "reads profiles and labels"}, "net/http/pprof.* runtime/pprof.*"},
	{use{model.SuspectSetup, "moves work to a time that no benchmark measures"},
		"runtime.SetFinalizer runtime.AddCleanup time.AfterFunc context.AfterFunc"},
	{use{model.SuspectSetup, "does work once that the benchmark then does not pay for"},
		"sync.Once sync.OnceFunc sync.OnceValue sync.OnceValues (*sync.Once).Do"},
	{use{model.SuspectSetup, "starts a goroutine"}, "(*sync.WaitGroup).Go"},
	{use{model.SuspectSetup, "starts goroutines"}, "golang.org/x/sync/errgroup.*"},
	{use{model.SuspectState, "hands out what another call worked out"}, "golang.org/x/sync/singleflight.*"},
	{use{model.SuspectState, "keeps what it is given in a table of the runtime"}, "unique.Make"},
	{use{model.SuspectState, "takes memory that was used before"}, "(*sync.Pool).Get sync.Pool"},
	{use{model.SuspectState, "remembers across calls"}, "sync.Map weak.*"},
	{use{model.SuspectUnsafe, "goes around the type system"},
		"unsafe.* reflect.SliceHeader reflect.StringHeader reflect.NewAt (reflect.Value).UnsafePointer" +
			" (reflect.Value).UnsafeAddr (reflect.Value).Pointer"},
})

// A watch is one meaning, and the objects that have it.
type watch struct {
	use
	names string
}

func byName(all []watch) map[string][]use {
	out := make(map[string][]use)
	for _, w := range all {
		for name := range strings.FieldsSeq(w.names) {
			out[name] = append(out[name], w.use)
		}
	}
	return out
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
		if v := p.cand.decls[name]; (isFileUse(name) || v != nil && v != u && v.fn != nil && p.cand.readers[v]) &&
			!p.before(u, func(old *unit) bool { return p.base.readers[old] }, map[*unit]bool{}) {
			p.add(model.SuspectDetect, p.stmtOf(u, facts[0].node), plainName(name)+": reads a file where the base read none")
		}
		if v := p.cand.decls[name]; v != nil && v != u && (!p.cand.changed[v.pkg.PkgPath] || !p.differs(v)) {
			for _, r := range p.behind(v) {
				ledThere := func(old *unit) bool { return old != nil && p.base.leadsTo(old)[strings.TrimLeft(r.name, "(*")] }
				if r.use.kind == model.SuspectRuntime && p.before(u, ledThere, map[*unit]bool{}) {
					continue
				}
				p.add(r.use.kind, p.stmtOf(u, facts[0].node), v.name+" uses "+plainName(r.name)+", which "+r.use.why)
			}
		}
	}
	p.clock(u)
	p.ownFile(u)
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

// before reports whether the base's function did something. A new function does it as before where all that call it did.
func (p *pair) before(u *unit, did func(old *unit) bool, asked map[*unit]bool) bool {
	if old := p.base.units[u.key]; old != nil || u.obj == nil {
		return did(old)
	}
	asked[u] = true
	called := false
	for _, v := range p.cand.units {
		if len(v.facts["use "+objectName(u.obj)]) == 0 || asked[v] {
			continue
		}
		if !p.before(v, did, asked) {
			return false
		}
		called = true
	}
	return called
}

// ownFile names a file that a unit reads, and that no text of the base names.
func (p *pair) ownFile(u *unit) {
	for c := range all[*ast.CallExpr](u) {
		if len(c.Args) == 0 || !isFileUse(calleeName(u.info(), c)) || !p.isNew(u, c) {
			continue
		}
		if v := p.fixed(u, c.Args[0]); v != nil && v.Kind() == constant.String && !p.known.inBase(constant.StringVal(v)) {
			p.add(model.SuspectDetect, c, "reads a file that the base does not name")
		}
	}
}

// findReaders finds what reads files: itself, or a function through others.
func (p *program) findReaders() {
	p.readers = make(map[*unit]bool)
	callers := make(map[*unit][]*unit)
	var todo []*unit
	for _, u := range p.units {
		for key := range u.facts {
			name, ok := strings.CutPrefix(key, "use ")
			switch v := p.decls[name]; {
			case !ok:
			case isFileUse(name):
				todo = append(todo, u)
			case v != nil && v != u && u.fn != nil && v.fn != nil:
				callers[v] = append(callers[v], u)
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		if u := todo[0]; !p.readers[u] {
			p.readers[u] = true
			todo = append(todo, callers[u]...)
		}
	}
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
// in one way in a benchmark's second and in another in a day. One that asks as often as before
// may do so by time.Since where it took the difference of two times.
func (p *pair) clock(u *unit) {
	asks := []string{"time.Now", "time.Since", "time.Until"}
	now, had := 0, 0
	for _, name := range asks {
		now += len(u.facts["use "+name])
		if old := p.base.units[u.key]; old != nil {
			had += len(old.facts["use "+name])
		}
	}
	names := []string{"time.NewTicker", "time.Tick", "time.NewTimer", "time.After"}
	if now > had {
		names = append(asks, names...)
	}
	for _, name := range names {
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
