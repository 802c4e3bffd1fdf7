package manifest

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/pawl-dev/pawl/internal/model"
)

func (f *file) gomod() {
	mod, err := modfile.Parse(f.File, f.Text, nil)
	if err != nil { // of a later release, maybe
		mod, err = modfile.ParseLax(f.File, f.Text, nil)
	}
	if err != nil {
		f.cannot(0, "go.mod cannot be parsed: "+parsed(err), "", "go mod edit -json")
		return
	}
	if mod.Module != nil {
		f.Module = mod.Module.Mod.Path
	}
	if mod.Go != nil {
		at := mod.Go.Syntax
		f.GoLine = &Setting{Name: "go", Value: mod.Go.Version, At: f.at(at.Start.Byte), Start: at.Start.Byte, End: at.End.Byte}
	}
	for _, g := range mod.Godebug {
		f.Code = append(f.Code, Setting{Name: "GODEBUG " + g.Key, Value: g.Value, At: f.at(g.Syntax.Start.Byte)})
	}
	for _, r := range mod.Require {
		if r.Mod.Path == automaxprocs && !r.Indirect {
			f.Code = append(f.Code, Setting{Name: "require " + automaxprocs, Value: r.Mod.Version, At: f.at(r.Syntax.Start.Byte)})
		}
	}
}

const automaxprocs = "go.uber.org/automaxprocs"

// speaking are words: Go code without any of them sets nothing of this.
var speaking = [][]byte{[]byte(automaxprocs), []byte("automemlimit"), []byte("GOMAXPROCS("), []byte("SetMemoryLimit("), []byte("SetGCPercent("), []byte("//go:debug ")}

// code reads what Go code sets of the runtime by itself.
func (f *file) code() {
	told := false
	for _, w := range speaking {
		told = told || bytes.Contains(f.Text, w)
	}
	if !told {
		return
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, f.File, f.Text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return // the compiler says it better
	}
	offset := func(n ast.Node) int { return fset.Position(n.Pos()).Offset }
	names := map[string]string{} // of the packages that count here
	for _, spec := range tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := path
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch path {
		case automaxprocs, "github.com/KimMachineGun/automemlimit":
			start, end := offset(spec), fset.Position(spec.End()).Offset
			f.Code = append(f.Code, Setting{Name: path, Value: name, At: f.at(start), Start: start, End: end})
		case "runtime":
			names[name] = path
		case automaxprocs + "/maxprocs":
			if spec.Name == nil {
				name = "maxprocs"
			}
			names[name] = automaxprocs
		case "runtime/debug":
			if spec.Name == nil {
				name = "debug"
			}
			names[name] = path
		}
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if d, ok := bytes.CutPrefix([]byte(c.Text), []byte("//go:debug ")); ok {
				name, value, _ := bytes.Cut(bytes.TrimSpace(d), []byte("="))
				f.Code = append(f.Code, Setting{Name: "GODEBUG " + string(name), Value: string(value), At: f.at(offset(c))})
			}
		}
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			starts := tree.Name.Name == "main" && fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "init")
			f.calls(fn.Body, names, offset, starts)
		}
	}
}

// calls notes calls that set what the collector and the scheduler go by. Of
// GOMAXPROCS only one whose result is dropped, where the program starts: the
// others may put back what was.
func (f *file) calls(body *ast.BlockStmt, names map[string]string, offset func(ast.Node) int, starts bool) {
	note := func(call *ast.CallExpr, statement bool) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || names[x.Name] == "" {
			return
		}
		name := names[x.Name] + "." + sel.Sel.Name
		if name == automaxprocs+".Set" && !statement {
			f.Code = append(f.Code, Setting{Name: automaxprocs, At: f.at(offset(call))})
		}
		if len(call.Args) != 1 || statement != (name == "runtime.GOMAXPROCS") {
			return
		}
		from := offset(call.Args[0])
		arg := string(f.Text[from : from+int(call.Args[0].End()-call.Args[0].Pos())])
		if name == "runtime/debug.SetMemoryLimit" && strings.HasPrefix(arg, "-") {
			return // it only asks
		}
		if name == "runtime.GOMAXPROCS" || name == "runtime/debug.SetMemoryLimit" || name == "runtime/debug.SetGCPercent" {
			f.Code = append(f.Code, Setting{Name: name, Value: arg, At: f.at(offset(call))})
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			note(call, false)
		}
		return true
	})
	for _, st := range body.List {
		if e, ok := st.(*ast.ExprStmt); ok && starts {
			if call, ok := e.X.(*ast.CallExpr); ok {
				note(call, true)
			}
		}
	}
}

// Binary reads what a Go program says about its own build. Its settings have no
// line.
func Binary(name, path string) (*Manifest, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s has no build information of Go: %w", name, err)
	}
	at := model.Pos{File: name}
	b := Build{At: at, Name: info.Path, Purpose: Release, Packages: []string{info.Path}, Open: true}
	m := &Manifest{File: name, Kind: "binary", GoLine: nil}
	for _, s := range info.Settings {
		set := Setting{Name: s.Key, Value: s.Value, At: at}
		switch {
		case s.Key == "DefaultGODEBUG":
			m.Code = append(m.Code, set)
		case s.Key[0] == '-':
			b.Flags = append(b.Flags, set)
		default:
			b.Env = append(b.Env, set)
		}
	}
	b.Env = append(b.Env, Setting{Name: "go", Value: info.GoVersion, At: at})
	for _, d := range info.Deps {
		if d.Path == automaxprocs {
			m.Code = append(m.Code, Setting{Name: automaxprocs, Value: d.Version, At: at})
		}
	}
	m.Builds = []Build{b}
	return m, nil
}
