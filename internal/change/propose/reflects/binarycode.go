package reflects

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// code writes the function that does what a call does, under a name. It asks for the
// names of the packages that it uses.
func (t *transfer) code(name string, pkg func(path string) string) (string, *prove.Reason) {
	noun := t.noun()
	switch {
	case fixed(t.typ) < 0:
		return "", prove.Refusef("type %s has no fixed size", t.typ)
	case noun == "":
		return "", prove.Refusef("the type %s has no name", t.typ)
	}
	l := &layout{write: t.write, order: t.order.name, pkg: pkg, typed: t.typed(pkg), local: t.fn.Obj.Pkg(), buf: "buf[:]", used: t.via}
	if t.via {
		l.buf = "buf"
	}
	typ, why := t.basic(), (*prove.Reason)(nil)
	if typ == "" {
		typ, why = l.typed(t.typ)
	}
	if why == nil {
		why = l.layOut(t.typ)
	}
	if why != nil {
		return "", why
	}
	memory := t.memory()
	params := t.stream(memory, pkg)
	if t.via {
		params += ", buf []byte"
	}
	if t.order.name == "" && t.orders() {
		params += ", order " + pkg("encoding/binary") + ".ByteOrder"
	}
	does, star, method := "writes x as binary.Write", "", "Write"
	if !t.write {
		does, method = "reads x as binary.Read", "Read"
	}
	if !t.write || t.ptr {
		star = "*"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s %s does, without reflection%s.\n", name, does, map[bool]string{true: "; buf is scratch space"}[t.via])
	fmt.Fprintf(&b, "func %s(%s, x %s%s) error {\n", name, params, star, typ)
	if t.ptr { // the error comes before anything is read or written
		binary := pkg("encoding/binary")
		fmt.Fprintf(&b, "if x == nil {\nreturn %s.%s(nil, %s.BigEndian, (*%s)(nil)) // an error\n}\n", binary, method, binary, typ)
	}
	whole := "buf[:]"
	if t.via {
		whole = fmt.Sprintf("buf[:%d]", l.size)
	} else {
		fmt.Fprintf(&b, "var buf [%d]byte\n", l.size)
	}
	body := strings.Join(l.lines, "\n")
	if t.write {
		fmt.Fprintf(&b, "%s\n_, err := w.Write(%s)\nreturn err\n}\n", body, whole)
	} else {
		fmt.Fprintf(&b, "%s%s\nreturn nil\n}\n", fill(memory, whole, pkg), body)
	}
	return b.String(), nil
}

// stream writes the parameter that is read or written.
func (t *transfer) stream(memory string, pkg func(string) string) string {
	name, of := "r", "Reader"
	if t.write {
		name, of = "w", "Writer"
	}
	if path, typ, ok := strings.Cut(memory, "."); ok {
		return name + " *" + pkg(path) + "." + typ
	}
	return name + " " + pkg("io") + "." + of
}

// fill reads the whole buffer. From memory one Read returns all that there is, and the
// errors are those of io.ReadFull; a bytes.Buffer that is empty then forgets its last read.
func fill(memory, whole string, pkg func(string) string) string {
	io := pkg("io")
	if memory == "" {
		return fmt.Sprintf("if _, err := %s.ReadFull(r, %s); err != nil {\nreturn err\n}\n", io, whole)
	}
	reset := ""
	if memory == "bytes.Buffer" {
		reset = "r.Reset()\n"
	}
	return fmt.Sprintf("n, err := r.Read(%s)\nif err != nil {\nreturn err\n}\nif n < len(buf) {\n%sreturn %s.ErrUnexpectedEOF\n}\n", whole, reset, io)
}

// typed writes the names of types that the function may use.
func (t *transfer) typed(pkg func(string) string) func(types.Type) (string, *prove.Reason) {
	f := t.fn.File
	return func(typ types.Type) (text string, why *prove.Reason) {
		named, ok := types.Unalias(typ).(*types.Named)
		if ok && (named.TypeArgs().Len() > 0 || named.Obj().Pkg() != nil && named.Obj().Parent() != named.Obj().Pkg().Scope()) {
			return "", prove.Refusef("the type %s is generic, or of a function", typ)
		}
		text = types.TypeString(typ, func(other *types.Package) string {
			if other == t.fn.Obj.Pkg() {
				return ""
			}
			if !slices.ContainsFunc(f.Syntax.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == strconv.Quote(other.Path()) }) || !named.Obj().Exported() {
				why = prove.Refusef("%s cannot name the type %s", f.Name, typ)
			}
			return pkg(other.Path())
		})
		return text, why
	}
}

