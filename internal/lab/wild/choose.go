package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programs are what the modules are counted in: programs that many people run,
// with a go.mod in the Go module proxy, at their releases of the autumn of 2024.
var programs = []string{
	"code.gitea.io/gitea@v1.22.2",
	"github.com/VictoriaMetrics/VictoriaMetrics@v1.103.0",
	"github.com/aquasecurity/trivy@v0.55.1",
	"github.com/caddyserver/caddy/v2@v2.8.4",
	"github.com/containerd/containerd@v1.7.22",
	"github.com/coredns/coredns@v1.11.3",
	"github.com/ethereum/go-ethereum@v1.14.9",
	"github.com/gohugoio/hugo@v0.134.0",
	"github.com/golangci/golangci-lint@v1.61.0",
	"github.com/hashicorp/consul@v1.19.2",
	"github.com/hashicorp/terraform@v1.9.5",
	"github.com/influxdata/telegraf@v1.32.0",
	"github.com/jaegertracing/jaeger@v1.61.0",
	"github.com/jesseduffield/lazygit@v0.44.0",
	"github.com/nats-io/nats-server/v2@v2.10.20",
	"github.com/open-policy-agent/opa@v0.68.0",
	"github.com/prometheus/prometheus@v0.54.1",
	"github.com/rclone/rclone@v1.68.0",
	"github.com/syncthing/syncthing@v1.27.12",
	"github.com/thanos-io/thanos@v0.36.1",
	"github.com/traefik/traefik/v3@v3.1.2",
	"go.etcd.io/etcd/server/v3@v3.5.16",
	"helm.sh/helm/v3@v3.16.1",
	"k8s.io/kubernetes@v1.31.0",
}

// tuned are the modules that pawl was developed with: the corpus of docs/score.md
// and the subjects of the other commands below internal/lab.
var tuned = []string{
	"github.com/emirpasic/gods", "github.com/expr-lang/expr", "github.com/fxamacker/cbor", "github.com/google/btree", "github.com/google/uuid",
	"github.com/hashicorp/golang-lru", "github.com/lightningnetwork/lnd", "github.com/miekg/dns", "github.com/pelletier/go-toml",
	"github.com/prometheus/client_golang", "github.com/prometheus/common", "github.com/sirupsen/logrus", "github.com/tidwall/gjson",
	"github.com/VictoriaMetrics/metrics", "go.etcd.io/bbolt", "go.opentelemetry.io/otel", "go.uber.org/zap", "golang.org/x/net",
}

const (
	corpusSize    = 24
	minBenchmarks = 3 // functions, in one package
	maxOfOwner    = 2
)

// owner is the part of a module's path that names who makes it: golang.org/x,
// github.com/spf13, k8s.io.
func owner(p string) string {
	host, rest, _ := strings.Cut(p, "/")
	if first, _, _ := strings.Cut(rest, "/"); host == "github.com" || first == "x" {
		return host + "/" + first
	}
	return host
}

// choose prints the corpus anew: the modules that most programs require directly,
// of equal ones the first by name, that have a package with benchmarks.
func (l *lab) choose(ctx context.Context, out io.Writer) error {
	counts, err := l.count(ctx)
	if err != nil {
		return err
	}
	paths := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	taken, owners := 0, map[string]int{}
	for _, p := range paths {
		if owners[owner(p)] == maxOfOwner || slices.ContainsFunc(tuned, func(t string) bool { return p == t || strings.HasPrefix(p, t+"/") }) {
			continue
		}
		m, err := l.download(ctx, p+"@latest")
		if err != nil {
			fmt.Fprintf(l.log, "%s: %v\n", p, err)
			continue
		}
		pkg := ""
		if _, err := os.Stat(filepath.Join(m.Dir, "go.mod")); err == nil {
			pkg = benchmarkPackage(m.Dir)
		}
		fmt.Fprintf(l.log, "%s %s: required by %d, benchmarks in %s\n", p, m.Version, counts[p], cmp.Or(pkg, "no package"))
		if pkg == "" {
			continue
		}
		owners[owner(p)]++
		fmt.Fprintf(out, "%s\t%s\t%s\t%d\n", p, m.Version, pkg, counts[p])
		if taken++; taken == corpusSize {
			return nil
		}
	}
	return fmt.Errorf("only %d modules have benchmarks", taken)
}

// count returns how many of the programs require each module directly.
func (l *lab) count(ctx context.Context) (map[string]int, error) {
	text, err := l.do(ctx, l.dir, "go", append([]string{"list", "-m", "-json"}, programs...)...)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var program struct{ GoMod string }
		if err := d.Decode(&program); err != nil {
			return nil, err
		}
		text, err := l.do(ctx, l.dir, "go", "mod", "edit", "-json", program.GoMod)
		if err != nil {
			return nil, err
		}
		var mod struct {
			Require []struct {
				Path     string
				Indirect bool
			}
		}
		if err := json.Unmarshal([]byte(text), &mod); err != nil {
			return nil, err
		}
		for _, r := range mod.Require {
			if !r.Indirect {
				counts[r.Path]++
			}
		}
	}
	return counts, nil
}

// benchmarkPackage returns the package of a module with the most lines of code
// among those with enough benchmarks; of equal ones the first. It is "" where
// none has enough.
func benchmarkPackage(dir string) (pkg string) {
	benchmarks, lines := map[string]int{}, map[string]int{}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		p := filepath.Dir(name)
		if strings.HasSuffix(name, "_test.go") {
			benchmarks[p] += benchmarksIn(data)
		} else {
			lines[p] += bytes.Count(data, []byte("\n"))
		}
		return nil
	})
	most := 0
	for _, p := range slices.Sorted(maps.Keys(benchmarks)) {
		if rel, err := filepath.Rel(dir, p); err == nil && benchmarks[p] >= minBenchmarks && lines[p] > most {
			pkg, most = strings.TrimSuffix("./"+filepath.ToSlash(rel), "/."), lines[p]
		}
	}
	return pkg
}

func benchmarksIn(source []byte) (n int) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return 0
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Benchmark") {
			n++
		}
	}
	return n
}
