package trace

import (
	"encoding/binary"
	"slices"
	"strings"

	xtrace "golang.org/x/exp/trace"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// The maxima of what is kept. A large service has some thousand places at
// which goroutines wait.
const (
	maxStacks = 20_000
	maxFrames = 128 // the runtime cuts deeper stacks
	maxNames  = 50_000
)

// A stackID is an index in stacks.all.
type stackID int32

// A frame is a model.Frame with its program counter, for pprof.
type frame struct {
	pc   uint64
	fn   string
	file string
	line int
}

// A stack is a stack that was seen, innermost frame first.
type stack struct {
	frames []frame
	// harness: it is of the handler that takes the trace, or of package testing
	// that waits for tests.
	harness bool
	// collector: a goroutine that waits for a lock there waits for the collector, or for
	// another one who stops the world.
	collector bool
}

// root returns the function that the goroutine was started as, "" where the
// stack was cut before it.
func (s *stack) root() string {
	if len(s.frames) == 0 || len(s.frames) >= maxFrames {
		return ""
	}
	return s.frames[len(s.frames)-1].fn
}

// home returns the index of the innermost frame outside the standard library,
// -1 when there is none.
func (s *stack) home() int {
	return slices.IndexFunc(s.frames, func(f frame) bool { return !isStandard(f.fn) })
}

// isStandard reports whether a function is of the standard library. Import
// paths of modules begin with a domain, which has a dot, and where they do not
// they mostly do not begin like these either.
func isStandard(fn string) bool {
	first, _, _ := strings.Cut(words.SymbolPackage(fn), "/")
	return strings.Contains(standard, " "+first+" ")
}

const standard = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar " +
	"flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort " +
	"strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak "

func (s *stack) model() []model.Frame {
	out := make([]model.Frame, len(s.frames))
	for i, f := range s.frames {
		out[i] = model.Frame{Func: f.fn, File: f.file, Line: f.line}
	}
	return out
}

// stacks keeps each stack once. A handle of the reader would keep the tables of
// its whole generation alive, so that frames are copied, and handles are only
// held until the next generation.
type stacks struct {
	all     []stack // all[noStack] is empty, all[otherStacks] is for what is too much
	handles map[xtrace.Stack]stackID
	byPCs   map[string]stackID
	names   map[string]string
	key     []byte
	lost    bool // some did not fit
}

const (
	noStack stackID = iota
	otherStacks
)

func newStacks() *stacks {
	return &stacks{
		all:     []stack{{}, {frames: []frame{{fn: "(other stacks)"}}}},
		handles: make(map[xtrace.Stack]stackID),
		byPCs:   make(map[string]stackID),
		names:   make(map[string]string),
	}
}

// forget drops the handles of the generation that has ended.
func (s *stacks) forget() { clear(s.handles) }

// id returns the number of a stack.
func (s *stacks) id(h xtrace.Stack) stackID {
	if h == xtrace.NoStack {
		return noStack
	}
	if id, ok := s.handles[h]; ok {
		return id
	}
	s.key = s.key[:0]
	n := 0
	for f := range h.Frames() {
		if n++; n > maxFrames {
			break
		}
		s.key = binary.LittleEndian.AppendUint64(s.key, f.PC)
	}
	id, ok := s.byPCs[string(s.key)]
	if !ok {
		id = s.add(h, n)
	}
	s.handles[h] = id
	return id
}

func (s *stacks) add(h xtrace.Stack, n int) stackID {
	if n == 0 {
		return noStack
	}
	if len(s.all) >= maxStacks {
		s.lost = true
		return otherStacks
	}
	st := stack{frames: make([]frame, 0, min(n, maxFrames))}
	for f := range h.Frames() {
		if len(st.frames) == maxFrames {
			break
		}
		st.frames = append(st.frames, frame{pc: f.PC, fn: s.name(f.Func), file: s.name(f.File), line: int(f.Line)})
	}
	st.harness, st.collector = isHarness(st.frames), isCollector(st.frames)
	id := stackID(len(s.all))
	s.all = append(s.all, st)
	s.byPCs[string(s.key)] = id
	return id
}

// isHarness reports whether a wait at that stack is not the program's: of the
// handler of net/http/pprof, or of testing itself, as when it waits for a test.
func isHarness(frames []frame) bool {
	waiter := true
	for _, f := range frames {
		pkg := words.SymbolPackage(f.fn)
		if pkg == "net/http/pprof" || waiter && pkg == "testing" {
			return true
		}
		waiter = waiter && (pkg == "runtime" || pkg == "sync" || pkg == "internal/sync")
	}
	return false
}

func (s *stacks) name(t string) string {
	if known, ok := s.names[t]; ok {
		return known
	}
	if len(s.names) >= maxNames {
		s.lost = true
		return "(other)"
	}
	t = strings.Clone(t)
	s.names[t] = t
	return t
}
