package buffers

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Lines cuts lines out of a text that is in memory.
var Lines = prove.Transformation{
	Name:     "lines-in-place",
	Doc:      "A bufio.Scanner over a string or []byte, whose lines a loop asks for as texts, is no more: the lines are cut out of the text one by one. One of 64 KiB ends the loop, as it ends the scan.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "lines-in-place", "BenchmarkParse", "allocs", "neither a buffer nor a copy of each line", 0),
	// It looks at the scanners that the lines of the target and of its module's frames name.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, b := range buffersAt(s.Program, s.Fn, s.At.Line, definesScanner, func(*buffer) bool { return true }) {
			ch, why := proposeLines(&scanning{buffer: b})
			s.Add(b.v.Name()+" scans what is in memory", ch, why)
		}
	}),
}

// A scanning is a scanner over a text, with the loop over its lines.
type scanning struct {
	*buffer
	source *ast.CallExpr // what makes the reader
	text   ast.Expr      // what that reads
	bytes  bool          // these are bytes
	loop   *ast.ForStmt
	texts  []*ast.CallExpr // ask for the line
	errs   []*ast.CallExpr // ask for the error
}

// inMemory are the functions that make a reader of what they are given; those of bytes have true.
var inMemory = map[string]bool{"strings.NewReader": false, "bytes.NewBufferString": false, "bytes.NewReader": true, "bytes.NewBuffer": true}

// definesScanner returns the variable that a statement defines as a scanner over a text.
func definesScanner(info *types.Info, s ast.Stmt) (*types.Var, ast.Expr) {
	v, _, made := defines(info, s)
	call, ok := made.(*ast.CallExpr)
	if v == nil || !ok || !code.IsFunc(info, call, "bufio", "NewScanner") {
		return nil, nil
	}
	if source, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
		if fn := code.Callee(info, source); fn != nil {
			if _, known := inMemory[fn.FullName()]; known {
				return v, call
			}
		}
	}
	return nil, nil
}

func proposeLines(s *scanning) (*model.Change, *prove.Reason) {
	f, info := s.fn.File, s.fn.Info()
	s.source = ast.Unparen(s.made.(*ast.CallExpr).Args[0]).(*ast.CallExpr)
	s.text, s.bytes = s.source.Args[0], inMemory[code.Callee(info, s.source).FullName()]
	switch {
	case !s.p.GoAtLeast(f, "go1.18"):
		return nil, prove.Refuse("strings.Cut is there from Go 1.18 on")
	case f.Commented(s.def):
		return nil, prove.Refuse("there is a comment within the definition of " + s.v.Name())
	case code.Jumps(s.fn.Decl.Body):
		return nil, prove.Refuse(s.fn.Obj.Name() + " uses goto")
	}
	if why := s.uses(); why != nil {
		return nil, why
	}
	if why := s.unchanged(); why != nil {
		return nil, why
	}
	edits, why := s.rewrite()
	if why != nil {
		return nil, why
	}
	return s.p.Change(s.fn, edits, model.Change{
		Kind:    "lines-in-place",
		Title:   fmt.Sprintf("%s: cut %s into lines without a scanner in %s", f.Pkg.Name, prove.Short(types.ExprString(s.text)), s.fn.Obj.Name()),
		Retains: "the whole text as long as one of its lines lives",
		Obligations: []model.Obligation{
			{Text: "the lines are the same, in the same order", How: "proven", Why: "bufio.ScanLines ends a line at each \\n, takes one \\r off its end, and has no line behind the last \\n"},
			{Text: "a line that is too long ends the loop with the same error", How: "proven", Why: "nothing sets another buffer: one of MaxScanTokenSize or more bytes finds no room, and a reader of memory has no error of its own"},
			s.steady(),
		},
	})
}

// steady argues that the text is the same all along.
func (s *scanning) steady() model.Obligation {
	o := model.Obligation{Text: "the text does not change meanwhile", How: "proven", Why: "it is a string"}
	if s.bytes {
		o.How, o.Why = "assumed", types.ExprString(s.text)+" is not named until the loop is over, and what else has the bytes leaves them alone while they are read"
	}
	return o
}

