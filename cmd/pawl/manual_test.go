package main

import (
	"bytes"
	"context"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// These tests hold the manual (README.md and what lies beside it, docs, what pawl help
// prints, the package comments) to the program.

// pages returns the texts of the manual by their names, relative to the root
// of the repository. The text of a Go file is its package comment, and those
// of the verbs are called "pawl help VERB".
func pages(t *testing.T) map[string]string {
	t.Helper()
	files := []string{"../../README.md", "../../HACKING.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md", "../../SECURITY.md", "../../integrations/golangci-lint/README.md"}
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) < 20 {
		t.Fatalf("%d pages in docs, %v", len(docs), err)
	}
	texts := make(map[string]string)
	for _, f := range append(files, docs...) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimPrefix(filepath.ToSlash(f), "../../")] = string(data)
	}
	maps.Copy(texts, packageComments(t))
	for _, v := range verbs() {
		texts["pawl help "+v.name] = help(t, v.name)
	}
	for page, text := range texts {
		if !utf8.ValidString(text) || strings.Contains(text, "\ufffd") {
			t.Errorf("%s has bytes that are no text", page)
		}
	}
	return texts
}

// packageComments returns the package comments of all packages by the names of
// their files, with each paragraph on one line and code indented by four spaces.
func packageComments(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), "../../"+name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || file.Doc == nil {
			return err
		}
		printer := comment.Printer{TextWidth: -1, TextCodePrefix: "    "}
		texts[name] = string(printer.Text(new(comment.Parser).Parse(file.Doc.Text())))
		return nil
	})
	if err != nil || len(texts) < 100 {
		t.Fatalf("%d package comments, %v", len(texts), err)
	}
	return texts
}

// help returns what pawl help VERB prints.
func help(t *testing.T, name string) string {
	t.Helper()
	var out, errs bytes.Buffer
	e := &env{stdout: &out, stderr: &errs, getenv: os.Getenv, dir: t.TempDir()}
	if code := dispatch(context.Background(), e, []string{"help", "-all", name}); code != exitOK || errs.Len() > 0 {
		t.Fatalf("pawl help %s ends with %d: %s", name, code, &errs)
	}
	return out.String()
}

// Help is one screen, so that the answer is still there when it has been read.
func TestHelpFitsAScreen(t *testing.T) {
	for _, v := range verbs() {
		var out bytes.Buffer
		e := &env{stdout: &out, stderr: t.Output(), getenv: os.Getenv, dir: t.TempDir()}
		if code := dispatch(t.Context(), e, []string{"help", v.name}); code != exitOK {
			t.Errorf("pawl help %s ends with %d", v.name, code)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) > 23 { // and the prompt
			t.Errorf("pawl help %s has %d lines", v.name, len(lines))
		}
		if said := strings.TrimSpace(strings.Split(out.String(), "\n\n")[1]); !strings.HasSuffix(said, ".") && !strings.HasSuffix(said, "?") {
			t.Errorf("pawl help %s: a sentence is cut off: %s", v.name, said)
		}
		lines = append(lines, strings.Split(help(t, v.name), "\n")...)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > 80 && !strings.HasPrefix(l, "\t") { // a command is copied as a whole
				t.Errorf("pawl help %s: more than 80 columns: %s", v.name, l)
			}
		}
	}
	var list bytes.Buffer
	usage(&list)
	for l := range strings.Lines(list.String()) {
		if utf8.RuneCountInString(l) > 81 { // with its end
			t.Errorf("pawl help: more than 80 columns: %s", l)
		}
	}
}

