package main

import (
	"encoding/json"
	"fmt"
	goversion "go/version"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/change/propose"
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

// docs/transformations.md is the catalogue of internal/change/propose.
func TestTransformationsPage(t *testing.T) {
	const file = "../../docs/transformations.md"
	var b strings.Builder
	b.WriteString(`# Transformations

    $ pawl evidence scratch-to-field
    The evidence of 1 rule: 1 holds.
    …
    rule              ids  claimed  measured                   allocs/op  B/op     verdict
    scratch-to-field  C05  allocs   cpu/op 2.39x [2.29, 2.56]  101 → 0    808 → 0  holds
        no allocation for the head of a record

` + "`pawl optimize`" + ` makes these changes by itself, beside the fixes of the [rules](rules.md). A transformation starts from a
line that costs and knows one shape of code. Each change lists the obligations under which behaviour is kept: proven by the
code, or assumed, with the contract that is relied on. Where one fails, the plan names it. Guard and judge treat the change
like one from outside. ` + "`pawl evidence NAME`" + ` runs the proof of each; [evidence](evidence.md) has
the claims, and the results of one machine. The ids are those of the [rules](rules.md).

Changes that do the same at several places of a function are tried as one, up to eight. Together they have to save an object
for each place, or what it makes. Where they are not kept, each is tried alone.

At the end of a run, pawl tries pairs of changes that did nothing alone. Then one that did nothing in the benchmark where it
promised most is judged by others that spend a tenth on its lines.

`)
	for _, r := range propose.Catalogue() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", r.Name, r.Title)
		if r.Evidence.Exempt != "" {
			fmt.Fprintf(&b, "No evidence: %s.\n\n", r.Evidence.Exempt)
		}
		if len(r.IDs) > 0 {
			fmt.Fprintf(&b, "Answers to %s.\n\n", strings.Join(r.IDs, ", "))
		}
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

// What go fix does is named where docs/rules.md says what is left to others,
// with the releases that do it.
func TestNotIncluded(t *testing.T) {
	goVersion, err := exec.Command("go", "env", "GOVERSION").Output()
	release := goversion.Lang(strings.TrimSpace(string(goVersion)))
	if err != nil || goversion.Compare(release, "go1.26") < 0 {
		t.Skipf("the list begins with Go 1.26, and this is %s", goVersion)
	}
	help, err := exec.Command("go", "tool", "fix", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "Registered analyzers:")
	list, _, _ = strings.Cut(list, "By default")
	has := map[string]bool{}
	for _, n := range regexp.MustCompile(`(?m)^    (\w+) `).FindAllStringSubmatch(list, -1) {
		has[n[1]] = true
	}
	if len(has) < 10 {
		t.Fatalf("%d analyzers found in the help of go fix", len(has))
	}
	names := regexp.MustCompile("`(\\w+)`(?: \\((to|from) Go (1\\.\\d+)\\))?")
	for _, row := range strings.Split(gen.Markdown(nil), "\n") {
		cells := strings.Split(row, " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[1], "go fix") {
			continue
		}
		for _, n := range names.FindAllStringSubmatch(cells[1], -1) {
			at := goversion.Compare(release, "go"+n[3])
			named := n[2] == "" || n[2] == "to" && at <= 0 || n[2] == "from" && at >= 0
			if named != has[n[1]] {
				t.Errorf("docs/rules.md says %q, and go fix of %s has it: %v", n[0], release, has[n[1]])
			}
			delete(has, n[1])
		}
	}
	for name := range has {
		t.Errorf("go fix of %s has %s, and docs/rules.md does not say so", release, name)
	}
}
