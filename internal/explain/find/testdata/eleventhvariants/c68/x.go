package c68

import (
	"context"
	"os"
	"os/exec"
)

// V5 two functions, missed

func sandbox(tree string) (string, error) {
	dir, err := os.MkdirTemp("", "job-")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

func runJob(ctx context.Context, tree string, argv []string) ([]byte, error) {
	dir, err := sandbox(tree)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}
