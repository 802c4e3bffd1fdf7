// Package evidence checks commands before they are run.
package evidence

import "os/exec"

// Missing returns the commands that PATH does not have.
func Missing(names []string) []string {
	var missing []string
	found := map[string]bool{}
	for _, name := range names {
		there, known := found[name]
		if !known {
			_, err := exec.LookPath(name)
			there = err == nil
			found[name] = there
		}
		if !there {
			missing = append(missing, name)
		}
	}
	return missing
}
