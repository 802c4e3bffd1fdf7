package code

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/rules/rule"
)

// PackageVars makes package variables of what functions make anew at each call,
// for the fixes of one package.
type PackageVars struct {
	pass  *analysis.Pass
	given map[string]bool
	words map[string]bool // identifiers in all Go files in the package's directory
	other map[string]bool // of those that are not part of the pass
	quiet *bool
}

// NewPackageVars returns PackageVars that has declared nothing.
func NewPackageVars(pass *analysis.Pass) *PackageVars {
	return &PackageVars{pass: pass, given: map[string]bool{}}
}

// Name returns a name for a new package variable: the first of some, or that
// with a number, such that no Go file in the package's directory has it as an identifier.
// Files that are built for other systems, and tests, count too: they may be
// part of the same package.
func (h *PackageVars) Name(wants ...string) string {
	h.read()
	for _, name := range wants {
		if h.give(name) {
			return name
		}
	}
	base := wants[0]
	if unicode.IsDigit(rune(base[len(base)-1])) {
		base += "_" // a 4 and a 2 are no 42
	}
	for i := 2; ; i++ {
		if name := base + strconv.Itoa(i); h.give(name) {
			return name
		}
	}
}

// give reports whether a name is free, and takes it then.
func (h *PackageVars) give(name string) bool {
	free := !h.given[name] && !h.words[name] && Nameable(name) &&
		FreeName(h.pass.Pkg, h.pass.TypesInfo, name) == name
	if free {
		h.given[name] = true
	}
	return free
}

// Elsewhere reports whether a name is an identifier in a Go file of the package's
// directory that is not part of the pass: a test, or built for another system.
func (h *PackageVars) Elsewhere(name string) bool {
	h.read()
	return h.other[name]
}

func (h *PackageVars) read() {
	if h.words == nil {
		var mine []string
		for _, f := range h.pass.Files {
			mine = append(mine, h.pass.Fset.File(f.FileStart).Name())
		}
		h.words, h.other = Words(mine, h.pass.ReadFile)
	}
}

// Words returns the identifiers in all Go files in the directories of some, and those
// in the others among them: tests, and files that are built for other systems, may be
// part of the same package.
func Words(mine []string, read func(string) ([]byte, error)) (all, other map[string]bool) {
	all, other = map[string]bool{}, map[string]bool{}
	files := map[string]bool{} // whether they are others
	for _, name := range mine {
		more, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go"))
		for _, m := range more {
			files[m] = !slices.Contains(mine, m)
		}
		files[name] = false
	}
	for name, foreign := range files {
		from := read
		if foreign {
			from = os.ReadFile
		}
		data, err := from(name)
		if err != nil {
			continue // a sandbox that shows the package's own files only
		}
		var tokens scanner.Scanner
		tokens.Init(token.NewFileSet().AddFile(name, -1, len(data)), data, nil, 0)
		for _, tok, word := tokens.Scan(); tok != token.EOF; _, tok, word = tokens.Scan() {
			if tok == token.IDENT {
				all[word] = true
				other[word] = other[word] || foreign
			}
		}
	}
	return all, other
}

// Nameable reports whether a word can be declared: it is no keyword, nor predeclared.
func Nameable(name string) bool {
	return token.IsIdentifier(name) && types.Universe.Lookup(name) == nil
}

// Declare returns the edit that puts a declaration before a function and its
// comment.
func (h *PackageVars) Declare(fd *ast.FuncDecl, text string) analysis.TextEdit {
	at := fd.Pos()
	if fd.Doc != nil {
		at = fd.Doc.Pos()
	}
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text + "\n\n")}
}

// Const returns the text of a constant string expression as it may stand at
// package level: its source, where all that it names is declared there.
func (h *PackageVars) Const(p *rule.Pass, x ast.Expr) (string, bool) {
	value, ok := String(p.TypesInfo, x)
	if !ok {
		return "", false
	}
	outside := !Any(x, func(id *ast.Ident) bool {
		obj := p.TypesInfo.Uses[id]
		_, pkg := obj.(*types.PkgName)
		return !(obj != nil && (pkg || obj.Parent() == types.Universe || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()))
	})
	if src := p.Source(x); outside && src != "" {
		return src, true
	}
	if strconv.CanBackquote(value) {
		return "`" + value + "`", true
	}
	return strconv.Quote(value), true
}

