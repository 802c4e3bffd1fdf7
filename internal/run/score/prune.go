package score

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A complaint is a line that the compiler does not take.
type complaint struct {
	file string // as the go command names it
	line int
	text string
}

var complaintLine = regexp.MustCompile(`(?m)^(?:vet: )?(\S+\.go):(\d+)(?::\d+)?: (.*)$`)

// complaints reads the output of a build.
func complaints(output string) []complaint {
	var all []complaint
	for _, m := range complaintLine.FindAllStringSubmatch(output, -1) {
		line, err := strconv.Atoi(m[2])
		if err == nil {
			all = append(all, complaint{strings.TrimPrefix(m[1], "./"), line, m[3]})
		}
	}
	return all
}

// prune takes the declarations out of a test file that stand on the lines, and
// the imports that are not used any more. It returns the names of what it took,
// and no text where nothing is left.
func prune(src []byte, lines []int) (out []byte, gone []string, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, []string{"all of it: it does not parse"}, nil
	}
	var cuts [][2]int
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	left := 0
	for _, d := range file.Decls {
		start := d.Pos()
		if doc := docOf(d); doc != nil {
			start = doc.Pos()
		}
		first, last := fset.Position(d.Pos()).Line, fset.Position(d.End()).Line
		hit := slices.ContainsFunc(lines, func(n int) bool { return first <= n && n <= last })
		gen, isGen := d.(*ast.GenDecl)
		switch {
		case isGen && gen.Tok == token.IMPORT:
			for _, s := range gen.Specs {
				n := fset.Position(s.Pos()).Line
				if slices.Contains(lines, n) && gen.Lparen.IsValid() {
					cuts = append(cuts, [2]int{offset(s.Pos()), offset(s.End())})
					gone = append(gone, "import "+s.(*ast.ImportSpec).Path.Value)
				} else if slices.Contains(lines, n) {
					cuts = append(cuts, [2]int{offset(d.Pos()), offset(d.End())})
				}
			}
		case hit:
			cuts = append(cuts, [2]int{offset(start), offset(d.End())})
			gone = append(gone, namesOf(d)...)
		default:
			left++
		}
	}
	if left == 0 {
		return nil, gone, nil
	}
	var b bytes.Buffer
	at := 0
	for _, c := range cuts {
		b.Write(src[at:c[0]])
		at = c[1]
	}
	b.Write(src[at:])
	out, err = format.Source(b.Bytes())
	if err != nil {
		return nil, nil, fmt.Errorf("taking declarations out: %w", err)
	}
	return out, gone, nil
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (Test\w+|Example\w*|Fuzz\w+)\b`)

// failedTests returns the test functions that go test says have failed.
func failedTests(output string) []string {
	var all []string
	for _, m := range failedTest.FindAllStringSubmatch(output, -1) {
		if !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

func linesOf(src []byte, names []string) []int {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var lines []int
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && slices.Contains(names, f.Name.Name) {
			lines = append(lines, fset.Position(f.Pos()).Line)
		}
	}
	return lines
}
