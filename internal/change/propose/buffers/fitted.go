package buffers

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Fitted gives what reads a text in memory a buffer of the text's size.
var Fitted = prove.Transformation{
	Name:     "fitted-buffer",
	Doc:      "A bufio.Reader or bufio.Scanner over a string or []byte gets a buffer that the text fits into, where that is less than 4 KiB.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "fitted-buffer", "BenchmarkParse", "cpu", "a buffer of some hundred bytes is made instead of one of 4096", 0),
	// It looks at what is made on the lines of the target and of its module's frames, and at what a variable of these is defined by.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range code.All[*ast.CallExpr](s.Fn.Decl.Body) {
			if b := buffering(s.Fn.Info(), call); b != nil && (s.Covers(call, s.At.Line) || namedAt(s, call)) {
				ch, why := proposeFitted(s, call, b)
				s.Add(prove.Short(types.ExprString(call))+" has a buffer of 4 KiB", ch, why)
			}
		}
	}),
}

// A buffered type of bufio reads a text through a buffer.
type buffered struct {
	name    string
	methods []string // that do the same with any buffer that the whole text fits into, and one byte more
	shows   []string // and return a part of the buffer
	maker   string   // what is called instead of bufio's function, where no built-in function does it
}

// The text fits, so it is read at once, as by 4096 bytes: then the end comes while there is room. A Reader moves what is left
// at the same time then, and a Scanner sooner. Methods that tell the size are left out.
var bufferedTypes = []buffered{
	{"Reader", []string{"Read", "ReadByte", "ReadRune", "ReadString", "ReadBytes", "UnreadByte", "UnreadRune", "Discard", "Buffered", "WriteTo"},
		[]string{"ReadLine", "ReadSlice", "Peek"},
		`// %[1]s is %[2]s.NewReader of a text of n bytes, with a buffer that it fits into.
func %[1]s(r %[3]s.Reader, n int) *%[2]s.Reader {
	if n >= 4096 {
		return %[2]s.NewReader(r)
	}
	return %[2]s.NewReaderSize(r, n+1)
}
`},
	{"Scanner", []string{"Scan", "Text", "Err", "Split"},
		[]string{"Bytes"},
		`// %[1]s is %[2]s.NewScanner of a text of n bytes, with a buffer that it fits into.
func %[1]s(r %[3]s.Reader, n int) *%[2]s.Scanner {
	s := %[2]s.NewScanner(r)
	if n < 4096 {
		s.Buffer(make([]byte, n+1), %[2]s.MaxScanTokenSize)
	}
	return s
}
`},
}

// buffering returns the type that a call makes over a text in memory; nil for other calls.
func buffering(info *types.Info, call *ast.CallExpr) *buffered {
	for i := range bufferedTypes {
		b := &bufferedTypes[i]
		if !code.IsFunc(info, call, "bufio", "New"+b.name) {
			continue
		}
		if source, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
			if fn := code.Callee(info, source); fn != nil {
				if _, known := inMemory[fn.FullName()]; known {
					return b
				}
			}
		}
	}
	return nil
}

// namedAt reports whether the target's line names the variable that a call defines.
func namedAt(s *prove.Site, call *ast.CallExpr) bool {
	for id := range prove.On[*ast.Ident](s) {
		if v, ok := s.Fn.Info().Uses[id].(*types.Var); ok && code.Local(v) && s.Fn.Value(v) == ast.Expr(call) {
			return true
		}
	}
	return false
}

func proposeFitted(s *prove.Site, call *ast.CallExpr, b *buffered) (*model.Change, *prove.Reason) {
	p, fn, f := s.Program, s.Fn, s.Fn.File
	text := fitting(fn.Info(), ast.Unparen(call.Args[0]).(*ast.CallExpr).Args[0])
	if text == nil {
		return nil, prove.Refuse("the text is no variable, so that its length is not known")
	}
	if why := (&fitted{p, b, fn.File.Pkg}).uses(); why != nil {
		return nil, why
	}
	edits, why := refit(p, fn, call, b, "len("+p.Source(f, text)+")")
	if why != nil {
		return nil, why
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "fitted-buffer",
		Title: fmt.Sprintf("%s: give the %s of %s a buffer of its length in %s", f.Pkg.Name, b.name, prove.Short(types.ExprString(text)), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same is read, in the same order", How: "proven", Why: "the text is in memory, and fits with a byte to spare: it is read at once, as before. From 4096 bytes on the buffer is as before"},
			{Text: "nothing sees the buffer's size", How: "proven", Why: "no *bufio." + b.name + " leaves package " + f.Pkg.Name + ", which asks none for its size, and looks at no more than what was read"},
		},
	})
}

// fitting returns the variable, field or constant whose length a text has; nil where it is something else.
func fitting(info *types.Info, text ast.Expr) ast.Expr {
	text = ast.Unparen(text)
	if str, data := code.Converted(info, text); str != nil || data != nil {
		text = ast.Unparen(text.(*ast.CallExpr).Args[0])
	}
	if info.Types[text].Value == nil && (!prove.Path(text) || code.IsTypeParam(info.TypeOf(text))) {
		return nil
	}
	return text
}

// refit returns the edits that give the buffer its size.
func refit(p *prove.Program, fn *prove.Function, call *ast.CallExpr, b *buffered, length string) ([]model.Edit, *prove.Reason) {
	f, pos := fn.File, call.Pos()
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !code.Predeclared(fn.Obj.Pkg(), pos, "len", "int", "byte", "make", "min") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	pkg := p.Source(f, fun.X)
	if b.name == "Reader" && p.GoAtLeast(f, "go1.21") {
		return []model.Edit{
			p.Put(f, call.Fun.Pos(), call.Fun.End(), pkg+".NewReaderSize"),
			p.Insert(f, call.Args[0].End(), ", min("+length+"+1, 4096)"),
		}, nil
	}
	ioName := p.Qualifier(f, fn.Decl.End(), "io")
	if ioName == "" || p.Qualifier(f, fn.Decl.End(), "bufio") != pkg {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("new"+b.name, i)
		return fmt.Sprintf(b.maker, name, pkg, ioName), []string{name}
	})
	edits := []model.Edit{p.Put(f, call.Fun.Pos(), call.Fun.End(), name), p.Insert(f, call.Args[0].End(), ", "+length)}
	if text == "" {
		imports, ok := p.Reimport(f, pos, nil, "bufio", call.Fun)
		if !ok {
			return nil, prove.Refuse("the imports of " + f.Name + " cannot be changed")
		}
		return append(edits, imports...), nil
	}
	imports, ok := p.Reimport(f, pos, []string{"io"}, "")
	if !ok {
		return nil, prove.Refuse("the imports of " + f.Name + " cannot be changed")
	}
	return append(append(edits, imports...), p.Below(fn, text)), nil
}
