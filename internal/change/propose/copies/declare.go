package copies

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// declare declares the function that appends or writes, and lets places call it. The old one calls it where
// something else may call that; all says that nothing else was seen to.
func (m *maker) declare(all bool, places []*place, change func(*place, string) []model.Edit) *prove.Reason {
	name := m.name()
	if name == "" {
		return prove.Refuse("no name is free for the new function")
	}
	if all && !m.calledElsewhere() {
		m.signature(name)
	} else if why := m.split(name); why != nil {
		return why
	}
	for _, s := range places {
		m.edits = append(m.edits, change(s, name)...)
	}
	for _, ret := range m.again {
		m.repeats(ret, name)
	}
	return nil
}

// repeats lets a return statement that calls the function itself call the new one.
func (m *maker) repeats(ret *ast.ReturnStmt, name string) {
	call := m.itself(ret.Results[0])
	fun, args := name, m.between(call.Lparen+1, call.Rparen)
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		fun = m.source(sel.X) + "." + name
	}
	if args != "" {
		args = ", " + args
	}
	text := fun + "(" + m.dst + args + ")"
	if m.does == "write" {
		m.put(ret.Pos(), ret.End(), text+"\nreturn")
	} else {
		m.put(call.Pos(), call.End(), text)
	}
}

// signature gives the function its new name, parameter and result.
func (m *maker) signature(name string) {
	decl := m.fn.Decl
	m.put(decl.Type.Params.Opening+1, decl.Type.Params.Opening+1, m.parameter())
	from, to, now := m.results()
	m.put(from, to, now)
	m.put(decl.Name.Pos(), decl.Name.End(), name)
	m.rename(name)
}

// split writes a new signature before the body; the old one comes first, with a call of the new function.
func (m *maker) split(name string) *prove.Reason {
	if m.kept != "" {
		return prove.Refuse("other callers need " + m.fn.Obj.Name() + " as it is: " + m.kept)
	}
	call, why := m.wrapper(name)
	if why != nil {
		return why
	}
	decl, text := m.fn.Decl, m.between
	from, to, now := m.results()
	params := decl.Type.Params.Opening + 1
	head := text(decl.Type.Func, decl.Name.Pos()) + name + text(decl.Name.End(), params) + m.parameter() +
		text(params, from) + now + text(to, decl.Body.Lbrace)
	m.put(decl.Body.Lbrace, decl.Body.Lbrace, "{\n\t"+strings.ReplaceAll(call, "\n", "\n\t")+"\n}\n\n// "+name+" "+m.does+"s to "+m.dst+" what "+m.fn.Obj.Name()+" returns.\n"+head)
	return nil
}

// parameter declares what is appended to, before the other parameters.
func (m *maker) parameter() string {
	params := m.fn.Decl.Type.Params.List
	switch {
	case len(params) == 0:
		return m.dst + " " + m.typ
	case len(params[0].Names) > 0 && m.source(params[0].Type) == m.typ:
		return m.dst + ", "
	}
	return m.dst + " " + m.typ + ", "
}

// results returns the part of the declaration that says what comes back, and what it becomes.
func (m *maker) results() (from, to token.Pos, now string) {
	decl := m.fn.Decl.Type
	if m.does == "write" {
		return decl.Params.End(), decl.Results.End(), ""
	}
	first := decl.Results.List[0].Type
	if m.text {
		return first.Pos(), first.End(), "[]byte"
	}
	return first.Pos(), first.Pos(), ""
}

// name returns a free name for the function: appendX for encodeX and for x, appendEscapedX for escapeX.
func (m *maker) name() string {
	old := m.fn.Obj.Name()
	for _, stem := range []string{stem(code.LowerName(old)), code.UpperName(old)} {
		if name := m.does + stem; m.p.Free(m.fn.File.Pkg, name) {
			return name
		}
	}
	return ""
}

// stem says what a function with this name makes.
func stem(name string) string {
	for _, verb := range []string{"encode", "marshal", "format", "build", "make", "get"} {
		if rest, ok := strings.CutPrefix(name, verb); ok && rest != "" && code.UpperName(rest) == rest {
			return rest
		}
	}
	for verb, made := range map[string]string{"encode": "Encoded", "marshal": "Marshaled", "format": "Formatted", "quote": "Quoted", "escape": "Escaped", "render": "Rendered"} {
		if rest, ok := strings.CutPrefix(name, verb); ok && (rest == "" || code.UpperName(rest) == rest) {
			return made + rest
		}
	}
	return code.UpperName(name)
}

// calledElsewhere reports whether something that was not read may call the function, a test among it.
func (o *original) calledElsewhere() bool {
	return o.p.CalledUnread(o.fn) || o.p.Elsewhere(o.fn.File.Pkg, o.fn.Obj.Name())
}

// rename lets the comment of a function begin with its new name, and say where the result goes.
func (m *maker) rename(name string) {
	doc := m.fn.Decl.Doc
	if doc == nil {
		return
	}
	first := doc.List[0]
	if rest, ok := strings.CutPrefix(first.Text, "// "+m.fn.Obj.Name()+" "); ok {
		if what, ok := strings.CutPrefix(rest, "returns "); ok {
			rest = m.does + "s " + what
		}
		m.put(first.Pos(), first.End(), "// "+name+" "+rest)
	}
	m.put(doc.End(), doc.End(), "\n// It "+m.does+"s to "+m.dst+".")
}

// wrapper writes the call that the old function is.
func (m *maker) wrapper(name string) (string, *prove.Reason) {
	decl, args := m.fn.Decl, []string{m.nothing()}
	for _, field := range decl.Type.Params.List {
		if len(field.Names) == 0 {
			return "", prove.Refuse("a parameter has no name")
		}
		for _, id := range field.Names {
			arg := id.Name
			if arg == "_" {
				return "", prove.Refuse("a parameter has no name")
			}
			if _, list := field.Type.(*ast.Ellipsis); list {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	fn := name
	if decl.Recv != nil {
		names := decl.Recv.List[0].Names
		if len(names) == 0 || names[0].Name == "_" {
			return "", prove.Refuse("the receiver has no name")
		}
		fn = names[0].Name + "." + name
	}
	call := fn + "(" + strings.Join(args, ", ") + ")"
	switch {
	case m.does == "write":
		return m.source(m.def) + "\n" + call + "\nreturn " + m.dst + "." + m.asks + "()", nil
	case m.text && m.fails:
		b, err := code.FirstFree(decl, "b", "buf", "text"), code.FirstFree(decl, "err", "failure")
		if b == "" || err == "" {
			return "", prove.Refuse("no names are free for what the function returns")
		}
		return b + ", " + err + " := " + call + "\nreturn string(" + b + "), " + err, nil
	case m.text:
		return "return string(" + call + ")", nil
	}
	return "return " + call, nil
}

// nothing is what the old function has appended to: what the slice was at first.
func (m *maker) nothing() string {
	switch {
	case m.does == "write" && !isPointer(m.made.Type()):
		return "&" + m.dst
	case m.does == "write":
		return m.dst
	case m.spare != nil:
		return "make([]byte, 0, " + m.source(m.spare) + ")"
	case m.text:
		return "make([]byte, 0, 64)"
	case m.empty:
		return "[]byte{}"
	}
	return "nil"
}
