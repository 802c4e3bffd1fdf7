// Package sample decides which tests the default `go test ./...` runs, for tests alone. PAWL_ALL=1 runs every test, as CI
// does. Without it, tests that need minutes are left out, and of a table of like cases each run takes a part, drawn
// by the commit's hash: other commits draw other cases.
package sample

import (
	"cmp"
	"hash/fnv"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// All reports whether every test was asked for.
func All() bool { return os.Getenv("PAWL_ALL") != "" }

// Rest skips a test that the default run leaves out, and says why.
func Rest(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skip(why + "; PAWL_ALL=1 runs it")
	}
}

// One skips a case unless it is drawn: about one case in n is, by its name and the commit.
func One(t testing.TB, n uint32) {
	t.Helper()
	if !All() && !drawn(commit(), t.Name(), n) {
		t.Skipf("one case in %d is drawn; PAWL_ALL=1 runs all", n)
	}
}

// Part returns one in n of the cases in their order, always as many, drawn by the commit. With PAWL_ALL, all.
func Part[T any](cases []T, n int) []T {
	if All() {
		return cases
	}
	return Always(cases, n)
}

// Always is Part where every test was asked for, too: for cases that together take CI minutes.
func Always[T any](cases []T, n int) []T { return part(commit(), cases, n) }

// part takes the cases whose places have the least hashes with the commit.
func part[T any](commit string, cases []T, n int) []T {
	at := make([]int, len(cases))
	for i := range at {
		at[i] = i
	}
	rank := func(i int) uint32 { return hash(commit, strconv.Itoa(i)) }
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	at = at[:(len(at)+n-1)/n]
	slices.Sort(at)
	out := make([]T, len(at))
	for i, from := range at {
		out[i] = cases[from]
	}
	return out
}

func drawn(commit, name string, n uint32) bool { return hash(commit, name)%n == 0 }

func hash(commit, name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(commit + " " + name))
	return h.Sum32()
}

// commit returns the hash of the commit, and nothing where there is no repository: then the same cases are drawn each time.
var commit = sync.OnceValue(func() string {
	out, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})
