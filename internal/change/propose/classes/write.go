package classes

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// perLine is how many bytes stand on a line of a table.
const perLine = 8

// edits declares the table before the function, and asks it.
func (c *class) edits() ([]model.Edit, *prove.Reason) {
	f, fn := c.fn.File, c.fn
	name, helper := c.free(code.LowerName(fn.Obj.Name())+"Table"), ""
	declared, ask := c.declaration(name), c.ask(name)
	var edits []model.Edit
	var gone []ast.Node
	switch {
	case c.whole && c.rest == sometimes:
		at := c.p.Offset(fn.Decl.Body.Lbrace) + 1
		edits = append(edits, c.p.Edit(f, at, at, fmt.Sprintf("\n\tif %s {\n\t\treturn %s\n\t}", c.ascii(), c.look(name))))
	case c.whole:
		edits, gone = append(edits, c.p.Put(f, fn.Decl.Body.Lbrace, fn.Decl.Body.End(), "{\n\treturn "+ask+"\n}")), append(gone, fn.Decl.Body)
	case c.rest == sometimes:
		if !types.Identical(c.fn.Info().TypeOf(c.subject), types.Typ[types.Int32]) {
			return nil, prove.Refuse(c.p.Source(f, c.subject) + " has a type of its own, and what is not ASCII needs a function")
		}
		helper = c.free(code.LowerName(fn.Obj.Name()) + "Class")
		declared += c.helper(helper, name)
		edits = append(edits, c.replace(helper+"("+c.p.Source(f, c.subject)+")"))
	default:
		edits = append(edits, c.replace(c.grouped(ask)))
		for _, e := range c.exprs {
			gone = append(gone, e)
		}
	}
	edits = append(edits, c.before(declared))
	for _, path := range []string{"strings", "unicode", "unicode/utf8"} {
		drop, ok := c.p.Reimport(f, c.at(), nil, path, gone...)
		if !ok {
			return nil, prove.Refuse("the imports cannot be changed")
		}
		edits = append(edits, drop...)
	}
	return edits, nil
}

// before puts declarations before the function that the predicate stands in.
func (d *predicate) before(declared string) model.Edit {
	at := d.p.Offset(d.fn.Decl.Pos())
	if d.fn.Decl.Doc != nil {
		at = d.p.Offset(d.fn.Decl.Doc.Pos())
	}
	return d.p.Edit(d.fn.File, at, at, declared+"\n")
}

func (c *class) replace(text string) model.Edit {
	return c.p.Put(c.fn.File, c.Pos(), c.End(), text)
}

// free returns a name that nothing in the package has.
func (d *predicate) free(stem string) string {
	k := d.fn.File.Pkg
	for i := 1; ; i++ {
		name := prove.Numbered(stem, i)
		if !d.p.Identifiers(k)[name] && d.p.IgnoredMention(k, name) == "" {
			return name
		}
	}
}

// rune reports whether a rune is asked about, not a byte.
func (c *class) rune() bool { return sizeOf(c.fn.Info().TypeOf(c.subject)) > 1 }

// size is how many of the 256 places are asked for.
func (c *class) size() int {
	if c.rune() {
		return unicode.MaxASCII + 1
	}
	return len(c.table)
}

// inverted reports whether the table has those that the condition is not true
// of, which are fewer.
func (c *class) inverted() bool {
	return mostly(c.table[:c.size()])
}

// mostly reports whether more answers are yes than no.
func mostly(table []bool) bool {
	n := 0
	for _, is := range table {
		n += int(truth(is))
	}
	return n > len(table)/2
}

// declaration writes the table, with the comments that its condition had.
func (c *class) declaration(name string) string {
	var b strings.Builder
	is := "is true of"
	if c.inverted() {
		is = "is not true of"
	}
	fmt.Fprintf(&b, "// %s has the bytes that %s %s.\n", name, c.what(), is)
	for _, g := range c.fn.File.Syntax.Comments {
		if c.whole && c.rest != sometimes && c.fn.Decl.Body.Pos() < g.Pos() && g.End() < c.fn.Decl.Body.End() {
			for line := range strings.Lines(g.Text()) {
				b.WriteString("// " + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	return b.String() + written(name, c.table[:c.size()], !c.inverted())
}

// written declares a table that has the bytes with one answer, yes or no.
func written(name string, table []bool, of bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "var %s = [256]bool{", name)
	n := 0
	for at, is := range table {
		if is != of {
			continue
		}
		if n%perLine == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		b.WriteString(literal(at) + ": true,")
		n++
	}
	return b.String() + "\n}\n"
}

// what names the condition in a comment.
func (c *class) what() string {
	if c.whole {
		return c.fn.Obj.Name()
	}
	return "the condition in " + c.fn.Obj.Name()
}

func literal(b int) string {
	if b > unicode.MaxASCII {
		return fmt.Sprintf("%#x", b)
	}
	return strconv.QuoteRune(rune(b))
}

// ascii writes the condition under which the table answers.
func (c *class) ascii() string { return "uint32(" + c.p.Source(c.fn.File, c.subject) + ") < 0x80" }

// look writes the answer of the table.
func (c *class) look(name string) string {
	not, of := "", c.p.Source(c.fn.File, c.subject)
	if c.inverted() {
		not = "!"
	}
	if c.rune() {
		of = "byte(" + of + ")" // needs no bounds check
	}
	return not + name + "[" + of + "]"
}

// ask writes the whole question where nothing else need be asked.
func (c *class) ask(name string) string {
	switch {
	case !c.rune():
		return c.look(name)
	case c.rest == always:
		return strings.Replace(c.ascii(), "<", ">=", 1) + " || " + c.look(name)
	}
	return c.ascii() + " && " + c.look(name)
}

// grouped puts parentheses around a condition of two parts within another.
func (c *class) grouped(text string) string {
	within := c.chain.Pos() != c.Pos() || c.chain.End() != c.End()
	switch c.fn.File.Parent(c.chain).(type) {
	case *ast.UnaryExpr, *ast.BinaryExpr:
		within = true
	}
	if within && c.rune() {
		return "(" + text + ")"
	}
	return text
}

// helper writes a function that asks the table, and the old condition about
// what is not ASCII.
func (c *class) helper(name, table string) string {
	f := c.fn.File
	r := c.p.Source(f, c.subject)
	old := string(f.Src[c.p.Offset(c.Pos()):c.p.Offset(c.End())])
	return fmt.Sprintf("\n// %s is a condition in %s.\nfunc %s(%s rune) bool {\n\tif %s {\n\t\treturn %s\n\t}\n\treturn %s\n}\n",
		name, c.fn.Obj.Name(), name, r, c.ascii(), c.look(table), old)
}