// AfterInit reports whether a package variable without dependencies has its
// value whenever f runs. The language orders initialization by what the
// initializers name, through functions; what they reach through an interface
// it does not see. So f must not be reached from a method, or the initializers
// must call nothing that could call one.
func (h *PackageVars) AfterInit(calls interface{ FromMethod(*types.Func) bool }, f *types.Func) bool {
	return f != nil && (h.quietInit() || !calls.FromMethod(f))
}

func (h *PackageVars) quietInit() bool {
	if h.quiet == nil {
		quiet := true
		for _, init := range h.pass.TypesInfo.InitOrder {
			quiet = quiet && h.quietExpr(init.Rhs)
		}
		h.quiet = &quiet
	}
	return *h.quiet
}

// quietExpr reports whether an initializer calls nothing but conversions,
// builtins and functions of other packages on values of other packages.
func (h *PackageVars) quietExpr(x ast.Expr) bool {
	quiet := true
	ast.Inspect(x, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || h.pass.TypesInfo.Types[call.Fun].IsType() || h.pass.TypesInfo.Types[call.Fun].IsBuiltin() {
			return quiet
		}
		f := typeutil.StaticCallee(h.pass.TypesInfo, call)
		quiet = quiet && f != nil && f.Pkg() != h.pass.Pkg
		for _, arg := range call.Args {
			quiet = quiet && !h.own(h.pass.TypesInfo.TypeOf(arg))
		}
		return quiet
	})
	return quiet
}

// own reports whether a type is one of the package, or leads to one.
func (h *PackageVars) own(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg() == h.pass.Pkg
	case interface{ Elem() types.Type }:
		return h.own(t.Elem())
	}
	return false
}

// LowerName returns a name as the start of an unexported one: "ParseURL" gives
// "parseURL", "URLFor" gives "urlFor", "ID2" gives "id2".
func LowerName(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// UpperName returns a name with its first letter in upper case.
func UpperName(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// Reimport returns the edits that import paths into a file and remove the
// import of another that the nodes given are the last to use. One edit does
// both where both are needed, so that the edits never overlap. It is false
// where a path cannot be imported at pos.
func Reimport(p *rule.Pass, pos token.Pos, paths []string, old string, removed ...ast.Node) ([]analysis.TextEdit, bool) {
	file := p.File(pos)
	var edits []analysis.TextEdit
	var missing []string
	for _, path := range paths {
		_, add, ok := Import(p.TypesInfo, p.Pkg, file, pos, path)
		if !ok {
			return nil, false
		}
		if len(add) > 0 && !slices.Contains(missing, strconv.Quote(path)) {
			missing = append(missing, strconv.Quote(path))
			edits = append(edits, add...)
		}
	}
	spec, unused := Unused(p.TypesInfo, file, old, removed...)
	switch {
	case spec == nil || !unused:
		return edits, true
	case len(missing) == 0:
		return DeleteImport(p.Fset, file, spec), true
	}
	slices.Sort(missing)
	text := strings.Join(missing, "\n\t")
	if len(missing) > 1 && !parenthesized(file, spec) {
		text = "(\n\t" + text + "\n)"
	}
	return []analysis.TextEdit{{Pos: spec.Pos(), End: spec.End(), NewText: []byte(text)}}, true
}

// Remove returns the edits that delete statements of a file, or calls that are some, and the import of
// a package if nothing else needs it.
func Remove(p *rule.Pass, path string, gone ...ast.Node) (edits []analysis.TextEdit) {
	for _, n := range gone {
		edits = append(edits, p.Delete(n))
	}
	return append(edits, DropImport(p, p.File(gone[0].Pos()), path, gone...)...)
}

func parenthesized(file *ast.File, spec *ast.ImportSpec) bool {
	for _, d := range file.Decls {
		if gd, ok := d.(*ast.GenDecl); ok && Within(gd, spec) {
			return gd.Lparen.IsValid()
		}
	}
	return false
}
