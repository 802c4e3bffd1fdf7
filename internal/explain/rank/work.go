package rank

import (
	"go/token"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Work is what a line of the module spends CPU time on, told by the frames
// between it and where the time goes.
type work struct {
	kind model.ReasonKind // ReasonHot: the line's own time, and what has no name here
	what string           // a package's path for ReasonLibrary, else the work in words
}

// text is the work in words, with the function that the line calls for it.
func (w work) text(called string) string {
	if w.kind == model.ReasonLibrary {
		return "package " + w.what + ", called here as " + called
	}
	return w.what + " (" + called + ")"
}

// runtimeWork names what the runtime does for code, by how its functions
// begin. The compiler puts in these calls, so that the line shows an operator
// or a statement where the profile shows a function.
var runtimeWork = []struct {
	prefix string
	kind   model.ReasonKind
	what   string
}{
	{"runtime.chansend", model.ReasonChannel, "sending to a channel"},
	{"runtime.chanrecv", model.ReasonChannel, "receiving from a channel"},
	{"runtime.selectgo", model.ReasonChannel, "select"},
	{"runtime.selectnb", model.ReasonChannel, "select"},
	{"runtime.makechan", model.ReasonChannel, "making a channel"},
	{"runtime.closechan", model.ReasonChannel, "closing a channel"},
	{"runtime.newproc", model.ReasonGo, "starting a goroutine"},
	{"runtime.growslice", model.ReasonAppend, "growing a slice"},
	{"runtime.convT", model.ReasonBoxing, "putting a value into an interface"},
	{"runtime.concatstring", model.ReasonConcat, "joining strings with +"},
	{"runtime.slicebytetostring", model.ReasonConversion, "converting to string"},
	{"runtime.stringtoslicebyte", model.ReasonConversion, "converting to []byte"},
	{"runtime.decoderune", model.ReasonRune, "decoding UTF-8"},
	{"runtime.stringtoslicerune", model.ReasonRune, "decoding UTF-8"},
	{"runtime.slicerunetostring", model.ReasonRune, "encoding UTF-8"},
	{"runtime.intstring", model.ReasonRune, "encoding UTF-8"},
	{"unicode/utf8.", model.ReasonRune, "reading and writing UTF-8"},
	{"runtime.lock2", model.ReasonLock, "the runtime's own locks"},
	{"runtime.mapassign", model.ReasonMap, "storing in a map"},
	{"runtime.mapdelete", model.ReasonMap, "deleting from a map"},
	{"runtime.mapclear", model.ReasonMap, "clearing a map"},
	{"runtime.mapIter", model.ReasonMap, "going through a map"},
	{"internal/runtime/maps.(*Iter)", model.ReasonMap, "going through a map"},
	{"runtime.map", model.ReasonMap, "looking up in a map"},
	{"internal/runtime/maps.", model.ReasonMap, "looking up in a map"},
	{"runtime.mallocgc", model.ReasonMake, "allocating"},
	{"runtime.newobject", model.ReasonMake, "allocating"},
	{"runtime.makeslice", model.ReasonMake, "allocating"},
	{"runtime.makemap", model.ReasonMap, "making a map"},
}

// waiting are the functions that run when a mutex is held by someone else.
var waiting = []string{
	"internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).unlockSlow",
	"sync.(*Mutex).lockSlow", "sync.(*Mutex).unlockSlow",
	"sync.runtime_SemacquireRWMutex", "sync.runtime_SemacquireMutex", "internal/sync.runtime_SemacquireMutex",
}

// workOf tells the work from the frames inside a line of the module, innermost
// first: by a lock that is waited for, wherever it is taken, else by what the
// line itself calls. It returns the function that shows it, too.
func workOf(inner []model.Frame) (w work, called string) {
	if inner = withoutPreemption(inner); len(inner) == 0 {
		return work{kind: model.ReasonHot}, ""
	}
	for _, f := range inner {
		if slices.Contains(waiting, f.Func) {
			return work{model.ReasonLock, "waiting for a mutex"}, words.Symbol(f.Func)
		}
	}
	fn := inner[len(inner)-1].Func
	called = words.Symbol(fn)
	if isMutex(fn) {
		return work{model.ReasonLock, "locking and unlocking a mutex, without waiting"}, called
	}
	if w, ok := inRuntime(fn); ok {
		return w, called
	}
	if n := len(inner); n > 1 && thin[pkgPath(fn)] {
		if w, ok := inRuntime(inner[n-2].Func); ok {
			return w, called
		}
	}
	if IsRuntime(fn) && !isExported(fn) {
		return work{kind: model.ReasonHot}, called
	}
	return work{model.ReasonLibrary, pkgPath(fn)}, called
}

// withoutPreemption takes off the frames of the signal by which the scheduler,
// or the collector, stops a goroutine in the midst of other work.
func withoutPreemption(stack []model.Frame) []model.Frame {
	for len(stack) > 0 && strings.HasPrefix(stack[0].Func, "runtime.asyncPreempt") {
		stack = stack[1:]
	}
	return stack
}

func inRuntime(fn string) (work, bool) {
	for _, w := range runtimeWork {
		if strings.HasPrefix(fn, w.prefix) {
			return work{w.kind, w.what}, true
		}
	}
	return work{}, false
}

// isExported reports whether a function of the runtime is one that programs
// call, such as runtime.Callers or runtime.(*Frames).Next, and not one that
// the compiler calls for them.
func isExported(fn string) bool {
	name, ok := strings.CutPrefix(fn, "runtime.")
	return ok && token.IsExported(strings.TrimPrefix(name, "(*"))
}

// thin are packages whose functions stand for a few statements: what the
// runtime does for these says more than that the package is called.
var thin = map[string]bool{"maps": true, "slices": true}

// growsMap reports whether a map is made larger within the frames.
func growsMap(inner []model.Frame) bool {
	return slices.ContainsFunc(inner, func(f model.Frame) bool {
		return f.Func == "internal/runtime/maps.(*table).rehash" || strings.HasPrefix(f.Func, "internal/runtime/maps.(*Map).growTo")
	})
}

func isMutex(fn string) bool {
	return strings.HasPrefix(fn, "sync.(*Mutex).") || strings.HasPrefix(fn, "sync.(*RWMutex).") || strings.HasPrefix(fn, "internal/sync.(*Mutex).")
}

// pkgPath returns the import path in a symbol: "a.b/c" of "a.b/c.(*T).M".
func pkgPath(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "[")
	slash := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	return symbol[:slash] + name
}
