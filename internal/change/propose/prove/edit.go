package prove

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// Edit replaces a part of a file. Lines of the text after its first get the
// indentation of the line where it starts, for files that gofmt is not run on.
// Those within a raw string are left as they are.
func (p *Editor) Edit(f *File, start, end int, text string) model.Edit {
	line := bytes.LastIndexByte(f.Src[:start], '\n') + 1
	rest := f.Src[line:start]
	indent := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]
	return model.Edit{File: f.Name, Start: start, End: end, New: indented(text, string(indent))}
}

// Put is Edit between two places.
func (p *Editor) Put(f *File, from, to token.Pos, text string) model.Edit {
	return p.Edit(f, p.Offset(from), p.Offset(to), text)
}

// Insert is Put at one place.
//
//go:noinline
func (p *Editor) Insert(f *File, at token.Pos, text string) model.Edit { return p.Put(f, at, at, text) }

// indented indents all lines of Go code but the first and those that begin
// within a raw string.
func indented(text, indent string) string {
	if !strings.Contains(text, "`") {
		return strings.ReplaceAll(text, "\n", "\n"+indent)
	}
	var b strings.Builder
	var s scanner.Scanner
	at := 0
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if start := int(pos) - 1; tok == token.STRING && lit[0] == '`' {
			b.WriteString(strings.ReplaceAll(text[at:start], "\n", "\n"+indent))
			at = start + strings.IndexByte(text[start+1:], '`') + 2
			b.WriteString(text[start:at])
		}
	}
	return b.String() + strings.ReplaceAll(text[at:], "\n", "\n"+indent)
}

// Settle formats what the edits make of their files, type-checks it, and
// returns the edits that lead there, whole lines at a time. Declarations that
// were not in gofmt's style before keep theirs.
func (p *Editor) Settle(edits []model.Edit) ([]model.Edit, error) {
	var key strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&key, "%s:%d:%d:%q\n", e.File, e.Start, e.End, e.New)
	}
	known, ok := p.settled[key.String()]
	if !ok {
		known.edits, known.err = p.settle(edits)
		p.settled[key.String()] = known
	}
	return slices.Clone(known.edits), known.err
}

// A settlement is what Settle comes to: many targets lead to one change.
type settlement struct {
	edits []model.Edit
	err   error
}

func (p *Editor) settle(edits []model.Edit) ([]model.Edit, error) {
	var settled []model.Edit
	results := map[*File][]byte{}
	for _, name := range FileNames(edits) {
		f := p.Files[name]
		if f == nil {
			return nil, fmt.Errorf("%s is not part of the loaded packages", name)
		}
		if why := Editable(f); why != nil {
			return nil, errors.New(why.String())
		}
		out, err := p.styled(f, EditsOf(edits, name))
		if err != nil {
			return nil, fmt.Errorf("editing %s: %w", name, err)
		}
		results[f] = out
		settled = append(settled, lineEdits(name, f.Src, out)...)
	}
	if err := p.typeCheck(results); err != nil {
		return nil, err
	}
	return settled, nil
}

// styled makes the edits of a file, and puts into gofmt's style what was in it before: all of
// the file, or the declarations that edits are in.
func (p *Editor) styled(f *File, edits []model.Edit) ([]byte, error) {
	if inStyle(f.Src) {
		return restyled(f.Src, edits)
	}
	var all []model.Edit
	for _, d := range f.Syntax.Decls {
		start, end := p.Offset(d.Pos()), p.Offset(d.End())
		var inside, rest []model.Edit
		for _, e := range edits {
			if e.Start < start || e.End > end || e.Start == end || e.End == start {
				rest = append(rest, e)
				continue
			}
			e.Start, e.End = e.Start-start, e.End-start
			inside = append(inside, e)
		}
		if len(inside) == 0 || !inStyle(f.Src[start:end]) {
			continue
		}
		text, err := restyled(f.Src[start:end], inside)
		if err != nil {
			return nil, err
		}
		edits, all = rest, append(all, model.Edit{File: f.Name, Start: start, End: end, New: string(text)})
	}
	return edit.Apply(f.Src, append(edits, all...))
}

