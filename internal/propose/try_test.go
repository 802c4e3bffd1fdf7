package propose

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// TRY="dir patterns file:line[@line]..."
func TestTry(t *testing.T) {
	v := os.Getenv("TRY")
	if v == "" {
		t.Skip()
	}
	f := strings.Fields(v)
	t0 := time.Now()
	p, err := Load(context.Background(), Config{Dir: f[0], Root: f[0], Patterns: strings.Split(f[1], ",")})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("loaded", len(p.pkgs), time.Since(t0))
	for _, a := range f[2:] {
		t0 := time.Now()
		tg := model.Target{Benchmark: model.Benchmark{Name: "BenchmarkX"}, PerOp: 1}
		for i, s := range strings.Split(a, "@") {
			file, line, _ := strings.Cut(s, ":")
			n, _ := strconv.Atoi(line)
			if i == 0 {
				tg.At = model.Pos{File: file, Line: n}
			}
			tg.Stack = append(tg.Stack, model.Frame{File: file, Line: n, Module: !strings.HasSuffix(file, "_test.go")})
		}
		cs, rs := p.Changes(tg)
		fmt.Println("=====", a, time.Since(t0))
		for _, c := range cs {
			fmt.Printf("%s %s\n  %s; retains %s\n", c.ID, c.Title, c.Hypothesis, c.Retains)
			for _, o := range c.Obligations {
				fmt.Printf("  [%s] %s: %s\n", o.How, o.Text, o.Why)
			}
			for _, e := range c.Edits {
				fmt.Printf("--- %s %d-%d\n-%s+%s", e.File, e.Start, e.End, strings.ReplaceAll(string(p.files[e.File].src[e.Start:e.End]), "\n", "\n-"), strings.ReplaceAll(e.New, "\n", "\n+"))
				fmt.Println()
			}
		}
		if os.Getenv("APPLY") != "" && len(cs) > 0 {
			for _, name := range fileNames(cs[0].Edits) {
				out, err := Apply(p.files[name].src, editsOf(cs[0].Edits, name))
				if err != nil {
					t.Fatal(err)
				}
				os.WriteFile(p.files[name].path, out, 0o644)
			}
		}
		for _, r := range rs {
			fmt.Println("REFUSED", r)
		}
	}
}
