package pawldrive

import (
	"os"
	"strings"
)

// atStart is what the library was told when the process began: tests may clear the
// environment.
var atStart = func() map[string]string {
	told := map[string]string{}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "PAWL_DRIVE_") {
			told[name] = value
		}
	}
	return told
}()

// Env returns a variable of the environment that is for the library.
func Env(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return atStart[name]
}
