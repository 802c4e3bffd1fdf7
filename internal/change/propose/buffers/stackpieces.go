package buffers

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// StackPieces puts the pieces of a text into an array on the stack.
var StackPieces = prove.Transformation{
	Name:     "stack-pieces",
	Doc:      "A slice of pieces that strings.Split, SplitN, Fields or bytes.Split makes, and that only the function uses, lies in an array on the stack where the pieces are few.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "stack-pieces", "BenchmarkParse", "allocs", "no slice for the parts of a version", 0),
	// It looks at the calls around the target's line and those of the module's frames:
	// packages strings and bytes make the slice.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			target := code.Callee(s.Fn.Info(), call)
			if target == nil {
				continue
			}
			c := &spread{making{p: s.Program, fn: s.Fn, call: call}, splitters[target.FullName()]}
			if c.by.name == "" || len(call.Args) < c.by.args || c.simpler() {
				continue
			}
			ch, why := proposeStackPieces(c, s.Target)
			s.Add(prove.Short(types.ExprString(call))+" makes a slice of the pieces", ch, why)
		}
	}),
}

// A splitter is a function that makes a slice of the pieces of a text.
type splitter struct {
	name string   // of the function that takes its place
	args int      // how many of the arguments that has
	elem string   // type of a piece
	uses []string // packages
	text string   // declares the function; HELPER is its name
}

// The functions that take the place of a splitter fill what they are given. They return a
// slice of the length and capacity that the splitter's has.
var splitters = map[string]splitter{
	"strings.Split": {"splitInto", 2, "string", []string{"strings"}, `// HELPER returns the pieces of strings.Split(s, sep), in dst if they fit.
func HELPER(dst []string, s, sep string) []string {
	n := strings.Count(s, sep)
	if n >= len(dst) || sep == "" {
		return strings.Split(s, sep)
	}
	for i := range dst[:n] {
		at := strings.Index(s, sep)
		dst[i], s = s[:at], s[at+len(sep):]
	}
	dst[n] = s
	return dst[: n+1 : n+1]
}
`},
	"bytes.Split": {"splitBytesInto", 2, "[]byte", []string{"bytes"}, `// HELPER returns the pieces of bytes.Split(s, sep), in dst if they fit.
func HELPER(dst [][]byte, s, sep []byte) [][]byte {
	n := bytes.Count(s, sep)
	if n >= len(dst) || len(sep) == 0 {
		return bytes.Split(s, sep)
	}
	for i := range dst[:n] {
		at := bytes.Index(s, sep)
		dst[i], s = s[:at:at], s[at+len(sep):]
	}
	dst[n] = s
	return dst[: n+1 : n+1]
}
`},
	"strings.SplitN": {"splitFewInto", 2, "string", []string{"strings"}, `// HELPER returns the pieces of strings.SplitN(s, sep, len(dst)) in dst. The separator is not empty.
func HELPER(dst []string, s, sep string) []string {
	if room := len(s) + 1; room < len(dst) {
		dst = dst[:room:room]
	}
	n := 0
	for ; n < len(dst)-1; n++ {
		at := strings.Index(s, sep)
		if at < 0 {
			break
		}
		dst[n], s = s[:at], s[at+len(sep):]
	}
	dst[n] = s
	return dst[:n+1]
}
`},
	"strings.Fields": {"fieldsInto", 1, "string", []string{"strings", "unicode"}, `// HELPER returns the fields of strings.Fields(s), in dst if they fit.
func HELPER(dst []string, s string) []string {
	n, start := 0, -1 // fields, and where one has begun
	for i, r := range s {
		if space := unicode.IsSpace(r); !space && start < 0 {
			if start = i; n == len(dst) {
				return strings.Fields(s)
			}
		} else if space && start >= 0 {
			dst[n], start = s[start:i], -1
			n++
		}
	}
	if start >= 0 {
		dst[n] = s[start:]
		n++
	}
	return dst[:n:n]
}
`},
}

// Numbers of pieces in an array on the stack: the usual one, and the most where a benchmark
// says how many there are, or the program does.
const (
	usualPieces = 8
	mostPieces  = 32
)

// A spread is a call of a splitter.
type spread struct {
	making
	by splitter
}

// simpler reports whether the pieces need no slice: what split-pieces and rule splitcut do is better.
func (c *spread) simpler() bool {
	s := &splitting{p: c.p, fn: c.fn, call: c.call}
	index, indexed := c.fn.File.Parent(c.call).(*ast.IndexExpr)
	return s.splits() && (s.used() || indexed && s.isFirst(index))
}

