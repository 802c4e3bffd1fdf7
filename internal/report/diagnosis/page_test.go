package diagnosis

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
)

// The title is the first answer that says something, and the only one where
// there is no other.
func TestDiagnosisTitle(t *testing.T) {
	quiet := model.Symptoms{Kind: "cpu", Unit: "ns", Total: 1}
	for _, test := range []struct {
		d    model.Diagnosis
		want string
	}{
		{model.Diagnosis{}, "Nothing stands out."},
		{model.Diagnosis{Profiles: []model.Symptoms{quiet}}, "CPU profile: nothing stands out."},
		{model.Diagnosis{Profiles: []model.Symptoms{quiet}, Metrics: &model.RuntimeMetrics{}}, "Nothing stands out."},
		{model.Diagnosis{Profiles: []model.Symptoms{quiet}, Metrics: specimen.RuntimeMetrics()}, "Runtime metrics: collecting garbage."},
		{model.Diagnosis{Growth: specimen.Growths().Growth[2:]}, "Leaked goroutines: nothing grew beyond noise."},
		{model.Diagnosis{Traces: []*model.Trace{{}}}, "No goroutine waited."},
	} {
		if got := diagnosisTitle(&test.d); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
