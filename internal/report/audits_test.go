package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/audits"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// What is set alike in several places stands there once, and what is hidden is counted.
func TestAuditText(t *testing.T) {
	t.Parallel()
	set := func(file string) model.Setting {
		return model.Setting{Name: "-trimpath", For: "release", At: model.Pos{File: file, Line: 3, Col: 1}, About: "reproducibility", Effect: "the same binary"}
	}
	a := &model.Audit{
		Files: []string{"a", "b"}, Builds: 2, Settings: []model.Setting{set("a"), set("b"), set("c")},
		Findings: []model.SettingFinding{{Finding: model.Finding{Rule: "gogc", IDs: []string{"B08"}, At: model.Pos{File: "bin"}, Message: "no limit", Try: "one"}, About: "memory", Also: []model.Pos{{File: "c", Line: 1, Col: 2}}}},
		Hidden:   model.Hidden{Tier: 2, Suppressed: 1, Excluded: 3},
	}
	for verbose, places := range map[bool]string{false: "release, a:3:1 and 2 other places", true: "release, c:3:1"} {
		var b bytes.Buffer
		if err := audits.Text(&b, a, sheet.Options{Width: 200, Verbose: verbose}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"bin  gogc · B08 · about memory", "see also c:1:2", "1 finding in 2 files: 2 builds, 0 runs", places,
			"2 hidden: choices", "1 silenced by a directive", "3 switched off by the configuration",
		} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%q is not in\n%s", want, b.String())
			}
		}
	}
}
