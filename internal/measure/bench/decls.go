package bench

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/words"
)

// A decl is what a test file declares at its top level under one name: a
// function, a method, an import, a constant, variable or type.
type decl struct {
	pkg, file  string
	kind, name string   // "func" and "BenchmarkX"; "method" and "T.m"; "import" and its path
	text       string   // tokens
	mentions   []string // names
	selects    []string // names after a dot
	embeds     []string // patterns of //go:embed
	names      []string // of an import: what it may be mentioned by
	always     bool     // runs whatever is mentioned
}

// label returns the declaration's name in the Identity of a benchmark of the
// package home.
func (d *decl) label(home string) string {
	if d.pkg != home && d.kind != "import" {
		return d.kind + " " + d.pkg + "." + d.name
	}
	return d.kind + " " + d.name
}

// tests are the declarations of a package's test files.
type tests struct {
	all []*decl
	// byName has what a name means in a package, or for imports in a file: the
	// key is package or file, and name. A type stands with its methods.
	byName map[[2]string][]*decl
	// byMethod has the methods of types that the test files do not declare.
	byMethod map[string][]*decl
}

// readTests parses test files.
func readTests(dir string, files []string) (*tests, error) {
	t := &tests{byName: make(map[[2]string][]*decl), byMethod: make(map[string][]*decl)}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(files))) {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading a test file: %w", err)
		}
		decls, err := parseDecls(name, src)
		if err != nil {
			return nil, fmt.Errorf("a test file does not parse: %w", err)
		}
		t.all = append(t.all, decls...)
	}
	types := make(map[[2]string]bool)
	for _, d := range t.all {
		if d.kind == "type" {
			types[[2]string{d.pkg, d.name}] = true
		}
	}
	for _, d := range t.all {
		t.index(d, types)
	}
	return t, nil
}

func (t *tests) index(d *decl, types map[[2]string]bool) {
	of, method, isMethod := strings.Cut(d.name, ".")
	switch {
	case d.kind == "import":
		for _, name := range d.names {
			key := [2]string{d.file, name}
			t.byName[key] = append(t.byName[key], d)
		}
	case isMethod && !types[[2]string{d.pkg, of}]:
		t.byMethod[method] = append(t.byMethod[method], d)
	default:
		key := [2]string{d.pkg, of}
		t.byName[key] = append(t.byName[key], d)
	}
}

// reach returns the benchmark function, first, with all declarations that it
// mentions directly or indirectly, or that run in any case; nil if there is no
// such function.
func (t *tests) reach(bm string) []*decl {
	var out []*decl
	seen := make(map[*decl]bool)
	add := func(decls ...*decl) {
		for _, d := range decls {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	for _, d := range t.all {
		if d.kind == "func" && d.name == bm {
			add(d)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for _, d := range t.all {
		if d.always {
			add(d)
		}
	}
	for i := 0; i < len(out); i++ { // out grows meanwhile
		d := out[i]
		for _, name := range d.mentions {
			add(t.byName[[2]string{d.pkg, name}]...)
			add(t.byName[[2]string{d.file, name}]...)
		}
		internal, external := strings.CutSuffix(d.pkg, "_test")
		for _, name := range d.selects {
			add(t.byMethod[name]...)
			if external && token.IsExported(name) { // as of an export_test.go
				add(t.byName[[2]string{internal, name}]...)
			}
		}
	}
	return out
}

// parseDecls returns the declarations of a file.
func parseDecls(name string, src []byte) ([]*decl, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &declFile{name: name, pkg: parsed.Name.Name, src: src, file: fset.File(parsed.FileStart)}
	for _, node := range parsed.Decls {
		switch node := node.(type) {
		case *ast.FuncDecl:
			f.function(node)
		case *ast.GenDecl:
			f.group(node)
		}
	}
	return f.out, nil
}

// A declFile is a file that is taken to pieces.
type declFile struct {
	name, pkg string
	src       []byte
	file      *token.File
	out       []*decl
}

// add adds a declaration whose source is that of node, with the directives in
// its comment.
func (f *declFile) add(kind, name string, doc *ast.CommentGroup, node ast.Node) *decl {
	d := &decl{pkg: f.pkg, file: f.name, kind: kind, name: name}
	d.text = kind + "\n" + tokens(f.src[f.file.Offset(node.Pos()):f.file.Offset(node.End())])
	if doc != nil {
		for _, c := range doc.List {
			if strings.HasPrefix(c.Text, "//go:") {
				d.text += "\n" + strings.TrimSpace(c.Text)
				d.embeds = append(d.embeds, embedPatterns(c.Text)...)
			}
		}
	}
	d.look(node)
	f.out = append(f.out, d)
	return d
}

func (f *declFile) function(fn *ast.FuncDecl) {
	name := fn.Name.Name
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		d := f.add("func", name, fn.Doc, fn)
		d.always = name == "init" || name == "TestMain"
		return
	}
	f.add("method", words.DeclName(fn), fn.Doc, fn)
}

func (f *declFile) group(g *ast.GenDecl) {
	counts := g.Tok == token.CONST && counting(g)
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
			f.imported(spec)
		case *ast.TypeSpec:
			f.add("type", spec.Name.Name, docOf(g, spec.Doc), spec)
		case *ast.ValueSpec:
			var node ast.Node = spec
			if counts {
				node = g
			}
			for _, name := range spec.Names {
				d := f.add(g.Tok.String(), name.Name, docOf(g, spec.Doc), node)
				d.always = name.Name == "_" && hasCall(spec)
			}
		}
	}
}

// docOf returns the comment of a line of a group; that of the group is the one
// of its only line where there are no parentheses.
func docOf(g *ast.GenDecl, doc *ast.CommentGroup) *ast.CommentGroup {
	if doc == nil && !g.Lparen.IsValid() {
		return g.Doc
	}
	return doc
}

// counting reports whether the lines of a group of constants depend on each
// other.
func counting(g *ast.GenDecl) bool {
	found := false
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 0 {
			return true
		}
		ast.Inspect(spec, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "iota"
			return true
		})
	}
	return found
}

