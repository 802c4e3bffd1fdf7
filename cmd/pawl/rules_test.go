package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/propose"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/catalogue/gen"
	"github.com/pawl-dev/pawl/rules/rule"
)

// docs/rules.md is what pawl rules -markdown prints.
func TestRulesPage(t *testing.T) {
	const file = "../../docs/rules.md"
	want := gen.Markdown(catalogue.All())
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("docs/rules.md is not current; UPDATE=1 go test ./cmd/pawl -run TestRulesPage writes it:\n%s", diff)
	}
}

// docs/transformations.md is the catalogue of internal/propose.
func TestTransformationsPage(t *testing.T) {
	const file = "../../docs/transformations.md"
	var b strings.Builder
	b.WriteString(`# Transformations

What ` + "`pawl optimize`" + ` knows how to change by itself, beside the fixes of the [rules](rules.md). A transformation starts from
a line that costs, knows one shape of code, and states for each change the obligations under which behaviour is kept:
proven by the code, or assumed, with the contract that is relied on. Where one fails, the plan says which. Everything goes
through guard and judge like a change from outside. ` + "`pawl evidence NAME`" + ` runs the proof that each carries;
[evidence](evidence.md) is what that gave on one machine.

Pairs of changes that did nothing alone are tried together at the end of a run.

`)
	for _, r := range propose.Catalogue() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", r.Name, r.Title)
		if r.Evidence.Exempt != "" {
			fmt.Fprintf(&b, "No evidence: %s.\n\n", r.Evidence.Exempt)
			continue
		}
		fmt.Fprintf(&b, "Evidence: %s (%s).\n\n", r.Evidence.Claimed, r.Evidence.Metric)
	}
	want := strings.TrimRight(b.String(), "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("docs/transformations.md is not current; UPDATE=1 go test ./cmd/pawl -run TestTransformationsPage writes it:\n%s", diff)
	}
}

// The schema knows the members that the reader of the configuration knows.
func TestConfigSchema(t *testing.T) {
	data, err := os.ReadFile("../../docs/pawl.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		AdditionalProperties *bool
		Properties           map[string]struct{ Type string }
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	types := map[reflect.Kind]string{reflect.String: "string", reflect.Slice: "array", reflect.Float64: "number"}
	config := reflect.TypeFor[rule.Config]()
	for i := range config.NumField() {
		f := config.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if got := schema.Properties[name].Type; got != types[f.Type.Kind()] {
			t.Errorf("%s is %q in the schema, and %s in the program", name, got, f.Type)
		}
		delete(schema.Properties, name)
	}
	for name := range schema.Properties {
		t.Errorf("%s is in the schema only", name)
	}
	if schema.AdditionalProperties == nil || *schema.AdditionalProperties {
		t.Error("the schema allows members that the program refuses")
	}
}

// What go fix of Go 1.26 does is named where docs/rules.md says what is left to
// others.
func TestNotIncluded(t *testing.T) {
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil || !strings.HasPrefix(string(version), "go1.26") {
		t.Skipf("the list is for Go 1.26, and this is %s", version)
	}
	help, err := exec.Command("go", "tool", "fix", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "Registered analyzers:")
	list, _, _ = strings.Cut(list, "By default")
	names := regexp.MustCompile(`(?m)^    (\w+) `).FindAllStringSubmatch(list, -1)
	if len(names) < 10 {
		t.Fatalf("%d analyzers found in the help of go fix", len(names))
	}
	page := gen.Markdown(nil)
	for _, n := range names {
		if !strings.Contains(page, "`"+n[1]+"`") {
			t.Errorf("go fix has %s, and docs/rules.md does not say so", n[1])
		}
	}
}
