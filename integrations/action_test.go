package integrations

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The action has no text of a user inside a script, uses each of its inputs,
// and calls only what is there. The file is read line by line: it is ours, and
// its form is simple.
func TestAction(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if strings.Contains(text, "\t") {
		t.Error("a tab, which YAML does not allow")
	}
	head, steps, ok := strings.Cut(text, "\nruns:\n")
	if !ok {
		t.Fatal("there is no runs:")
	}
	_, inputs, _ := strings.Cut(head, "\ninputs:\n")
	inputs, outputs, _ := strings.Cut(inputs, "\noutputs:\n")
	key := regexp.MustCompile(`(?m)^  ([a-z-]+):$`)
	known := make(map[string]bool)
	for _, m := range key.FindAllStringSubmatch(inputs, -1) {
		known[m[1]] = true
		if !strings.Contains(steps, "inputs."+m[1]+" ") && !strings.Contains(steps, "inputs."+m[1]+")") {
			t.Errorf("input %s is not used", m[1])
		}
	}
	manual, err := os.ReadFile("../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(inputs+"\n"+outputs, -1) {
		if !strings.Contains(string(manual), "`"+m[1]+"`") {
			t.Errorf("docs/gate.md does not name %s", m[1])
		}
	}
	if len(known) < 12 {
		t.Errorf("only %d inputs were found: the test looks in the wrong place", len(known))
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(steps, -1) {
		if !known[m[1]] {
			t.Errorf("there is no input %s", m[1])
		}
	}
	runs := regexp.MustCompile(`(?m)^ +run: (.*)$`).FindAllStringSubmatch(steps, -1)
	if len(runs) != 4 {
		t.Errorf("%d scripts, want 4", len(runs))
	}
	for _, m := range runs {
		if strings.Contains(m[1], "${{") || strings.HasPrefix(m[1], "|") || strings.HasPrefix(m[1], ">") {
			t.Errorf("a script that is more than one call, or has an expression in it: %s", m[1])
		}
		file := regexp.MustCompile(`"\$PAWL_ACTION/([^"]+)"`).FindStringSubmatch(m[1])
		if file == nil {
			t.Errorf("not a script of this repository: %s", m[1])
		} else if _, err := os.Stat("../" + file[1]); err != nil {
			t.Error(err)
		}
	}
	script, err := os.ReadFile("gate.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^ +(PAWL_[A-Z_]+): `).FindAllStringSubmatch(steps, -1) {
		if m[1] != "PAWL_ACTION" && !strings.Contains(string(script), m[1]) {
			t.Errorf("the script does not read %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`steps\.gate\.outputs\.([a-z-]+)`).FindAllStringSubmatch(outputs+steps, -1) {
		if !strings.Contains(string(script), "output "+m[1]+" ") {
			t.Errorf("the script does not write the output %s", m[1])
		}
	}
}
