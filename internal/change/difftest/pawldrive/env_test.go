package pawldrive

import (
	"os"
	"os/exec"
	"testing"
)

// Tests that clear the environment do not keep the library from driving.
func TestClearedEnvironment(t *testing.T) {
	if os.Getenv(envSeed) == "17" {
		os.Clearenv()
		if got := fromEnvironment(); got.seed != 17 {
			t.Error(got)
		}
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestClearedEnvironment$")
	again.Env = append(os.Environ(), envSeed+"=17")
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
