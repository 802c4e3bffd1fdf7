package hints

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

var devirtualizing = regexp.MustCompile(`^(.+):(\d+):(\d+): (?:PGO )?devirtualizing `)

// devirtualized asks the compiler which calls it devirtualized, of the packages
// that are looked at.
func (s *search) devirtualized(ctx context.Context) (map[model.Pos]bool, error) {
	args := []string{"list", "-export"}
	if name := s.Go.Overlay(); name != "" {
		args = append(args, "-overlay="+name)
	}
	for _, p := range s.Pkgs {
		args = append(args, "-gcflags="+p+"=-m")
	}
	e, err := s.Go.Run(ctx, gocmd.Build, append(append(args, "--"), s.Pkgs...)...)
	var failed *gocmd.Error
	if errors.As(err, &failed) || err == nil {
		return s.parseDevirtualized(string(e.Stderr)), err
	}
	return nil, err
}

func (s *search) parseDevirtualized(text string) map[model.Pos]bool {
	out := make(map[model.Pos]bool)
	for l := range strings.Lines(text) {
		m := devirtualizing.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		name := filepath.FromSlash(m[1])
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.Go.Dir, name)
		}
		rel, err := filepath.Rel(s.Root, name)
		if err != nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		out[model.Pos{File: filepath.ToSlash(rel), Line: n, Col: col}] = true
	}
	return out
}
