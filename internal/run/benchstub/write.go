package benchstub

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/version"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
)

// dataDir is where large inputs lie, within the package's directory.
const dataDir = "testdata/pawl"

// A writer makes the text of one generated file.
type writer struct {
	fn    *function
	scope *scope
	name  string // of the benchmark
	tests string // import path of the tests that were recorded
	loop  string // the head of the timed loop
	keeps bool   // the loop keeps results alive by itself
	text  int    // the parameter whose length is the work of an iteration, or -1
	data  map[string][]byte
	body  strings.Builder
	sinks [][]pawlstub.Part // types of results, where they are kept by hand
}

func newWriter(f *function, s *scope, tests string) *writer {
	w := &writer{fn: f, scope: s, tests: tests, data: make(map[string][]byte), name: s.benchmark(f)}
	at := "go1.16"
	if m := f.pkg.Module; m != nil && m.GoVersion != "" {
		at = "go" + m.GoVersion
	}
	switch {
	case version.Compare(at, "go1.24") >= 0:
		w.loop, w.keeps = "for b.Loop() {", true
	case version.Compare(at, "go1.22") >= 0:
		w.loop = "for range b.N {"
	default:
		w.loop = "for i := 0; i < b.N; i++ {"
	}
	return w
}

// file returns the generated file; its data is in w.data.
func (w *writer) file(inputs []chosen) ([]byte, error) {
	w.scope.pkg("testing")
	w.reserve(inputs)
	w.text = w.bytes(inputs)
	fmt.Fprintf(&w.body, "func %s(b *testing.B) {\n", w.name)
	for i, in := range inputs {
		if i > 0 {
			w.body.WriteByte('\n')
		}
		w.input(in)
	}
	w.body.WriteString("}\n")
	out, err := format.Source(w.whole())
	if err != nil {
		return nil, fmt.Errorf("the benchmark of %s would not be Go: %w", w.fn.full(), err)
	}
	return out, nil
}

// reserve gives names to all that is imported before variables get theirs.
func (w *writer) reserve(inputs []chosen) {
	for _, in := range inputs {
		for _, p := range in.Params {
			for _, path := range slices.Concat(paths(p.Expr), paths(p.Type)) {
				if path != w.scope.own {
					w.scope.reserve(path)
				}
			}
			if hasData(p.Expr) {
				w.scope.reserve("os")
			}
			if hasData(p.Expr) && p.Written {
				w.scope.reserve("bytes")
			}
		}
	}
}

func hasData(parts []pawlstub.Part) bool {
	return slices.ContainsFunc(parts, func(x pawlstub.Part) bool { return x.Data != nil })
}

