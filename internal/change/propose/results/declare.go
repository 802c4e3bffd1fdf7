package results

import (
	"go/ast"
	"go/types"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// declare declares the function that appends, and returns its name. The old one calls it where something else
// than the places that are changed may call that; all says that nothing was seen to.
func (m *maker) declare(all bool) (string, *prove.Reason) {
	name := m.name()
	if name == "" {
		return "", prove.Refuse("no name is free for the function that appends")
	}
	decl := m.fn.Decl
	m.put(decl.Type.Params.Opening+1, decl.Type.Params.Opening+1, m.parameter())
	if m.text {
		res := decl.Type.Results.List[0].Type
		m.put(res.Pos(), res.End(), "[]byte")
	}
	if all && !m.calledElsewhere() {
		m.put(decl.Name.Pos(), decl.Name.End(), name)
		m.rename(name)
		return name, nil
	}
	if m.kept != "" {
		return "", prove.Refuse("other callers need " + m.fn.Obj.Name() + " as it is: " + m.kept)
	}
	call, why := m.wrapper(name)
	if why != nil {
		return "", why
	}
	// The old signature comes first, with a body of its own; the edits above change the new one, which is
	// written behind it with the old body.
	f := m.fn.File
	from, to := m.p.Offset(decl.Pos()), m.p.Offset(decl.Body.Lbrace)
	head := string(f.Src[from:m.p.Offset(decl.Name.Pos())]) + name + string(f.Src[m.p.Offset(decl.Name.End()):m.p.Offset(decl.Type.Params.Opening)+1]) + m.parameter() +
		string(f.Src[m.p.Offset(decl.Type.Params.Opening)+1:to])
	if m.text {
		res := decl.Type.Results.List[0].Type
		head = head[:len(head)-(to-m.p.Offset(res.Pos()))] + "[]byte" + string(f.Src[m.p.Offset(res.End()):to])
	}
	kept := m.edits[:0]
	for _, e := range m.edits {
		if e.Start >= to {
			kept = append(kept, e)
		}
	}
	m.edits = append(kept, m.p.Edit(f, to, to, "{\n\t"+strings.ReplaceAll(call, "\n", "\n\t")+"\n}\n\n// "+name+" appends to "+m.dst+" what "+m.fn.Obj.Name()+" returns.\n"+head))
	return name, nil
}

// parameter declares what is appended to, before the other parameters.
func (m *maker) parameter() string {
	params := m.fn.Decl.Type.Params.List
	switch {
	case len(params) == 0:
		return m.dst + " []byte"
	case len(params[0].Names) > 0 && m.source(params[0].Type) == "[]byte":
		return m.dst + ", "
	}
	return m.dst + " []byte, "
}

// name returns a free name for the function: appendX for encodeX and for x, appendEscapedX for escapeX.
func (m *maker) name() string {
	old := m.fn.Obj.Name()
	for _, stem := range []string{stem(code.LowerName(old)), code.UpperName(old)} {
		if name := "append" + stem; m.p.Free(m.fn.File.Pkg, name) {
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

// calledElsewhere reports whether something that was not read may call the function: another package, a test, a file for
// another build, or an interface.
func (m *maker) calledElsewhere() bool {
	obj, pkg := m.fn.Obj, m.fn.File.Pkg
	if obj.Exported() {
		return true
	}
	var mine []string
	for _, f := range pkg.Files {
		mine = append(mine, f.Path)
	}
	if _, other := code.Words(mine, os.ReadFile); other[obj.Name()] {
		return true
	}
	if obj.Signature().Recv() == nil {
		return false
	}
	for _, def := range pkg.TypesInfo.Defs {
		fn, ok := def.(*types.Func)
		if ok && fn.Name() == obj.Name() && code.IsInterfaceMethod(fn) {
			return true
		}
	}
	return false
}

// rename lets the comment of a function begin with its new name, and say where the result goes.
func (m *maker) rename(name string) {
	doc := m.fn.Decl.Doc
	if doc == nil {
		return
	}
	first := doc.List[0]
	if rest, ok := strings.CutPrefix(first.Text, "// "+m.fn.Obj.Name()); ok {
		m.put(first.Pos(), first.End(), "// "+name+rest)
	}
	m.put(doc.End(), doc.End(), "\n// The result is appended to "+m.dst+".")
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
	case m.spare != nil:
		return "make([]byte, 0, " + m.source(m.spare) + ")"
	case m.text:
		return "make([]byte, 0, 64)"
	case m.empty:
		return "[]byte{}"
	}
	return "nil"
}