// uses reads all uses of the scanner: one loop, which asks for its lines, and the error behind it.
func (s *scanning) uses() *prove.Reason {
	f, info := s.fn.File, s.fn.Info()
	for id := range prove.UsesIn(info, s.fn.Decl.Body, s.v) {
		at := " (" + s.p.Pos(id.Pos()).String() + ")"
		sel, _ := f.Parent(id).(*ast.SelectorExpr)
		call, _ := f.Parent(f.Parent(id)).(*ast.CallExpr)
		if sel == nil || sel.X != ast.Expr(id) || call == nil || call.Fun != ast.Expr(sel) || f.Literal(id) != f.Literal(s.def) {
			return prove.Refuse(s.v.Name() + " is used in another way than to scan" + at)
		}
		switch sel.Sel.Name {
		case "Scan":
			loop, ok := f.Parent(call).(*ast.ForStmt)
			if !ok || s.loop != nil || loop.Cond != ast.Expr(call) || loop.Init != nil || loop.Post != nil || f.Loop(loop) != f.Loop(s.def) {
				return prove.Refuse("it is not one loop that scans" + at)
			}
			s.loop = loop
		case "Text":
			s.texts = append(s.texts, call)
		case "Err":
			s.errs = append(s.errs, call)
		default:
			return prove.Refuse(s.v.Name() + "." + sel.Sel.Name + " is called" + at)
		}
	}
	if s.loop == nil || slices.ContainsFunc(s.texts, func(c *ast.CallExpr) bool { return !code.Within(s.loop.Body, c) }) {
		return prove.Refuse("no loop scans all lines, or one is asked for elsewhere")
	}
	return nil
}

// unchanged says why bytes may be others when they are scanned than when the scanner is made.
func (s *scanning) unchanged() *prove.Reason {
	if !s.bytes {
		return nil
	}
	v := code.Var(s.fn.Info(), s.text)
	if v == nil || !code.Local(v) {
		return prove.Refuse(prove.Short(types.ExprString(s.text)) + " is no variable of the function: it may change while it is scanned")
	}
	for id := range code.All[*ast.Ident](s.fn.Decl.Body) {
		if s.fn.Info().Uses[id] == v && id != ast.Unparen(s.text) && id.Pos() > s.def.Pos() && id.Pos() < s.loop.End() {
			return prove.Refuse(v.Name() + " is used while it is scanned (" + s.p.Pos(id.Pos()).String() + ")")
		}
	}
	return nil
}

func (s *scanning) rewrite() ([]model.Edit, *prove.Reason) {
	f, p := s.fn.File, s.p
	rest, line, failed := code.FirstFree(s.fn.Decl, "rest", "left"), s.lineName(), code.FirstFree(s.fn.Decl, "tooLong", "scanErr")
	strs, bufio := p.Qualifier(f, s.def.Pos(), "strings"), p.Source(f, s.made.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
	if rest == "" || line == "" || failed == "" || strs == "" || !code.Predeclared(s.fn.Obj.Pkg(), s.def.Pos(), "string", "len", "error") {
		return nil, prove.Refuse("no names are free for the text and its lines")
	}
	text := p.Source(f, s.text)
	if s.bytes || !types.Identical(types.Default(s.fn.Info().TypeOf(s.text)), types.Typ[types.String]) {
		text = "string(" + text + ")"
	}
	def, tooLong := rest+" := "+text, "break"
	if len(s.errs) > 0 {
		def, tooLong = "var "+failed+" error\n"+def, failed+" = "+bufio+".ErrTooLong\nbreak"
	}
	edits, ok := p.Reimport(f, s.def.Pos(), []string{"strings"}, "bytes", s.source.Fun)
	if !ok {
		return nil, prove.Refuse("package strings cannot be imported in " + f.Name)
	}
	put := func(from, to ast.Node, text string) {
		edits = append(edits, p.Put(f, from.Pos(), to.End(), text))
	}
	put(s.def, s.def, def)
	put(s.loop.Cond, s.loop.Cond, rest+` != ""`)
	head := fmt.Sprintf("\nvar %[1]s string\n%[1]s, %[2]s, _ = %[3]s.Cut(%[2]s, \"\\n\")\nif len(%[1]s) >= %[4]s.MaxScanTokenSize {\n%[5]s\n}", line, rest, strs, bufio, tooLong)
	if len(s.texts) > 0 {
		head += fmt.Sprintf("\n%[1]s = %[2]s.TrimSuffix(%[1]s, \"\\r\")", line, strs)
	}
	at := p.Offset(s.loop.Body.Lbrace) + 1
	if own := s.own(); own != nil {
		put(own, own, strings.TrimPrefix(head, "\n"))
	} else {
		edits = append(edits, p.Edit(f, at, at, head))
		for _, t := range s.texts {
			put(t, t, line)
		}
	}
	for _, e := range s.errs {
		put(e, e, failed)
	}
	return edits, nil
}

// own returns the statement that begins the loop and gives the line a name, where the line is asked for only there.
func (s *scanning) own() *ast.AssignStmt {
	if len(s.texts) != 1 || len(s.loop.Body.List) == 0 {
		return nil
	}
	a, ok := s.loop.Body.List[0].(*ast.AssignStmt)
	if v, _, value := defines(s.fn.Info(), s.loop.Body.List[0]); !ok || v == nil || value != ast.Expr(s.texts[0]) || s.fn.File.Commented(a) {
		return nil
	}
	return a
}

func (s *scanning) lineName() string {
	if own := s.own(); own != nil {
		return own.Lhs[0].(*ast.Ident).Name
	}
	return code.FirstFree(s.fn.Decl, "line", "text", "row")
}
