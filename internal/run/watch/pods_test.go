package watch

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/kubectl"
	"github.com/pawl-dev/pawl/internal/keep/ring"
)

// A cluster is a kubectl on PATH that prints what kubectl prints, of pods that are
// programs here.
type cluster struct {
	t   *testing.T
	dir string
}

const fakeKubectl = `#!/bin/sh
cd "$(dirname "$0")"
case "$1 $2" in
"get pods") exec cat pods.json;;
"port-forward "*)
	for arg; do case "$arg" in pod/*) pod=${arg#pod/};; esac; last=$arg; done
	[ -f "$pod" ] || { echo "error: error upgrading connection: pod $pod has no such port" >&2; exit 1; }
	read addr <"$pod"
	echo "Forwarding from $addr -> 6060"
	exec sleep 60;;
esac
echo "error: unknown command $*" >&2
exit 1
`

func newCluster(t *testing.T) *cluster {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake kubectl is a shell script")
	}
	c := &cluster{t, t.TempDir()}
	c.put("kubectl", fakeKubectl)
	t.Setenv("PATH", c.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return c
}

func (c *cluster) put(name, text string) {
	c.t.Helper()
	beside := filepath.Join(c.dir, name+".new")
	if err := os.WriteFile(beside, []byte(text), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(beside, filepath.Join(c.dir, name)); err != nil {
		c.t.Fatal(err)
	}
}

// pods says which pods there are, and in which phase.
func (c *cluster) pods(phases ...string) {
	var items []string
	for i, phase := range phases {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":"api-%d"},"spec":{"containers":[{"ports":[{"name":"debug","containerPort":6060}]}]},"status":{"phase":%q}}`, i+1, phase))
	}
	c.put("pods.json", `{"kind":"List","items":[`+strings.Join(items, ",")+`]}`)
}

func gapsOf(all []ring.Capture, instance string) (out []string) {
	for _, c := range all {
		if c.Gap != "" && c.Instance == instance {
			out = append(out, c.Gap)
		}
	}
	return out
}

// Each pod that runs is captured, and one that cannot be reached, or is gone, is a gap of
// its own.
func TestPods(t *testing.T) {
	k := newCluster(t)
	root := t.TempDir()
	for i := range 2 {
		srv := httptest.NewServer(&program{t: t})
		defer srv.Close()
		k.put(fmt.Sprintf("api-%d", i+1), srv.Listener.Addr().String()+"\n")
	}
	k.pods("Running", "Running", "Pending", "Running")
	all := rounds(t, root, "k8s:shop/app=api:debug", func(all []ring.Capture) bool {
		return slices.ContainsFunc(all, func(c ring.Capture) bool { return c.Instance == "api-2" && c.Gap == "" }) && len(gapsOf(all, "api-4")) > 0
	})
	if got := gapsOf(all, "api-4")[0]; got != "kubectl port-forward: error upgrading connection: pod api-4 has no such port" {
		t.Errorf("%q", got)
	}
	if got := gapsOf(all, "api-3"); got != nil {
		t.Errorf("a pod that does not run: %v", got)
	}
	heaps := 0
	files, err := Stored(t.Context(), root, "watch:api", t.TempDir(), all[0].Until, "heap")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, c := range chosen(all, heapKind) {
		if strings.HasPrefix(c.process, "api-") {
			heaps++
		}
	}
	if heaps != 2 {
		t.Errorf("%d heap profiles count, of two pods", heaps)
	}
}

// Rules, and what else needs one program, take the first pod that runs.
func TestPodsProgram(t *testing.T) {
	k := newCluster(t)
	srv := httptest.NewServer(&program{t: t})
	defer srv.Close()
	k.put("api-2", srv.Listener.Addr().String()+"\n")
	k.pods("Pending", "Running", "Running")
	to, err := ParseTarget("k8s:shop/app=api:6060", "", "")
	if err != nil {
		t.Fatal(err)
	}
	rules, _, err := Guardrails(t.Context(), to)
	if err != nil || len(rules) == 0 {
		t.Fatalf("%v, %v", rules, err)
	}
	s, done, err := to.program(t.Context(), "")
	if err != nil || s.name() != "pod api-2" {
		t.Fatalf("%v, %v", s, err)
	}
	done()
	k.pods("Failed")
	if _, _, err := Guardrails(t.Context(), to); err == nil || !strings.Contains(err.Error(), "no pod runs") {
		t.Error(err)
	}
	if to, err = ParseTarget("parca:http://127.0.0.1:1?api", "", ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Guardrails(t.Context(), to); err == nil || !strings.Contains(err.Error(), "needs a program that runs") {
		t.Error(err)
	}
}

func TestPodsGone(t *testing.T) {
	k := newCluster(t)
	root := t.TempDir()
	srv := httptest.NewServer(&program{t: t})
	defer srv.Close()
	k.put("api-1", srv.Listener.Addr().String()+"\n")
	k.pods("Running")
	all := rounds(t, root, "k8s:/app=api:6060", func(all []ring.Capture) bool {
		if len(all) > 0 && all[0].Gap == "" {
			k.pods("Succeeded")
		}
		return len(gapsOf(all, "")) > 0 && len(gapsOf(all, "api-1")) > 0
	})
	if got := gapsOf(all, "api-1"); got[len(got)-1] != "the pod is gone" {
		t.Errorf("%v", got)
	}
	if got := gapsOf(all, "")[0]; got != "k8s:/app=api:6060: no pod runs" {
		t.Errorf("%q", got)
	}
}

func TestPodTargets(t *testing.T) {
	for where, want := range map[string]string{
		"k8s:shop/app=api:6060":                "api",
		"k8s:/app.kubernetes.io/name=api:6060": "api",
		"k8s:shop/app in (a, b):debug/x":       "app-in-a",
		"k8s:shop:6060":                        "",
		"k8s:shop/app=api":                     "",
		"k8s:shop/app=api:6060?x":              "",
		"k8s:--kubeconfig=x/a:1":               "",
	} {
		got, err := ParseTarget(where, t.TempDir(), "")
		if got.Name != want && err == nil || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", where, got.Name, err)
		}
	}
}

// Where there are many pods, each has its turn.
func TestPodsTurns(t *testing.T) {
	p := &pods{}
	seen := map[string]bool{}
	for range 3 {
		var all []string
		for _, x := range p.some(podsNamed(20)) {
			seen[x.Name] = true
			all = append(all, x.Name)
		}
		if len(all) != mostPods {
			t.Errorf("%v", all)
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d of 20 pods had their turn", len(seen))
	}
}

func podsNamed(n int) []kubectl.Pod {
	out := make([]kubectl.Pod, n)
	for i := range out {
		out[i].Name = fmt.Sprintf("p%02d", i)
	}
	return out
}
