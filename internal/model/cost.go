package model

import "fmt"

// A Pos is a place in a source file. Line and Col count from one; Col 0 is
// unknown, and a file outside the tree has an absolute path.
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col,omitempty"`
}

func (p Pos) String() string {
	if p.Col == 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// A Frame is one level of a stack, inlined calls included.
type Frame struct {
	Func   string `json:"func"` // symbol as the runtime names it: pkg.(*T).Method
	File   string `json:"file"`
	Line   int    `json:"line"`
	Inline bool   `json:"inline,omitempty"` // inlined into the next frame of the stack
	Module bool   `json:"module,omitempty"` // in the tree, and not a test file
}

// Pos returns the frame's place.
func (f Frame) Pos() Pos { return Pos{File: f.File, Line: f.Line} }

// A Resource is what a line costs.
type Resource string

// The resources.
const (
	CPU    Resource = "cpu"    // nanoseconds per op
	Allocs Resource = "allocs" // heap objects per op
	Bytes  Resource = "bytes"  // heap bytes per op
	Mutex  Resource = "mutex"  // nanoseconds per op that goroutines wait for mutexes
)

// A Cost is what one stack costs one benchmark.
type Cost struct {
	Benchmark Benchmark `json:"benchmark"`
	Resource  Resource  `json:"resource"`
	Stack     []Frame   `json:"stack"` // innermost first
	Home      int       `json:"home"`  // index in Stack of the first module frame; -1 when there is none
	PerOp     float64   `json:"per_op"`
	Share     float64   `json:"share"`           // of the benchmark's total of this resource
	Bytes     float64   `json:"bytes,omitempty"` // bytes per op of the same stack, for Allocs
	Block     int64     `json:"block,omitempty"` // bytes of an object such that half of Bytes is in objects of that size or more, for Allocs; 0 is not known
}

// HomeFrame returns the innermost frame in the user's module, and whether
// there is one.
func (c Cost) HomeFrame() (Frame, bool) {
	if c.Home < 0 || c.Home >= len(c.Stack) {
		return Frame{}, false
	}
	return c.Stack[c.Home], true
}

// A NoteKind is what a compiler's note is about.
type NoteKind string

// The kinds of notes.
const (
	NoteEscape       NoteKind = "escape"        // the value is allocated on the heap
	NoteLeak         NoteKind = "leak"          // a parameter leaks
	NoteCannotInline NoteKind = "cannot-inline" // with the compiler's reason
	NoteCanInline    NoteKind = "can-inline"
	NoteInlined      NoteKind = "inlined-call" // this call was inlined
	NoteBounds       NoteKind = "bounds-check"
	NoteNil          NoteKind = "nil-check"
	NoteCopy         NoteKind = "copy"
)

// A Note is one remark of the compiler about one place.
type Note struct {
	Kind    NoteKind   `json:"kind"`
	Pkg     string     `json:"pkg"`   // the package whose compilation said so
	Chain   []Pos      `json:"chain"` // the place and the calls it was inlined through, innermost first
	Message string     `json:"message"`
	Flow    []FlowStep `json:"flow,omitempty"` // for NoteEscape: how the value gets to the heap
}

// At returns the place in its own function, before inlining.
func (n Note) At() Pos { return n.Chain[0] }

// A FlowStep is one line of the compiler's explanation of an escape.
type FlowStep struct {
	At   Pos    `json:"at"`
	Text string `json:"text"`
}

// A LineCost is the part of a profile that is spent on a line or in what it
// calls outside its module.
type LineCost struct {
	Pkg      string  `json:"pkg"`  // import path; "main" for any main package
	File     string  `json:"file"` // without directories
	Line     int     `json:"line"`
	Resource string  `json:"resource"` // cpu, allocs, bytes, mutex, block
	Share    float64 `json:"share"`    // 0 to 1
}