// name proposes a name for the function.
func (t *transfer) name() string {
	name := "read"
	if t.write {
		name = "write"
	}
	name += code.UpperName(t.noun())
	if t.orders() {
		name += t.order.suffix
	}
	return name
}

// orders reports whether the byte order matters.
func (t *transfer) orders() bool {
	a, ok := t.typ.Underlying().(*types.Array)
	return !(fixed(t.typ) == 1 || ok && fixed(a.Elem()) == 1)
}

// A binaryWriter writes a change.
type binaryWriter struct {
	p     *prove.Program
	fn    *prove.Function
	edits []model.Edit
	buf   string
	names map[string]string // name of a function → its code
}

// buffers declares those that calls share.
func (w *binaryWriter) buffers(groups []*group) *prove.Reason {
	f, p := w.fn.File, w.p
	w.buf = code.FreeLocal(w.fn.Decl, "buf")
	for _, g := range groups {
		if code.Jumps(w.fn.Decl.Body) {
			return prove.Refuse(w.fn.Obj.Name() + " uses goto")
		}
		w.edits = append(w.edits, p.Insert(f, p.Above(f, g.stmt), fmt.Sprintf("var %s [%d]byte\n", w.buf, g.room())))
	}
	return nil
}

func (w *binaryWriter) write(all []*transfer) *prove.Reason {
	f, p := w.fn.File, w.p
	paths, old := map[string]bool{}, "encoding/binary"
	var removed []ast.Node
	var added []string
	w.names = map[string]string{}
	for _, t := range all {
		name, text, uses, why := w.function(t)
		if why != nil {
			return why
		}
		if text != "" {
			added = append(added, text)
			maps.Copy(paths, uses)
		}
		args := []string{p.Source(f, t.call.Args[0])}
		if t.via {
			args = append(args, w.buf+"[:]")
		}
		if removed = append(removed, t.call.Fun); t.order.name == "" && t.orders() {
			args = append(args, p.Source(f, t.call.Args[1]))
		} else {
			removed = append(removed, t.call.Args[1])
		}
		w.edits = append(w.edits, p.Put(f, t.call.Pos(), t.call.End(), name+"("+strings.Join(append(args, t.value), ", ")+")"))
	}
	if paths[old] {
		old = ""
	}
	imports, ok := p.Reimport(f, w.fn.Decl.End(), slices.Sorted(maps.Keys(paths)), old, removed...)
	if !ok {
		return prove.Refuse("the imports cannot be changed")
	}
	if w.edits = append(w.edits, imports...); len(added) > 0 {
		w.edits = append(w.edits, p.Below(w.fn, strings.Join(added, "\n")))
	}
	return nil
}

// function names the function for a call. Its text is empty where it is there already.
func (w *binaryWriter) function(t *transfer) (name, text string, uses map[string]bool, why *prove.Reason) {
	taken := ""
	uses = map[string]bool{}
	pkg := func(path string) string {
		as := w.p.Qualifier(w.fn.File, w.fn.Decl.End(), path)
		if as == "" {
			taken = path
		}
		uses[path] = true
		return as
	}
	for i := 1; ; i++ {
		name = prove.Numbered(t.name(), i)
		if text, why = t.code(name, pkg); why != nil {
			return "", "", nil, why
		}
		if taken != "" {
			return "", "", nil, prove.Refusef("the name of package %s means something else in %s", taken, w.fn.File.Name)
		}
		switch before, seen := w.names[name]; {
		case seen && before == text, !seen && w.fn.File.Declares(text):
			return name, "", nil, nil
		case !seen && w.p.Free(w.fn.File.Pkg, name):
			w.names[name] = text
			return name, text, uses, nil
		}
	}
}

func obliged(shared bool) []model.Obligation {
	all := []model.Obligation{
		{Text: "the same bytes stand for the same values", How: "proven",
			Why: "their types say how package binary lays them out, and the functions move each number and byte to its place; fields called _ are skipped, and written as zeros"},
		{Text: "as much is read or written by each call, and the errors are the same", How: "proven",
			Why: "the whole is read before anything is stored, as io.ReadFull does it, and written by one Write"},
	}
	if shared {
		all = append(all, model.Obligation{Text: "nobody keeps the buffer that the calls share", How: "assumed", Why: "package io: a Reader or Writer must not retain the slice that it is given"})
	}
	return all
}
