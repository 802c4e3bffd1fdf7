package settings

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// silenced reports whether a comment in the file says that a finding is meant so. The
// comment stands on the finding's line, or alone on the one above; where lines are
// continued, above the first of them. It names rules, or their ids.
func (a *audit) silenced(x model.SettingFinding) bool {
	lines := strings.Split(string(a.texts[x.At.File]), "\n")
	at := x.At.Line - 1
	if at < 0 || at >= len(lines) {
		return false // what is in a binary has no lines
	}
	if a.directive(lines[at], x) {
		return true
	}
	for at > 0 && strings.HasSuffix(strings.TrimRight(lines[at-1], " \t\r"), "\\") {
		at--
	}
	if at == 0 {
		return false
	}
	above := strings.TrimSpace(lines[at-1])
	return (strings.HasPrefix(above, "#") || strings.HasPrefix(above, "//")) && a.directive(above, x)
}

// directive reports whether a line has a directive about a finding. Makefiles, YAML, shell,
// Dockerfiles and units begin a comment with #, Go and go.mod with two slashes.
func (a *audit) directive(line string, x model.SettingFinding) bool {
	before, text, ok := strings.Cut(line, "lint:ignore ")
	before = strings.TrimRight(before, " \t")
	if !ok || !strings.HasSuffix(before, "#") && !strings.HasSuffix(before, "//") {
		return false
	}
	ig, ok := rule.ParseIgnore("//lint:ignore " + text)
	if !ok {
		return false
	}
	if ig.Problem != "" {
		a.warnings = append(a.warnings, model.Warning{Seen: x.At.String() + ": " + ig.Problem})
		return false
	}
	return slices.ContainsFunc(ig.Rules, func(name string) bool { return name == x.Rule || slices.Contains(x.IDs, name) })
}
