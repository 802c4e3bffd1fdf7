// Package proofs checks the evidence of many rules at once, for tests alone. It is one module, since the go command takes as long
// to look at a small one as at all of it. One binary tests it, since linking a binary takes longer than its tests.
package proofs

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/rules/rule"
)

// A Module is a directory with the evidence of rules, each below its name: NAME/before, NAME/after and NAME/equal are packages
// of a module that is called evidence.
type Module string

// Of lays out the files of evidence by the names of their rules, as a module.
func Of(t *testing.T, files map[string]fs.FS) Module {
	t.Helper()
	root := t.TempDir()
	for name, f := range files {
		dir := filepath.Join(root, name)
		if err := rule.Layout(f, dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "go.mod"), filepath.Join(root, "go.mod")); err != nil {
			t.Fatal(err)
		}
	}
	return Module(root)
}

// Equal returns what fails of each equal_test.go, which says that before.go and after.go behave the same, and what vet has against
// them and the benchmarks. It makes of each a package that is no test, and calls all of them in the one test of the module.
func (m Module) Equal(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(string(m), "*/equal/equal_test.go"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("there is no equal_test.go")
	}
	tests := map[string][]string{}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(filepath.Dir(file)))
		if tests[name], err = publish(file, name); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(string(m), "all_test.go"), caller(tests), 0o600); err != nil {
		return err
	}
	return errors.Join(m.run(ctx, "vet", "./..."), m.run(ctx, "test", "-vet=off", "."))
}

// run runs the go command in the module.
func (m Module) run(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = string(m)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath") // the build cache knows it again in another directory
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s in the evidence: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// publish makes of a rule's file of tests one that is no test, in the module of all evidence, and returns the names of its tests.
func publish(file, name string) (tests []string, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range syntax.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && kind(f.Name.Name) != "" {
			tests = append(tests, f.Name.Name)
		}
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("the evidence of %s tests nothing", name)
	}
	text := strings.ReplaceAll(string(src), `"evidence/`, `"evidence/`+name+`/`)
	return tests, errors.Join(os.Remove(file), os.WriteFile(filepath.Join(filepath.Dir(file), "equal.go"), []byte(text), 0o600))
}

// kind is what a test begins with, and nothing for what is none.
func kind(name string) string {
	for _, k := range []string{"Test", "Fuzz"} {
		if strings.HasPrefix(name, k) {
			return k
		}
	}
	return ""
}

// caller is the test file that calls the tests of all rules, each under the name of its rule.
func caller(tests map[string][]string) []byte {
	var imports, calls strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		pkg := strings.ReplaceAll(name, "-", "_")
		fmt.Fprintf(&imports, "import %s \"evidence/%s/equal\"\n", pkg, name)
		for _, test := range tests[name] {
			k := kind(test)
			fmt.Fprintf(&calls, "func %s_%s_%s(t *testing.%c) { %s.%s(t) }\n", k, pkg, test, k[0], pkg, test)
		}
	}
	return []byte("package evidence\n\nimport \"testing\"\n\n" + imports.String() + "\n" + calls.String())
}
