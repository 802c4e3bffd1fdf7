package text

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// AppendFormat formats values where they are needed instead of in a string
// that is copied from.
var AppendFormat = prove.Transformation{
	Name:     "append-format",
	Doc:      "A text that is formatted or joined only to be appended to a []byte, or written to a bytes.Buffer, strings.Builder or bufio.Writer, is appended there piece by piece by strconv's Append functions and their like. Any other io.Writer gets it by one Write.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "append-format", "BenchmarkLine", "allocs", "no allocation for a line of names and numbers", 0),
	// It looks at the calls on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, f := range formatSitesAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeAppendFormat(s.Program, f, s.Target.Resource)
			s.Add("what "+types.ExprString(f.dst)+" gets is formatted apart", ch, why)
		}
	}),
}

// A formatSite is a place that a formatted text goes to.
type formatSite struct {
	fn   *prove.Function
	call *ast.CallExpr // append, WriteString, Fprintf or Appendf; nil for a concatenation
	dst  ast.Expr      // what it goes to: a slice, or a writer
	kind writerKind
	text ast.Expr // the text, nil for Fprintf and Appendf
	stmt ast.Stmt // the statement that the call is all of and that others can stand beside, or nil
}

// A writerKind is a type that texts are written to.
type writerKind string

const (
	toSlice   writerKind = ""
	toBuffer  writerKind = "bytes.Buffer"
	toBuilder writerKind = "strings.Builder"
	toBufio   writerKind = "bufio.Writer"
	toWriter  writerKind = "io.Writer" // any other
	toText    writerKind = "string"    // none: it is the result
)

// node is what the site is: the call, or a concatenation.
func (s *formatSite) node() ast.Expr {
	if s.call == nil {
		return s.text
	}
	return s.call
}

// formatSitesAt returns the calls on a line that are given a formatted text.
func formatSitesAt(p *prove.Program, fn *prove.Function, line int) []*formatSite {
	var found []*formatSite
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !p.Covers(call, line) {
			return true
		}
		if s := formatSiteOf(fn, call); s != nil {
			found = append(found, s)
			return false
		}
		return true
	})
	return found
}

func formatSiteOf(fn *prove.Function, call *ast.CallExpr) *formatSite {
	info := fn.Info()
	s := &formatSite{fn: fn, call: call}
	if code.Builtin(info, call) == "append" && len(call.Args) == 2 && call.Ellipsis.IsValid() && code.IsString(info.TypeOf(call.Args[1])) {
		s.dst, s.text = call.Args[0], call.Args[1]
		s.stmt = s.assignment()
	} else if fullName(fn, call) == "fmt.Appendf" && len(call.Args) > 2 {
		s.dst = call.Args[0]
		s.stmt = s.assignment()
	} else if target := code.Callee(info, call); target != nil && len(call.Args) > 0 {
		sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		switch name := target.FullName(); {
		case name == "fmt.Fprintf" && len(call.Args) > 2:
			s.dst = call.Args[0]
		case name == "io.WriteString":
			s.dst, s.text = call.Args[0], call.Args[1]
		case target.Name() == "WriteString" && sel != nil && len(call.Args) == 1:
			s.dst, s.text = sel.X, call.Args[0]
		default:
			return nil
		}
		if s.kind = kindOf(info.TypeOf(s.dst)); s.kind == toSlice {
			if s.text != nil || !isWriter(info.TypeOf(s.dst)) {
				return nil
			}
			s.kind, s.stmt = toWriter, s.leads()
			return s
		}
		if up, ok := fn.File.Parent(call).(*ast.ExprStmt); ok && code.StmtList(fn.File.Parent(up)) != nil {
			s.stmt = up
		}
	}
	if s.dst == nil || s.text != nil && !formats(info, s.text) {
		return nil
	}
	return s
}

