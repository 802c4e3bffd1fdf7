package find

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	dir := os.Getenv("ZZ")
	if dir == "" {
		t.Skip()
	}
	for range 2 {
		t0 := time.Now()
		f, err := Run(t.Context(), Options{Dir: dir, Patterns: strings.Fields(os.Getenv("ZP")), Env: os.Environ(), CacheDir: os.Getenv("ZC"), Tier: "all"})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(time.Since(t0), f.Packages, f.Lines, f.Cached, len(f.Findings), f.Hidden, len(f.Warnings))
		for _, w := range f.Warnings {
			fmt.Println(w.Seen)
		}
		for _, x := range f.Findings {
			fmt.Println(x.At, x.Rule, x.Message)
		}
	}
}
