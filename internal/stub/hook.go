package stub

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed pawlstub/*.go
var library embed.FS

// The names of what the overlay adds.
const (
	alias      = "pawl_stub" // of the package: no source calls one so
	importPath = "pawlstub"
)

// An insertion is text that goes into a file, in place of cut bytes.
type insertion struct {
	at, cut int
	text    string
}

// hooked returns the source of the function's file with the hook in it. All
// stays on the line where it was, so that lines keep their numbers.
func (f *function) hooked() []byte {
	var in []insertion
	names := f.params(&in)
	results := f.results(&in)
	var args strings.Builder
	for _, n := range names {
		fmt.Fprintf(&args, ", &%s", n)
	}
	back := ""
	for _, r := range results {
		back += ", &" + r
	}
	hook := fmt.Sprintf(" if %[1]s.On() { pawlcall := %[1]s.Enter(%[2]q, %[3]q%[4]s); defer func() { pawlcall.Leave(recover()%[5]s) }() };",
		alias, f.pkg.ImportPath, strings.Join(names, ","), args.String(), back)
	in = append(in, insertion{at: f.offset(f.decl.Body) + 1, text: hook})
	in = append(in, insertion{at: f.packageEnd(), text: fmt.Sprintf("; import %s %q", alias, importPath)})
	slices.SortStableFunc(in, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	last := 0
	for _, i := range in {
		out.Write(f.src[last:i.at])
		out.WriteString(i.text)
		last = i.at + i.cut
	}
	out.Write(f.src[last:])
	return out.Bytes()
}

func (f *function) offset(n ast.Node) int { return f.fset.PositionFor(n.Pos(), false).Offset }

// params returns the names of the receiver and the parameters, and gives one
// to those that have none.
func (f *function) params(in *[]insertion) []string {
	var names []string
	fields := slices.Clone(f.decl.Type.Params.List)
	if f.decl.Recv != nil {
		fields = append([]*ast.Field{f.decl.Recv.List[0]}, fields...)
	}
	for _, field := range fields {
		names = append(names, f.named(field, "pawlp", len(names), in)...)
	}
	return names
}

// results does the same for the results, which a deferred function can only
// see by their names.
func (f *function) results(in *[]insertion) []string {
	list := f.decl.Type.Results
	if list == nil {
		return nil
	}
	var names []string
	for _, field := range list.List {
		names = append(names, f.named(field, "pawlr", len(names), in)...)
	}
	if !list.Opening.IsValid() && len(names) > 0 {
		// A single result without a name stands without parentheses.
		*in = append(*in, insertion{at: f.offset(list), text: "("}, insertion{at: f.fset.PositionFor(list.End(), false).Offset, text: ")"})
		slices.SortStableFunc(*in, func(a, b insertion) int { return order(a) - order(b) })
	}
	return names
}

// order puts the parenthesis in front of the name that stands at the same place.
func order(i insertion) int {
	if i.text == "(" {
		return 2*i.at - 1
	}
	return 2 * i.at
}

func (f *function) named(field *ast.Field, prefix string, from int, in *[]insertion) []string {
	if len(field.Names) == 0 {
		name := fmt.Sprintf("%s%d", prefix, from)
		*in = append(*in, insertion{at: f.offset(field.Type), text: name + " "})
		return []string{name}
	}
	var names []string
	for i, id := range field.Names {
		name := id.Name
		if name == "_" {
			name = fmt.Sprintf("%s%d", prefix, from+i)
			*in = append(*in, insertion{at: f.offset(id), cut: 1, text: name})
		}
		names = append(names, name)
	}
	return names
}

// packageEnd returns where the file's package clause ends.
func (f *function) packageEnd() int { return f.fset.PositionFor(f.syntax.Name.End(), false).Offset }

// overlay writes the hooked file and package pawlstub into dir, and returns
// what they replace.
func (f *function) overlay(dir, goroot string) (map[string]string, error) {
	replace := make(map[string]string)
	put := func(at string, text []byte) error {
		name := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(at)))
		replace[at] = name
		return os.WriteFile(name, text, 0o600)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for the overlay: %w", err)
	}
	if err := put(f.file, f.hooked()); err != nil {
		return nil, fmt.Errorf("writing the overlay: %w", err)
	}
	if err := put(filepath.Join(f.pkg.Dir, "zz_pawl_stub.go"), f.variables()); err != nil {
		return nil, fmt.Errorf("writing the overlay: %w", err)
	}
	entries, err := library.ReadDir("pawlstub")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := library.ReadFile("pawlstub/" + e.Name())
		if err == nil {
			err = put(filepath.Join(goroot, "src", importPath, e.Name()), text)
		}
		if err != nil {
			return nil, fmt.Errorf("writing the overlay: %w", err)
		}
	}
	return replace, nil
}

// variables returns a file that tells the library of the package's variables.
func (f *function) variables() []byte {
	s := newScope(f, nil)
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport %s %q\n\nvar _ = %s.On\n\nfunc init() {\n", f.pkg.Name, alias, importPath, alias)
	for _, name := range slices.Sorted(maps.Keys(s.variables)) {
		fmt.Fprintf(&b, "\t%s.Known(%q, &%s)\n", alias, name, name)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// whyNot says why a function cannot get a benchmark whatever it is called
// with, or returns "".
func (f *function) whyNot() string {
	switch {
	case f.decl.Body == nil:
		return "it has no Go body, so no hook can be put into it: write its benchmark by hand"
	case f.pkg.Name == "main" && f.name == "main" && f.recv == "":
		return "it is the program itself: choose a function that it calls"
	}
	return ""
}