// assignment returns the statement dst = append(dst, …) around the call, nil
// if it stands in anything else.
func (s *formatSite) assignment() ast.Stmt {
	up, ok := s.fn.File.Parent(s.call).(*ast.AssignStmt)
	if !ok || up.Tok != token.ASSIGN || len(up.Lhs) != 1 || code.StmtList(s.fn.File.Parent(up)) == nil {
		return nil
	}
	if !plainPath(s.dst) || types.ExprString(up.Lhs[0]) != types.ExprString(s.dst) {
		return nil
	}
	return up
}

// plainPath reports whether e is a variable or a field of one, or its address: it
// may be evaluated again and again.
func plainPath(e ast.Expr) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	return prove.Path(e)
}

// kindOf returns which writer a type is, or points to.
func kindOf(t types.Type) writerKind {
	switch k := writerKind(typeName(t)); k {
	case toBuffer, toBuilder, toBufio:
		return k
	}
	return toSlice
}

// formats reports whether a text is put together or formatted where it
// stands.
func formats(info *types.Info, text ast.Expr) bool {
	if info.Types[text].Value != nil {
		return false
	}
	switch e := ast.Unparen(text).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD
	case *ast.CallExpr:
		fn := code.Callee(info, e)
		if fn == nil {
			return false
		}
		_, twin := appendTwins[fn.FullName()]
		return twin || appendfTwins[fn.FullName()].append != "" || fn.FullName() == "(time.Time).Format" || fn.FullName() == "strings.Join"
	}
	return false
}

// appendfTwins are functions that format whatever they are given, with what
// appends the same and what writes the same.
var appendfTwins = map[string]struct{ append, write string }{
	"fmt.Sprintf":  {"Appendf", "Fprintf"},
	"fmt.Sprint":   {"Append", "Fprint"},
	"fmt.Sprintln": {"Appendln", "Fprintln"},
}

func proposeAppendFormat(p *prove.Program, s *formatSite, saves model.Resource) (*model.Change, *prove.Reason) {
	if why := s.editable(); why != nil {
		return nil, why
	}
	if s.kind == toSlice && s.stmt == nil && !types.Identical(s.fn.Info().TypeOf(s.dst), types.NewSlice(types.Typ[types.Byte])) {
		return nil, prove.Refuse("the slice has a type of its own")
	}
	if !plainPath(s.dst) && s.kind != toSlice {
		return nil, prove.Refuse("the writer is not a plain variable or field")
	}
	w := &formatWriter{p: p, formatSite: s}
	if why := w.write(); why != nil {
		return nil, why
	}
	if s.kind == toWriter && saves == model.Allocs && w.boxes() < 2 {
		return nil, prove.Refuse("the buffer that is written from would cost as much as the operand")
	}
	return w.change("append-format", fmt.Sprintf("format straight into %s", prove.Short(types.ExprString(s.dst))))
}

// editable says why a call cannot be replaced.
func (s *formatSite) editable() *prove.Reason {
	if why := prove.Editable(s.fn.File); why != nil {
		return why
	}
	if s.fn.File.Commented(s.node()) {
		return prove.Refuse("there is a comment within the call")
	}
	if s.call != nil && s.fn.File.Later(s.call) {
		return prove.Refuse("it is done by a go or defer statement")
	}
	return nil
}

// change returns the change that was written.
func (w *formatWriter) change(kind, does string) (*model.Change, *prove.Reason) {
	f, p := w.fn.File, w.p
	edits, ok := p.Reimport(f, w.node().Pos(), w.paths, w.old, w.removed...)
	if !ok {
		return nil, prove.Refuse(strings.Join(w.paths, ", ") + " cannot be imported in " + f.Name)
	}
	if w.first != "" {
		edits = append(edits, p.Insert(f, w.stmt.Pos(), w.first))
	}
	edits = append(edits, p.Put(f, w.at.Pos(), w.at.End(), w.out))
	return p.Change(w.fn, edits, model.Change{
		Kind:        kind,
		Title:       fmt.Sprintf("%s: %s in %s", f.Pkg.Name, does, w.fn.Obj.Name()),
		Obligations: w.obligations(),
	})
}
