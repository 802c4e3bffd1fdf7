// Package evidence runs commands in a copy of a workspace.
package evidence

import (
	"os"
	"path/filepath"
)

// Run changes a file in a copy of the workspace for each of the commands, and
// returns what that has then.
func Run(workspace, scratch string, commands []string) (string, error) {
	result := ""
	for i, text := range commands {
		dir := filepath.Join(scratch, string(rune('a'+i)))
		if err := os.CopyFS(dir, os.DirFS(workspace)); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, "state"), []byte(text), 0o600); err != nil {
			return "", err
		}
		data, err := os.ReadFile(filepath.Join(dir, "state"))
		if err != nil {
			return "", err
		}
		result += string(data)
	}
	return result, nil
}