// whole puts head, imports and sinks before the benchmark.
func (w *writer) whole() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// The inputs of %s were recorded while the tests of\n// %s ran (pawl bench-stub %s). Tests may hold what is\n// private: read the inputs before you publish them.\n\n",
		w.name, w.tests, w.fn.short())
	for _, g := range w.fn.Syntax.Comments {
		for _, c := range g.List {
			if g.Pos() < w.fn.Syntax.Package && constraint.IsGoBuild(c.Text) {
				b.WriteString(c.Text + "\n\n")
			}
		}
	}
	var sinks strings.Builder
	for i, t := range w.sinks {
		if len(t) > 0 {
			fmt.Fprintf(&sinks, "var %s %s\n", w.sink(i), w.expr(t, nil))
		}
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n", w.fn.pkg.Name)
	for _, standard := range []bool{true, false} {
		for _, path := range slices.Sorted(maps.Keys(w.scope.used)) {
			name := w.scope.imports[path]
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") == standard {
				continue
			}
			if strings.HasSuffix("/"+path, "/"+name) {
				fmt.Fprintf(&b, "\t%q\n", path)
			} else {
				fmt.Fprintf(&b, "\t%s %q\n", name, path)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n\n")
	if sinks.Len() > 0 {
		b.WriteString("// Results are kept, so that the compiler does not drop the calls.\n" + sinks.String() + "\n")
	}
	b.WriteString(w.body.String())
	return b.Bytes()
}

func (w *writer) sink(i int) string {
	return fmt.Sprintf("%s%sSink%d", strings.ToLower(w.name[:1]), w.name[1:], i)
}

// A variable is a parameter in the generated text.
type variable struct {
	pawlstub.Param
	name  string
	datas []string // names of the variables that hold its data
}

// input writes one sub-benchmark.
func (w *writer) input(in chosen) {
	w.scope.vars = make(map[string]bool)
	fmt.Fprintf(&w.body, "\tb.Run(%q, func(b *testing.B) {\n", in.name)
	for _, note := range in.Notes {
		fmt.Fprintf(&w.body, "// %s.\n", note)
	}
	vars := make([]variable, len(in.Params))
	for i, p := range in.Params {
		vars[i] = variable{Param: p, name: w.scope.variable(p.Name)}
	}
	var fresh strings.Builder
	var written []string
	for i := range vars {
		v := &vars[i]
		w.read(v, in.name)
		switch {
		case !v.Written:
			w.declare(&w.body, v)
		case v.Flat && len(v.Type) > 0:
			was := w.scope.variable(v.name + "Recorded")
			fmt.Fprintf(&w.body, "%s := %s\n%s := make(%s, len(%s))\n", was, w.expr(v.Expr, v.datas), v.name, w.expr(v.Type, nil), was)
			fmt.Fprintf(&fresh, "copy(%s, %s)\n", v.name, was)
			written = append(written, v.name)
		default:
			w.declare(&fresh, v)
			written = append(written, v.name)
		}
	}
	w.body.WriteString("b.ReportAllocs()\n")
	if w.text >= 0 {
		fmt.Fprintf(&w.body, "b.SetBytes(int64(len(%s)))\n", vars[w.text].name)
	}
	if !w.keeps {
		w.body.WriteString("b.ResetTimer()\n")
	}
	w.body.WriteString(w.loop + "\n")
	if len(written) > 0 {
		fmt.Fprintf(&w.body, "// %s writes to %s, so each iteration takes a fresh copy. What the\n// copy costs is part of the figures.\n%s", w.fn.name, strings.Join(written, " and "), fresh.String())
	}
	w.body.WriteString(w.call(vars, in.Results) + "\n}\n})\n")
}

// declare writes the declaration of a variable.
func (w *writer) declare(b *strings.Builder, v *variable) {
	switch typed := len(v.Type) > 0; {
	case typed && v.Zero:
		fmt.Fprintf(b, "var %s %s\n", v.name, w.expr(v.Type, nil))
	case typed && v.Kind == "interface":
		fmt.Fprintf(b, "var %s %s = %s\n", v.name, w.expr(v.Type, nil), w.expr(v.Expr, w.datas(v)))
	default:
		if text := w.expr(v.Expr, w.datas(v)); text != v.name { // else it was read into the variable
			fmt.Fprintf(b, "%s := %s\n", v.name, text)
		}
	}
}

// datas returns how the data of a variable is written: what the function
// writes to must not be what was read.
func (w *writer) datas(v *variable) []string {
	if !v.Written {
		return v.datas
	}
	out := slices.Clone(v.datas)
	i := 0
	for _, x := range v.Expr {
		if x.Data == nil {
			continue
		}
		if !x.String {
			out[i] = w.scope.pkg("bytes") + ".Clone(" + out[i] + ")"
		}
		i++
	}
	return out
}

// read writes what reads the large parts of a variable from files.
func (w *writer) read(v *variable, sub string) {
	alone := len(v.Expr) == 1 && !v.Written // it is the value
	for _, x := range v.Expr {
		if x.Data == nil {
			continue
		}
		file := fmt.Sprintf("%s-%s-%s", w.name, sub, v.Name)
		if n := len(v.datas); n > 0 {
			file += fmt.Sprintf("-%d", n+1)
		}
		w.data[file] = x.Data
		name := v.name
		if !alone || x.String {
			name = w.scope.variable(v.name + "Data")
		}
		fmt.Fprintf(&w.body, "%s, err := %s.ReadFile(%q)\nif err != nil {\nb.Fatal(err)\n}\n", name, w.scope.pkg("os"), dataDir+"/"+file)
		switch {
		case alone && x.String:
			name = "string(" + name + ")"
		case x.String:
			text := w.scope.variable(v.name + "Text")
			fmt.Fprintf(&w.body, "%s := string(%s)\n", text, name)
			name = text
		}
		v.datas = append(v.datas, name)
	}
}

// expr returns parts as text; datas are the names of what Data stands for.
func (w *writer) expr(parts []pawlstub.Part, datas []string) string {
	var b strings.Builder
	n := 0
	for _, p := range parts {
		switch {
		case p.Name != "":
			b.WriteString(w.scope.text(p))
		case p.Data != nil:
			b.WriteString(datas[n])
			n++
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// bytes returns which parameter's length is the work of one iteration, or -1:
// the one that is text and makes up nearly all of every input.
func (w *writer) bytes(inputs []chosen) int {
	found := -1
	for i, in := range inputs {
		at := -1
		for j, p := range in.Params {
			if p.Bytes && 4*p.Size >= 3*in.Size && (j > 0 || w.fn.recv == "") {
				at = j
			}
		}
		if i > 0 && at != found {
			return -1
		}
		found = at
	}
	return found
}

// call returns the statement that is measured.
func (w *writer) call(vars []variable, results [][]pawlstub.Part) string {
	callee := w.fn.name
	if w.fn.recv != "" {
		callee = vars[0].name + "." + callee
		vars = vars[1:]
	}
	args := make([]string, len(vars))
	for i, v := range vars {
		args[i] = v.name
	}
	dots := ""
	if list := w.fn.decl.Type.Params.List; len(list) > 0 {
		if _, ok := list[len(list)-1].Type.(*ast.Ellipsis); ok {
			dots = "..."
		}
	}
	call := fmt.Sprintf("%s(%s%s)", callee, strings.Join(args, ", "), dots)
	if w.keeps || len(results) == 0 {
		return call
	}
	if w.sinks == nil {
		w.sinks = results
	}
	left := make([]string, len(results))
	for i := range results {
		if left[i] = "_"; len(w.sinks[i]) > 0 && slices.EqualFunc(w.sinks[i], results[i], samePart) {
			left[i] = w.sink(i)
		}
	}
	return strings.Join(left, ", ") + " = " + call
}

func samePart(a, b pawlstub.Part) bool {
	return a.Text == b.Text && a.Pkg == b.Pkg && a.Name == b.Name
}
