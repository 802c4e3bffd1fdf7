package kubectl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fake puts a kubectl on PATH that runs a script.
func fake(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake kubectl is a shell script")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestPods(t *testing.T) {
	fake(t, `[ "$*" = "get pods --output=json --selector=app=api --namespace=shop" ] || { echo "asked as $*" >&2; exit 1; }
cat <<'END'
{"apiVersion":"v1","kind":"List","items":[
 {"metadata":{"name":"api-1"},"spec":{"containers":[{"ports":[{"name":"http","containerPort":80},{"name":"debug","containerPort":6060}]}]},"status":{"phase":"Running"}},
 {"metadata":{"name":"api-2","deletionTimestamp":"2026-01-02T15:04:05Z"},"spec":{"containers":[{}]},"status":{"phase":"Running"}},
 {"metadata":{"name":"api-3"},"spec":{},"status":{"phase":"Pending"}}]}
END`)
	got, err := Pods(t.Context(), "shop", "app=api")
	want := []Pod{{"api-1", true, map[string]int{"http": 80, "debug": 6060}}, {"api-2", false, map[string]int{}}, {"api-3", false, map[string]int{}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestPodsErrors(t *testing.T) {
	for script, want := range map[string]string{
		`echo 'error: You must be logged in to the server (Unauthorized)' >&2; exit 1`: "kubectl get: You must be logged in to the server (Unauthorized)",
		`exit 3`:        "kubectl get: exit status 3",
		`echo '<html>'`: "is no list of pods",
		`echo '{"items":[{"metadata":{"name":"--kubeconfig=x"}}]}'`: `"--kubeconfig=x" is no name of a pod`,
	} {
		t.Run(want, func(t *testing.T) {
			fake(t, script)
			if _, err := Pods(t.Context(), "", "app=api"); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		})
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Pods(t.Context(), "", ""); err == nil || !strings.Contains(err.Error(), "there is no kubectl on PATH") {
		t.Error(err)
	}
}

func TestForward(t *testing.T) {
	fake(t, `echo "$*" >&2
case "$*" in
*api-1*) echo 'Forwarding from 127.0.0.1:4711 -> 6060'; exec sleep 100;;
*api-2*) echo 'error: unable to forward port because pod is not running. Current status=Pending' >&2; exit 1;;
*) exec sleep 100;;
esac`)
	f, err := Open(t.Context(), "shop", "api-1", 6060)
	if err != nil || f.Addr != "127.0.0.1:4711" {
		t.Fatal(f, err)
	}
	f.Close() // ends, though the sleep would go on
	if _, err := Open(t.Context(), "", "api-2", 6060); err == nil || !strings.Contains(err.Error(), "Current status=Pending") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, "", "api-3", 6060); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
