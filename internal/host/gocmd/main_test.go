package gocmd

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if IsCell(os.Args) {
		RunCell()
	}
	if role := os.Getenv("GOCMD_ROLE"); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}
