package experiment

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/freshness"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/words"
)

// defaultProfile is the file that the go command builds a main package with.
const defaultProfile = "default.pgo"

// A profile is stale where less than leastMapped of its samples map, or where a
// function with goneShare of them is not there any more.
const (
	leastMapped = 0.9
	goneShare   = 0.05
)

// CheckPGO reports for the main packages, or for one of them, whether their default.pgo
// is stale. With profiles in the options, it compares it with these, and measures what
// these give beside it.
func CheckPGO(ctx context.Context, opt Options, program string) (*model.Tuning, error) {
	opt.Try = []string{pgo}
	s := newSession(opt)
	if err := s.open(ctx); err != nil {
		return s.out, err
	}
	defer s.close()
	patterns := opt.Patterns
	if program != "" {
		patterns = []string{program}
	}
	mains, err := s.mains(ctx, patterns)
	if err != nil {
		return s.out, err
	}
	for _, pkg := range mains {
		main := mainPackage{s, pkg}
		file := filepath.Join(main.Dir, defaultProfile)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		p, err := main.fresh(ctx, file)
		if err != nil {
			return s.out, err
		}
		if s.pgo != "" {
			if p.Newer, err = Like(ctx, s.pgo, file, opt.Seed); err != nil {
				return s.out, err
			}
		}
		p.Fresher = fresher(s.opt.Named, main.ImportPath)
		s.out.PGO = append(s.out.PGO, p)
	}
	if len(s.out.PGO) == 0 {
		return s.out, fmt.Errorf("%w: no main package here has a %s", testbed.ErrNothing, defaultProfile)
	}
	if s.pgo != "" {
		return s.out, s.beside(ctx)
	}
	return s.out, nil
}

// beside measures what the fresh profile gives beside the one that is there. Where that
// cannot be measured, a warning says why: what was asked first is answered.
func (s *session) beside(ctx context.Context) error {
	if len(s.out.PGO) > 1 {
		s.unmeasured("there are several main packages with a " + defaultProfile + ", and a profile is of one program: name it with -main")
		return nil
	}
	p := &s.out.PGO[0]
	s.compiled(p.File)
	limited, cancel := context.WithDeadline(ctx, s.out.Started.Add(s.opt.Budget))
	defer cancel()
	err := s.measure(limited)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		s.out.Stopped = "budget"
	case err != nil:
		s.unmeasured(err.Error())
	}
	p.Tried = len(s.out.Subjects) > 0
	return nil
}

// compiled makes builds as they are those with a profile of the module, which go test
// takes for a main package alone.
func (s *session) compiled(file string) {
	s.now = setting{kind: pgo, name: "as it is", flags: []string{"-pgo=" + filepath.Join(s.tree.Snap.Dir, filepath.FromSlash(file))}}
	s.out.Now = "-pgo=" + file
}

func (s *session) unmeasured(why string) {
	s.out.Warnings = append(s.out.Warnings, model.Warning{Seen: "what a fresh profile would give is not measured: " + why})
}

func fresher(profiles []string, main string) []string {
	if len(profiles) == 0 {
		profiles = []string{"FILE"}
	}
	command := []string{"pawl", "tune"}
	for _, name := range profiles {
		command = append(command, "-pgo", name)
	}
	return append(command, "-main", main, "./...")
}

// fresh says how much of a profile maps to what m is built of.
func (m mainPackage) fresh(ctx context.Context, file string) (model.PGO, error) {
	out := model.PGO{Main: m.ImportPath, File: m.profile()}
	p, err := profile.ReadFile(ctx, file)
	if err != nil {
		return out, fmt.Errorf("%s: %w", out.File, err)
	}
	pkgs, err := m.tree.Go.List(ctx, "-deps", m.ImportPath)
	if err != nil {
		return out, err
	}
	if out.Fresh, err = freshness.Of(p, functions(pkgs)); err != nil {
		return out, fmt.Errorf("%s: %w", out.File, err)
	}
	out.Fresh.Taken = p.Taken()
	out.Stale = stale(out.Fresh)
	return out, nil
}

func stale(f model.Freshness) string {
	switch {
	case f.Samples == 0:
		return "no sample is of a function outside the standard library"
	case f.Share == 0:
		return "no sample maps to the source; it may be of another program"
	case f.Share < leastMapped:
		return fmt.Sprintf("%s of its samples map to the source, and %s is the least", words.Percent(f.Share), words.Percent(leastMapped))
	case len(f.Gone) > 0 && f.Gone[0].Share >= goneShare:
		return fmt.Sprintf("%s, with %s of its samples, is not there any more", f.Gone[0].Func, words.Percent(f.Gone[0].Share))
	}
	return ""
}

// functions lists what is declared in packages outside the standard library. What
// does not parse is not there, as for the compiler.
func functions(pkgs []gocmd.Package) freshness.Functions {
	out := make(freshness.Functions)
	for _, p := range pkgs {
		if p.Standard {
			continue
		}
		path := p.ImportPath
		if p.Name == "main" {
			path = "main"
		}
		fset := token.NewFileSet()
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			f, _ := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if f == nil {
				continue
			}
			for _, d := range f.Decls {
				lines := fset.Position(d.End()).Line - fset.Position(d.Pos()).Line + 1
				switch d := d.(type) {
				case *ast.FuncDecl:
					out[path+"."+words.FuncName(d)] = lines
				case *ast.GenDecl:
					out[path+".init"] = max(lines, out[path+".init"]) // of variables
				}
			}
		}
	}
	return out
}