// flagsOf returns the names of a verb's flags, from its help.
func flagsOf(t *testing.T, name string) []string {
	t.Helper()
	_, list, _ := strings.Cut(help(t, name), "\nFlags:\n")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  -(\S+)`).FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names
}

// Each call of pawl that the manual shows names a verb and flags that there
// are.
func TestManualCommands(t *testing.T) {
	known := make(map[string][]string)
	for _, v := range verbs() {
		known[v.name] = flagsOf(t, v.name)
	}
	// Calls stand in lines of code, which are indented, or between backquotes.
	call := regexp.MustCompile("(?m)(?:^(?:    |\t)(?:[^\\s#]+ )*?(?:\\S*\\()?|`)pawl ([a-z][a-z-]*)\\b([^`\n]*)")
	quoted := regexp.MustCompile(`'[^']*'|"[^"]*"`)
	tail := regexp.MustCompile(`#.*| -- .*|[|;&)].*|  .*`) // other words than pawl's
	flag := regexp.MustCompile(`\s-([a-zA-Z][a-z-]*)`)
	found := 0
	for page, text := range pages(t) {
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			flags, ok := known[m[1]]
			if !ok {
				if !strings.HasPrefix(page, "pawl help") {
					t.Errorf("%s: there is no verb %s: %s", page, m[1], m[0])
				}
				continue
			}
			found++
			args := tail.ReplaceAllString(quoted.ReplaceAllString(m[2], "X"), "")
			for _, f := range flag.FindAllStringSubmatch(args, -1) {
				if !slices.Contains(flags, f[1]) {
					t.Errorf("%s: %s has no flag -%s: %s", page, m[1], f[1], m[0])
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d calls were found: the test looks in the wrong place", found)
	}
}

// The package comment lists the verbs as pawl help does (UPDATE=1 writes it),
// and docs/exit-codes.md has the exit codes of each.
func TestManualVerbs(t *testing.T) {
	all, calls, width := verbs(), []string{}, 0
	codes := pages(t)["docs/exit-codes.md"]
	for _, v := range all {
		call, _, _ := strings.Cut(strings.TrimPrefix(help(t, v.name), "usage: "), "\n")
		calls, width = append(calls, call), max(width, len(call))
		if v.name != "help" && v.name != "version" && !strings.Contains(codes, v.name) {
			t.Errorf("docs/exit-codes.md says nothing of %s", v.name)
		}
	}
	var list strings.Builder
	for i, v := range all {
		fmt.Fprintf(&list, "//\t%-*s  %s\n", width, calls[i], v.short)
	}
	const begin, end = "// Usage:\n//\n", "//\n// Flags may stand"
	main, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(main), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	want := head + begin + list.String() + end + tail
	switch {
	case !ok1 || !ok2:
		t.Fatalf("main.go has no list of verbs between %q and %q", begin, end)
	case want == string(main):
	case os.Getenv("UPDATE") == "":
		t.Errorf("the package comment lists other verbs than pawl help; UPDATE=1 go test ./cmd/pawl -run TestManualVerbs writes it")
	default:
		if err := os.WriteFile("main.go", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// README has the right number of rules and of transformations.
func TestManualCounts(t *testing.T) {
	rules := 0
	for _, e := range catalogue.All() {
		if e.Analyzer != nil {
			rules++
		}
	}
	readme := pages(t)["README.md"]
	for _, want := range []string{fmt.Sprintf("%d rules,", rules), fmt.Sprintf("%d transformations", len(propose.Catalogue()))} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// Links lead to files and headings that there are, and each page of docs can
// be reached from README.
func TestManualLinks(t *testing.T) {
	texts := pages(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|<img src="([^"]+)"`)
	reached := []string{"README.md"}
	for i := 0; i < len(reached); i++ {
		page := reached[i]
		for _, m := range link.FindAllStringSubmatch(fencedCode.ReplaceAllString(texts[page], ""), -1) {
			target, anchor, _ := strings.Cut(m[1]+m[2], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(page), target))
			}
			if _, err := os.Stat("../../" + to); err != nil {
				t.Errorf("%s: link to %s: %v", page, m[1], err)
				continue
			}
			if anchor != "" && !slices.Contains(anchors(texts[to]), anchor) {
				t.Errorf("%s: %s has no heading #%s", page, to, anchor)
			}
			if !slices.Contains(reached, to) {
				reached = append(reached, to)
			}
		}
	}
	for page := range texts {
		if strings.HasPrefix(page, "docs/") && !slices.Contains(reached, page) {
			t.Errorf("no link leads to %s", page)
		}
	}
}

// Each page of the docs begins with a command and what it answers.
func TestManualBegins(t *testing.T) {
	begins := regexp.MustCompile(`(?s)\A(<!-- [^\n]* -->\n\n)?# [^\n]+\n\n    \$ [^\n]+\n(    (> )?[^\n]*\n|\n)*?    [^$>\n ]`)
	for page, text := range pages(t) {
		if strings.HasPrefix(page, "docs/") && !begins.MatchString(text) {
			t.Errorf("%s does not begin with a command and its output", page)
		}
	}
}

// anchors returns the names by which the headings of a page can be linked to.
func anchors(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title)))
	}
	return names
}

// The page on JSON names the type of each value.
func TestManualJSON(t *testing.T) {
	page := pages(t)["docs/json.md"]
	for _, v := range jsonValues {
		typ := reflect.TypeOf(v.value)
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if !strings.Contains(page, "`"+typ.String()+"`") {
			t.Errorf("docs/json.md does not name %s, which is the value of %s", typ, v.by)
		}
	}
}