// inStyle reports whether a file or declaration is in gofmt's style.
func inStyle(src []byte) bool {
	style, err := format.Source(src)
	return err == nil && bytes.Equal(style, src)
}

func restyled(src []byte, edits []model.Edit) ([]byte, error) {
	out, err := edit.Apply(src, edits)
	if err != nil {
		return nil, err
	}
	return format.Source(out)
}

// TypeCheck applies edits in memory and type-checks the packages they touch.
// It returns the first error.
func (p *Editor) TypeCheck(edits []model.Edit) error {
	results := map[*File][]byte{}
	for _, name := range FileNames(edits) {
		f := p.Files[name]
		if f == nil {
			return fmt.Errorf("%s is not part of the loaded packages", name)
		}
		out, err := edit.Apply(f.Src, EditsOf(edits, name))
		if err != nil {
			return err
		}
		results[f] = out
	}
	return p.typeCheck(results)
}

func (p *Editor) typeCheck(results map[*File][]byte) error {
	touched := map[*Package]bool{}
	for f := range results {
		touched[f.Pkg] = true
	}
	for k := range touched {
		var syntax []*ast.File
		for _, f := range k.Files {
			one := f.Syntax
			if out, ok := results[f]; ok {
				var err error
				if one, err = parser.ParseFile(p.Fset, f.Path, out, parser.ParseComments|parser.SkipObjectResolution); err != nil {
					return fmt.Errorf("parsing the edited %s: %w", f.Name, err)
				}
			}
			syntax = append(syntax, one)
		}
		var first error
		conf := p.config(k, func(err error) {
			if first == nil {
				first = err
			}
		})
		conf.Importer = importer{p.Module, k, p.standard}
		info := &types.Info{}
		if k.hides() {
			info.Uses = map[*ast.Ident]types.Object{}
		}
		after, _ := conf.Check(k.PkgPath, p.Fset, syntax, info)
		if first != nil {
			return fmt.Errorf("type-checking the edited package: %w", first)
		}
		if name := k.missing(after, syntax); name != "" {
			return fmt.Errorf("%s would not be there in builds that leave its file out", name)
		}
		for i, f := range k.Files {
			if name := misread(f.Syntax, k.TypesInfo, syntax[i], info); name != "" {
				return fmt.Errorf("%s means something else in %s", name, f.Name)
			}
		}
		if name := reordered(k.TypesInfo.InitOrder, info.InitOrder); name != "" {
			return fmt.Errorf("%s is initialized at another time", name)
		}
		if name := p.calls.unready(k, syntax, info.InitOrder); name != "" {
			return fmt.Errorf("%s may be asked for before it has its value: the value of another variable leads there by way of an interface or a function value", name)
		}
	}
	return nil
}

// FileNames returns the files of the edits, each once, sorted.
func FileNames(edits []model.Edit) []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range edits {
		if !seen[e.File] {
			seen[e.File] = true
			names = append(names, e.File)
		}
	}
	sort.Strings(names)
	return names
}

// EditsOf returns the edits of one file.
func EditsOf(edits []model.Edit, name string) []model.Edit {
	var of []model.Edit
	for _, e := range edits {
		if e.File == name {
			of = append(of, e)
		}
	}
	return of
}

// Change completes a change of one function: it settles the edits, and names the change by them.
func (p *Editor) Change(fn *Function, edits []model.Edit, c model.Change) (*model.Change, *Reason) {
	edits, err := p.Settle(edits)
	if err != nil {
		return nil, Refuse(err.Error())
	}
	c.ID, c.Class, c.Edits = ChangeID(c.Kind, fn.Obj.FullName(), edits), "B", edits
	return &c, nil
}