// hasCall reports whether a variable's value is the result of a call, which then
// is run for its effect if the variable has no name. What looks like one in
// "var _ I = (*T)(nil)" is a conversion.
func hasCall(spec *ast.ValueSpec) bool {
	for _, v := range spec.Values {
		if call, ok := v.(*ast.CallExpr); ok {
			if _, conversion := call.Fun.(*ast.ParenExpr); !conversion {
				return true
			}
		}
	}
	return false
}

func (f *declFile) imported(spec *ast.ImportSpec) {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return // does not compile
	}
	d := f.add("import", importPath, nil, spec)
	switch {
	case spec.Name == nil:
		d.names = importNames(importPath)
	case spec.Name.Name == "_":
		d.always = true
	case spec.Name.Name != ".":
		d.names = []string{spec.Name.Name}
	}
	d.mentions, d.selects = nil, nil
}

// importNames returns the names that a package of this path may have: its last
// element, the one before a major version, and their parts.
func importNames(importPath string) []string {
	elems := strings.Split(importPath, "/")
	last := elems[len(elems)-1]
	names := []string{last}
	if len(elems) > 1 && strings.HasPrefix(last, "v") && strings.Trim(last[1:], "0123456789") == "" {
		last = elems[len(elems)-2]
		names = append(names, last)
	}
	return append(names, strings.FieldsFunc(last, func(r rune) bool { return r == '-' || r == '.' })...)
}

// look notes which names a declaration mentions, other than its own.
func (d *decl) look(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			d.selects = append(d.selects, n.Sel.Name)
			d.look(n.X)
			return false
		case *ast.FuncDecl:
			if n.Recv != nil {
				d.look(n.Recv)
			}
			d.look(n.Type)
			if n.Body != nil {
				d.look(n.Body)
			}
			return false
		case *ast.ValueSpec:
			if n.Type != nil {
				d.look(n.Type)
			}
			for _, v := range n.Values {
				d.look(v)
			}
			return false
		case *ast.Ident:
			d.mentions = append(d.mentions, n.Name)
		}
		return true
	})
}

// tokens returns source without comments and layout: the tokens of Go, one a
// line. Semicolons and commas before a closing bracket depend on where lines
// are broken, and are dropped.
func tokens(src []byte) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), src, nil, 0) // it has been parsed
	var out []string
	trim := func() {
		for len(out) > 0 && (out[len(out)-1] == ";" || out[len(out)-1] == ",") {
			out = out[:len(out)-1]
		}
	}
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			trim()
			return strings.Join(out, "\n")
		case token.RPAREN, token.RBRACK, token.RBRACE:
			trim()
		}
		if tok.IsLiteral() { // names too
			out = append(out, strconv.Quote(lit)) // a raw string has lines
		} else {
			out = append(out, tok.String())
		}
	}
}

// embedPatterns returns the patterns of a //go:embed directive.
func embedPatterns(directive string) []string {
	rest, ok := strings.CutPrefix(directive, "//go:embed ")
	if !ok {
		return nil
	}
	var out []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			pattern, _ := strconv.Unquote(quoted) // it is a quoted string
			out, rest = append(out, pattern), rest[len(quoted):]
			continue
		}
		end := strings.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		out, rest = append(out, rest[:end]), rest[end:]
	}
	return out
}
