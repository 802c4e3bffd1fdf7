package find

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// listed is what go list says about one package, as far as it matters here.
type listed struct {
	Dir, ImportPath, Name string
	Standard, DepOnly     bool
	GoFiles, CgoFiles     []string
	Imports               []string
	ImportMap             map[string]string
	Module                *listedModule
	DefaultGODEBUG        string // of package main, as its files and go.mod say
	Error                 *struct{ Pos, Err string }

	key string // what its findings depend on
}

type listedModule struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
	Replace                       *listedModule
}

// local reports whether the package's source may change under the same
// version.
func (p *listed) local() bool {
	if p.Standard || p.Module == nil {
		return !p.Standard
	}
	m := p.Module
	if m.Replace != nil {
		m = m.Replace
	}
	return m.Main || m.Version == ""
}

// A world is all packages that a run looks at, with what they import.
type world struct {
	all map[string]*listed
	// looked are the packages that the rules look at, dependencies first: those
	// that were named, and what these import of the same source tree, for the
	// facts.
	looked           []*listed
	goVer            string
	dir              string // module root
	work             string // the go.work file, or ""
	goroot, modCache string
	mod              string // the settings that results depend on
}

// list asks the go command for the packages and what they depend on.
func list(ctx context.Context, dir string, env, flags, patterns []string) (*world, error) {
	w := &world{all: map[string]*listed{}}
	var wg sync.WaitGroup
	var envErr error
	wg.Go(func() { envErr = w.environment(ctx, dir, env, flags) })
	args := slices.Concat([]string{"list", "-e", "-deps", "-json=Dir,ImportPath,Name,Standard,DepOnly,GoFiles,CgoFiles,Imports,ImportMap,Module,DefaultGODEBUG,Error"}, flags, []string{"--"}, patterns)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	wg.Wait()
	if err := errors.Join(ctx.Err(), envErr); err != nil {
		return nil, err
	}
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		w.all[p.ImportPath] = p
		if (!p.DepOnly || p.local()) && (len(p.GoFiles)+len(p.CgoFiles) > 0 || p.Error != nil) {
			w.looked = append(w.looked, p)
		}
	}
	return w, nil
}

// listTests asks the go command for the files of the tests that belong to some packages
// themselves, by import path, and what these import.
func listTests(ctx context.Context, o Options, pkgs []string) (files map[string][]string, imports []string, err error) {
	args := slices.Concat([]string{"list", "-e", "-json=Dir,ImportPath,TestGoFiles,TestImports"}, o.Flags, []string{"--"}, pkgs)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	files = map[string][]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p struct {
			Dir, ImportPath          string
			TestGoFiles, TestImports []string
		}
		if err := dec.Decode(&p); err != nil {
			return nil, nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		for _, name := range p.TestGoFiles {
			files[p.ImportPath] = append(files[p.ImportPath], filepath.Join(p.Dir, name))
		}
		for _, path := range p.TestImports {
			if path != "C" && !slices.Contains(imports, path) {
				imports = append(imports, path)
			}
		}
	}
	return files, imports, nil
}

// lines returns the go lines of the modules whose packages are looked at.
func (w *world) lines() []string {
	var lines []string
	for _, p := range w.looked {
		if p.Module != nil {
			lines = append(lines, p.Module.GoVersion)
		}
	}
	return lines
}

// environment asks for what a result depends on beyond the source.
func (w *world) environment(ctx context.Context, dir string, env, flags []string) error {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "GOMOD", "GOWORK", "GOEXPERIMENT", "GOROOT", "GOMODCACHE")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env: %w; is go on the PATH?", err)
	}
	var vars map[string]string
	if err := json.Unmarshal(out, &vars); err != nil {
		return fmt.Errorf("reading the output of go env: %w", err)
	}
	w.dir = dir
	if mod := vars["GOMOD"]; mod != "" && mod != os.DevNull {
		w.dir = filepath.Dir(mod)
	}
	delete(vars, "GOMOD")
	w.goroot, w.modCache = vars["GOROOT"], vars["GOMODCACHE"]
	delete(vars, "GOROOT")
	delete(vars, "GOMODCACHE")
	w.work = vars["GOWORK"]
	w.goVer = vars["GOVERSION"]
	var parts []string
	for k, v := range vars {
		parts = append(parts, k+"="+v)
	}
	slices.Sort(parts)
	w.mod = strings.Join(append(parts, flags...), " ")
	return nil
}

// keys gives each local package its key: a hash of the tool, the settings, its
// files and the keys or versions of what it imports.
func (w *world) keys(tool string) error {
	sums, err := w.sums()
	if err != nil {
		return err
	}
	var key func(p *listed) string
	key = func(p *listed) string {
		if p.key != "" {
			return p.key
		}
		p.key = "cycle" // an import cycle is an error of the package, reported elsewhere
		h := sha256.New()
		fmt.Fprintln(h, tool, w.mod, p.ImportPath, p.Dir, p.DefaultGODEBUG)
		if p.Module != nil {
			fmt.Fprintln(h, p.Module.GoVersion)
		}
		fmt.Fprintln(h, sums[p.ImportPath])
		for _, imp := range p.Imports {
			if to, ok := p.ImportMap[imp]; ok {
				imp = to
			}
			dep := w.all[imp]
			switch {
			case dep == nil || dep.Standard:
				fmt.Fprintln(h, imp)
			case dep.local():
				fmt.Fprintln(h, imp, key(dep))
			default:
				fmt.Fprintln(h, imp, dep.Module.Path, dep.Module.Version)
			}
		}
		p.key = hex.EncodeToString(h.Sum(nil)[:20])
		return p.key
	}
	for _, p := range w.looked {
		key(p)
	}
	return nil
}

// sums returns a hash of the source of each package whose key is asked for.
func (w *world) sums() (map[string]string, error) {
	sums := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var firstErr error
	limit := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for _, p := range w.looked {
		wg.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			sum, err := sumFiles(p)
			mu.Lock()
			defer mu.Unlock()
			sums[p.ImportPath] = sum
			if err != nil && firstErr == nil {
				firstErr = err
			}
		})
	}
	wg.Wait()
	return sums, firstErr
}

func sumFiles(p *listed) (string, error) {
	h := sha256.New()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := os.Open(filepath.Join(p.Dir, name))
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", p.ImportPath, err)
		}
		fmt.Fprintln(h, name)
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", p.ImportPath, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
