package difftest

import (
	"go/ast"
	"go/constant"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/words"
)

// A kind is what a declaration declares.
type kind int

const (
	funcDecl kind = iota
	varDecl
	constDecl
	typeDecl
)

// A decl is one declared name of a package. The names of one variable
// specification share it.
type decl struct {
	key  string // "F", "T.M"
	kind kind
	file *file
	fn   *ast.FuncDecl // of a function
	spec ast.Spec      // of everything else
	doc  *ast.CommentGroup
	obj  types.Object
}

func (d *decl) node() ast.Node {
	if d.fn != nil {
		return d.fn
	}
	return d.spec
}

func (s *side) index() {
	s.decls, s.byObj = make(map[string]*decl), make(map[types.Object]*decl)
	for _, f := range s.files {
		for _, d := range f.Syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.indexFunc(f, d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					s.indexSpec(f, d, spec)
				}
			}
		}
	}
}

func (s *side) indexFunc(f *file, fn *ast.FuncDecl) {
	key := fn.Name.Name
	switch {
	case fn.Recv != nil:
		key = words.Receiver(fn) + "." + key
	case key == "init":
		s.inits = append(s.inits, &decl{key: key, kind: funcDecl, file: f, fn: fn})
		return
	}
	if fn.Name.Name != "_" {
		s.put(&decl{key: key, kind: funcDecl, file: f, fn: fn, doc: fn.Doc, obj: s.info.Defs[fn.Name]})
	}
}

func (s *side) indexSpec(f *file, gen *ast.GenDecl, spec ast.Spec) {
	doc := gen.Doc
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.put(&decl{key: spec.Name.Name, kind: typeDecl, file: f, spec: spec, doc: doc, obj: s.info.Defs[spec.Name]})
	case *ast.ValueSpec:
		if spec.Doc != nil {
			doc = spec.Doc
		}
		k := varDecl
		if gen.Tok == token.CONST {
			k = constDecl
		}
		for _, name := range spec.Names {
			if name.Name != "_" {
				s.put(&decl{key: name.Name, kind: k, file: f, spec: spec, doc: doc, obj: s.info.Defs[name]})
			}
		}
	}
}

func (s *side) put(d *decl) {
	s.decls[d.key] = d
	if d.obj != nil {
		s.byObj[d.obj] = d
	}
}

// target returns the declaration of this package that an identifier stands
// for, at its use or where it is declared, or nil.
func (s *side) target(id *ast.Ident) *decl {
	obj := s.info.Uses[id]
	if obj == nil {
		obj = s.info.Defs[id]
	}
	switch o := obj.(type) {
	case nil:
		return nil
	case *types.Func:
		return s.byObj[o.Origin()]
	case *types.Var:
		if o.Embedded() {
			return s.embedded(o)
		}
		return s.byObj[o.Origin()]
	}
	return s.byObj[obj]
}

// embedded returns the type of this package that gives an embedded field its name, or nil.
func (s *side) embedded(field *types.Var) *decl {
	t := field.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok {
		return s.byObj[n.Obj()]
	}
	return nil
}

// refs calls f for each identifier in n that stands for a declaration of this
// package.
func (s *side) refs(n ast.Node, f func(*ast.Ident, *decl)) {
	for id := range code.All[*ast.Ident](n) {
		if d := s.target(id); d != nil {
			f(id, d)
		}
	}
}

// tokens returns the text of a declaration without comments and layout: what
// two versions are compared by.
func (d *decl) tokens() string {
	src := []byte(d.file.Text(d.node()))
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, src, nil, 0)
	var out strings.Builder
	pending := "" // a comma or semicolon, which is layout before a closing bracket
	for {
		_, tok, lit := sc.Scan()
		switch tok {
		case token.EOF:
			return out.String()
		case token.COMMA, token.SEMICOLON:
			pending = tok.String()
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
			pending = ""
		}
		if pending != "" {
			out.WriteString(pending + " ")
			pending = ""
		}
		if lit == "" || tok.IsOperator() {
			lit = tok.String()
		}
		out.WriteString(lit + " ")
	}
}

// alike reports whether two versions of a declaration say the same. Constants
// are compared by value, for iota's sake.
func alike(b, c *decl) bool {
	if b.kind != c.kind {
		return false
	}
	if bv, ok := b.obj.(*types.Const); ok {
		cv, ok := c.obj.(*types.Const)
		return ok && types.TypeString(bv.Type(), nil) == types.TypeString(cv.Type(), nil) &&
			bv.Val().Kind() == cv.Val().Kind() && constant.Compare(bv.Val(), token.EQL, cv.Val())
	}
	return b.tokens() == c.tokens()
}