func proposeStackPieces(c *spread, t model.Target) (*model.Change, *prove.Reason) {
	f, p := c.fn.File, c.p
	if code.Jumps(c.fn.Decl.Body) {
		return nil, prove.Refuse(c.fn.Obj.Name() + " uses goto")
	}
	if !code.Predeclared(c.fn.Obj.Pkg(), c.call.Pos(), "string", "byte", "len") {
		return nil, prove.Refuse("string, byte or len means something else there")
	}
	size, why := c.size(t)
	if why != nil {
		return nil, why
	}
	if c.stmt, why = c.place(); why != nil {
		return nil, why
	}
	fl := p.Flow(c.fn)
	fl.Expr(c.call)
	fl.Drain()
	if why := p.Outlives(fl, c.fn.File, c.call); why != nil {
		return nil, why
	}
	edits, helper, why := c.edits(size)
	if why != nil {
		return nil, why
	}
	of := code.CallName(code.Callee(c.fn.Info(), c.call))
	return p.Change(c.fn, edits, model.Change{
		Kind:  "stack-pieces",
		Title: fmt.Sprintf("%s: put the pieces of %s into an array on the stack in %s", f.Pkg.Name, prove.Short(types.ExprString(c.call.Args[0])), c.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: helper + " comes to the same pieces as " + of, How: "proven", Why: "it cuts where that does, and its slice has the same length and capacity" + c.rest(of)},
			prove.Assuming(model.Obligation{Text: "nothing refers to the slice after the statement's next run, or after the call", How: "proven",
				Why: "it is indexed, ranged over, and handed to functions that do not keep it; else the array would be on the heap"}, fl.Assumed),
			{Text: "nothing else uses the array", How: "proven", Why: "it is new each time that its statement runs, and the statement makes one slice at most"},
		},
	})
}

// rest says what becomes of pieces that do not fit.
func (c *spread) rest(of string) string {
	if len(c.call.Args) > c.by.args {
		return "" // the array has room for all
	}
	return "; more pieces than fit into the array are left to " + of
}

// size returns how many pieces the array has room for.
func (c *spread) size(t model.Target) (int64, *prove.Reason) {
	if len(c.call.Args) == 3 {
		n, ok := prove.ConstInt(c.fn.Info(), c.call.Args[2])
		sep, known := code.String(c.fn.Info(), c.call.Args[1])
		switch {
		case !known || sep == "":
			return 0, prove.Refuse("the separator may be empty: " + types.ExprString(c.call.Args[1]) + " is no constant, or has no characters")
		case !ok || n < 1 || n > mostPieces:
			return 0, prove.Refusef("%s is no constant from 1 to %d", types.ExprString(c.call.Args[2]), mostPieces)
		}
		return n, nil
	}
	size := int64(usualPieces)
	if t.Bytes > 0 && t.PerOp > 0 {
		each := t.Bytes / t.PerOp / float64(c.fn.File.Pkg.TypesSizes.Sizeof(c.fn.Info().TypeOf(c.call).Underlying().(*types.Slice).Elem()))
		for size < mostPieces && float64(size) < each {
			size *= 2
		}
		if float64(size) < each {
			return 0, prove.Refusef("the benchmark's %.0f pieces are too many for the stack", each)
		}
	}
	return size, nil
}

// edits declares the array, and a function that fills it where there is none yet.
func (c *spread) edits(size int64) (edits []model.Edit, helper string, why *prove.Reason) {
	f, p := c.fn.File, c.p
	array := code.FreeLocal(c.fn.Decl, "buf")
	if _, why := c.declaration(c.by.name); why != nil {
		return nil, "", why
	}
	text := p.Declare(f, func(i int) (string, []string) {
		helper = prove.Numbered(c.by.name, i)
		text, _ := c.declaration(helper)
		return text, []string{helper}
	})
	edits = []model.Edit{
		p.Insert(f, c.stmt.Pos(), fmt.Sprintf("var %s [%d]%s\n", array, size, c.by.elem)),
		p.Put(f, c.call.Fun.Pos(), c.call.Args[0].Pos(), helper+"("+array+"[:], "),
	}
	last := c.call.Args[len(c.call.Args)-1]
	edits = append(edits, p.Put(f, c.call.Args[c.by.args-1].End(), last.End(), ""))
	var imports []model.Edit
	ok := true
	if text == "" {
		imports, ok = p.Reimport(f, c.call.Pos(), nil, c.by.uses[0], c.call.Fun)
	} else {
		imports, ok = p.Reimport(f, c.fn.Decl.End(), c.by.uses, "")
		edits = append(edits, p.Below(c.fn, text))
	}
	if !ok {
		return nil, "", prove.Refuse("the imports cannot be changed")
	}
	return append(edits, imports...), helper, nil
}

// declaration writes the function under a name.
func (c *spread) declaration(name string) (string, *prove.Reason) {
	words := []string{"HELPER", name}
	for _, path := range c.by.uses {
		as := c.p.Qualifier(c.fn.File, c.fn.Decl.End(), path)
		if as == "" {
			return "", prove.Refuse("the name " + path + " means something else in " + c.fn.File.Name)
		}
		words = append(words, path+".", as+".")
	}
	return strings.NewReplacer(words...).Replace(c.by.text), nil
}
