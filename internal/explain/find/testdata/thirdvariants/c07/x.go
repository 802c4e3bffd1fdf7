package c07

import (
	"fmt"
	"os"
)

// V5 two functions
var verbose = os.Getenv("VERBOSE") != ""

func describe(id int, name string) string { return fmt.Sprintf("id=%d name=%s", id, name) }

func step(id int, name string) int {
	text := describe(id, name)
	if verbose {
		os.Stderr.WriteString(text)
	}
	return id + len(name)
}
