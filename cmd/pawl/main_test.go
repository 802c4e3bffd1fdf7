package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

var longToo = flag.Bool("long", false, "run what takes minutes as well: the scripts in testdata/long, a full disk, stubborn tests")

// long skips a test that takes its time, unless -long asks for it. Such tests run side by side, as many as -parallel says, since
// each often waits.
func long(t *testing.T, why string) {
	t.Helper()
	if !*longToo {
		t.Skip(why + "; -long runs it")
	}
	t.Parallel()
}

// git runs git in a directory, as somebody, and returns what it printed.
func git(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=u", "-c", "user.email=u@localhost"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pawl": main})
}

// The scripts are the contract of the command line: every verb and every exit
// code.
func TestScripts(t *testing.T) { runScripts(t, scripts(t, "testdata/script")) }

// Every kind of tree that pawl may meet, and of what goes wrong in one: apart,
// so that go test ends within its own ten minutes on two slow cores. A third of them is drawn, unless PAWL_ALL=1 asks for all.
func TestLongScripts(t *testing.T) {
	long(t, "measures for minutes")
	runScripts(t, sample.Part(scripts(t, "testdata/long"), 3))
}

// slow are the scripts that need five seconds or more, the slowest first. Where all run they begin: as the last one, one of
// them would run alone. The default run draws one in sixteen of them.
var slow = []string{
	"undo", "guard", "further", "try", "benchstub", "gate", "compare", "owntests", "optimize", "propose", "watch", "record", "score", "metrics", "gaterecords", "diagnoserun", "find",
	"diagnoseflags", "load", "diagnosetrees", "evidence", "broken", "nothing", "recordguard", "diagnosemetrics", "deleted", "diagnosecommand",
	"tunetry", "findescapes", "claim", "diagnosegrowth", "trace",
}

// quick is how many of them, at the front, are slow only beyond their "[!all] stop": these are never left out.
const quick = 2

func runScripts(t *testing.T, files []string) {
	goenv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		return strings.TrimSpace(string(out))
	}
	pawl, err := exec.LookPath("pawl")
	if built := os.Getenv("PAWL_BINARY"); built != "" { // that of a release; else it is this test's
		pawl, err = filepath.Abs(built)
	}
	if err != nil {
		t.Fatal(err)
	}
	drawn := sample.Part(slow[quick:], 16)
	left := func(name string) bool {
		return !*longToo && slices.Contains(slow[quick:], name) && !slices.Contains(drawn, name)
	}
	cache, modcache, proxy := goenv("GOCACHE"), goenv("GOMODCACHE"), goenv("GOPROXY")
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			if name := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-"); left(name) {
				e.T().Skip("one in 16 of the slow scripts is drawn; PAWL_ALL=1 runs all")
			}
			home := filepath.Join(e.WorkDir, ".home")
			e.Setenv("HOME", home)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOMODCACHE", modcache)
			e.Setenv("GOPROXY", proxy)
			e.Setenv("GOTELEMETRY", "off")
			e.Setenv("PAWL", pawl)
			e.Setenv("PATH", filepath.Dir(pawl)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return os.MkdirAll(home, 0o777)
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			if cond == "sandbox" {
				return hasSandbox(), nil
			}
			if cond == "all" { // [!all] stop: what follows needs a minute
				return sample.All(), nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code":        cmdCode,
			"fingerprint": cmdFingerprint,
		},
	})
}

// scripts returns the scripts of a directory, the slow ones first.
func scripts(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	rank := func(file string) int {
		if i := slices.Index(slow, strings.TrimSuffix(filepath.Base(file), ".txtar")); i >= 0 {
			return i
		}
		return len(slow)
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

// cmdCode runs a program and demands an exit code: code 2 pawl optimise.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdFingerprint writes what must never change about a user's tree to a file:
// every file below a directory but pawl's own, with its bytes, and git's index,
// HEAD, stash and refs but pawl's branches.
func cmdFingerprint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fingerprint DIRECTORY FILE")
	}
	root := ts.MkAbs(args[0])
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".pawl", rel == ".git/objects", rel == ".git/refs/heads/pawl", rel == ".git/logs/refs/heads/pawl":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		b.WriteString(rel + " " + strconv.Quote(string(data)) + "\n")
		return err
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o666))
}
