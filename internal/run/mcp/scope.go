package mcp

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A scope is what the tools that measure have in common.
type scope struct {
	Packages []string `json:"packages,omitempty" jsonschema:"as for go test, such as ./...; the module's directory without any"`
	Bench    string   `json:"bench,omitempty" jsonschema:"regexp of benchmarks, as for go test -bench; all without it"`
	Budget   string   `json:"budget,omitempty" jsonschema:"the most time for all of it, such as 90s; 2m without it"`
}

// flags returns the flags of a scope. The budget is at most what the server allows.
func (s scope) flags(most time.Duration) ([]string, error) {
	budget := 2 * time.Minute
	if s.Budget != "" {
		d, err := time.ParseDuration(s.Budget)
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("budget %q is no time: write it as 90s or 5m", s.Budget)
		}
		budget = d
	}
	flags := []string{"-budget=" + min(budget, most).String()}
	if s.Bench != "" {
		flags = append(flags, "-bench="+s.Bench)
	}
	return flags, nil
}

// some returns the first n of a list, 8 where n is none, and how many are left.
func some[T any](list []T, n int) ([]T, int) {
	if n <= 0 {
		n = 8
	}
	n = min(n, len(list))
	return list[:n], len(list) - n
}

// rounded leaves out the digits of a share that say nothing.
func rounded(x float64) float64 { return math.Round(1000*x) / 1000 }

// clip shortens what a tool's own words make long.
func clip(text string) string {
	const most = 1500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …"
}
