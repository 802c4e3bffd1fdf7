// Package evidence checks commands before they are run.
package evidence

import "os/exec"

// Missing returns the commands that PATH does not have.
func Missing(names []string) []string {
	var missing []string
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
		}
	}
	return missing
}
