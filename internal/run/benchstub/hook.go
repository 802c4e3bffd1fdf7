package benchstub

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/source/edit"
	"github.com/pawl-dev/pawl/internal/source/inject"
)

// The patterns leave out _test.go: no other file's name ends in st.go.
//
//go:embed pawlstub/*[^t].go pawlstub/*[^s]t.go
var library embed.FS

// The names of what the overlay adds.
const (
	alias      = "pawl_stub" // of the package: no source calls one so
	importPath = "pawlstub"
)

// hooked returns the source of the function's file with the hook in it.
func (f *function) hooked() []byte {
	names, edits := inject.Params(f.File, f.decl)
	results, more := inject.Results(f.File, f.decl)
	var args strings.Builder
	for _, n := range names {
		fmt.Fprintf(&args, ", &%s", n)
	}
	back := ""
	for _, r := range results {
		back += ", &" + r
	}
	hook := fmt.Sprintf("if %[1]s.On() { pawlcall := %[1]s.Enter(%[2]q, %[3]q%[4]s); defer func() { pawlcall.Leave(recover()%[5]s) }() };",
		alias, f.pkg.ImportPath, strings.Join(names, ","), args.String(), back)
	more = append(more, inject.Open(f.File, f.decl.Body, hook), inject.Import(f.File, alias, importPath))
	return edit.Must(f.Src, append(edits, more...))
}

// overlay writes the hooked file and package pawlstub into dir, and returns
// what they replace.
func (f *function) overlay(dir, goroot string) (map[string]string, error) {
	texts := map[string][]byte{
		f.Path: f.hooked(),
		filepath.Join(f.pkg.Dir, "zz_pawl_stub.go"): f.variables(),
	}
	entries, err := library.ReadDir("pawlstub")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if texts[filepath.Join(goroot, "src", importPath, e.Name())], err = library.ReadFile("pawlstub/" + e.Name()); err != nil {
			return nil, err
		}
	}
	layer := gocmd.Layer{Dir: dir}
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		if err := layer.Put(at, texts[at]); err != nil {
			return nil, err
		}
	}
	return layer.Replace, nil
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
