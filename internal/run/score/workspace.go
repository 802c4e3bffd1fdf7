package score

import (
	"context"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// workspace joins the module of the benchmark and that of the fix, where they are
// two: the benchmark is to run the code of the checkout, whatever version of it
// its go.mod asks for.
func (c *checkout) workspace() error {
	if c.other == "" {
		return nil
	}
	text, newest := "", "1.18"
	for _, dir := range []string{c.module, c.other} {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			return fmt.Errorf("the fix is in another module than the benchmark: %w", err)
		}
		if m := goLine.FindSubmatch(mod); m != nil && version.Compare("go"+string(m[1]), "go"+newest) > 0 {
			newest = string(m[1])
		}
		rel, err := filepath.Rel(c.dir, dir)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("use %q\n", "./"+filepath.ToSlash(rel))
	}
	c.note("the fix is in another module than the benchmark: a go.work joins them")
	c.env = slices.DeleteFunc(slices.Clone(c.env), func(kv string) bool { return strings.HasPrefix(kv, "GOWORK=") })
	return os.WriteFile(c.gowork(c.dir), []byte("go "+newest+"\n\n"+text), 0o600)
}

var goLine = regexp.MustCompile(`(?m)^go\s+([0-9]\S*)`)

// gowork is the go.work of the checkout, or of a copy of it: "off" for none.
func (c *checkout) gowork(dir string) string {
	if c.other == "" {
		return "off"
	}
	return filepath.Join(dir, "go.work")
}

// require adds to the go.mod what the row's packages and their tests need and it
// lacks. The whole repository, which go mod tidy reads, may need what is not to be
// had any more: it is read where the packages alone are not enough.
func (c *checkout) require(ctx context.Context) (how string, err error) {
	get := append([]string{"get", "-t"}, c.own()...)
	if _, err := c.go_.Run(ctx, gocmd.Build, get...); err == nil {
		return "go " + strings.Join(get, " "), nil
	}
	_, err = c.go_.Run(ctx, gocmd.Build, "mod", "tidy", "-e")
	return "go mod tidy", err
}

func (c *checkout) own() []string {
	return slices.DeleteFunc(slices.Clone(c.packages), func(p string) bool { return strings.HasPrefix(p, "..") })
}