// ChangeID names a change by what it does, so that the same idea has the same
// name in every run.
func ChangeID(kind, fn string, edits []model.Edit) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", kind, fn)
	for _, e := range edits {
		// Not the offsets: they move when another change is kept above.
		fmt.Fprintf(h, "%s\x00%s\x00", e.File, e.New)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// lineEdits returns edits of whole lines that turn a into b, by the greedy
// algorithm of Myers, "An O(ND) difference algorithm" (1986).
func lineEdits(name string, a, b []byte) []model.Edit {
	x, y := strings.SplitAfter(string(a), "\n"), strings.SplitAfter(string(b), "\n")
	keep := commonLines(x, y)
	var edits []model.Edit
	i, j, offset := 0, 0, 0
	for _, k := range append(keep, [2]int{len(x), len(y)}) {
		if i < k[0] || j < k[1] {
			old := strings.Join(x[i:k[0]], "")
			edits = append(edits, model.Edit{File: name, Start: offset, End: offset + len(old), New: strings.Join(y[j:k[1]], "")})
			offset += len(old)
		}
		if k[0] < len(x) {
			offset += len(x[k[0]])
		}
		i, j = k[0]+1, k[1]+1
	}
	return edits
}

// commonLines returns the pairs of equal lines on a shortest edit path.
func commonLines(x, y []string) [][2]int {
	limit := len(x) + len(y)
	v := map[int]int{1: 0}
	var trace []map[int]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, maps.Clone(v))
		for k := -d; k <= d; k += 2 {
			i := v[k-1] + 1
			if k == -d || k != d && v[k-1] < v[k+1] {
				i = v[k+1]
			}
			for i < len(x) && i-k < len(y) && x[i] == y[i-k] {
				i++
			}
			v[k] = i
			if i >= len(x) && i-k >= len(y) {
				return backtrack(trace, len(x), len(y))
			}
		}
	}
	return nil
}

func backtrack(trace []map[int]int, i, j int) [][2]int {
	var pairs [][2]int
	for d := len(trace) - 1; d >= 0; d-- {
		v, k := trace[d], i-j
		prev := k - 1
		if k == -d || k != d && v[k-1] < v[k+1] {
			prev = k + 1
		}
		pi := v[prev]
		pj := pi - prev
		for i > pi && j > pj && i > 0 && j > 0 {
			i, j = i-1, j-1
			pairs = append(pairs, [2]int{i, j})
		}
		i, j = pi, pj
	}
	for l, r := 0, len(pairs)-1; l < r; l, r = l+1, r-1 {
		pairs[l], pairs[r] = pairs[r], pairs[l]
	}
	return pairs
}

// Drop removes a statement with its line, and the empty line behind it where there is one before it, or nothing else. What
// else stands on the line stays, a comment, too.
func (p *Editor) Drop(f *File, n ast.Node) model.Edit {
	from, to := p.LineOf(f, n)
	start, end := p.Offset(n.Pos()), p.Offset(n.End())
	if len(bytes.TrimSpace(f.Src[from:start])) > 0 || len(bytes.TrimSpace(f.Src[end:to])) > 0 {
		return p.Edit(f, start, end, "")
	}
	rest, empty := bytes.CutPrefix(f.Src[to:], []byte("\n"))
	if before := bytes.TrimRight(f.Src[:from], " \t"); empty && (bytes.HasSuffix(before, []byte("{\n")) || bytes.HasSuffix(before, []byte("\n\n"))) {
		to = len(f.Src) - len(rest)
	}
	return p.Edit(f, from, to, "")
}

// LineOf returns the whole lines of a node, the line break included.
func (p *Module) LineOf(f *File, n ast.Node) (start, end int) {
	start, end = p.Offset(n.Pos()), p.Offset(n.End())
	for start > 0 && f.Src[start-1] != '\n' {
		start--
	}
	for end < len(f.Src) && f.Src[end] != '\n' {
		end++
	}
	return start, min(end+1, len(f.Src))
}
