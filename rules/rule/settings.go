package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Settings is the analyzer that carries what the user asked for. Listed among
// a driver's analyzers, its flags are -pawl.tier, -pawl.heat and so on.
//
// A flag that names a file has the form FILE or FILE@sha256:HEX. The second is
// what go vet needs: it caches by the flags' text, so that the content has to
// be in it. A digest that does not match is an error.
var Settings = newSettings()

// settings is the result of Settings: what holds for a package.
type settings struct {
	tier     string
	minShare float64
	fixB     bool
	heat     *Heat
	baseline *Baseline
	config   *Config
	ignores  []Ignore
}

// flags are what the command line gave.
type flags struct {
	tier, heat, baseline, config, fixes string
	minShare                            float64
	nolint                              bool
}

func newSettings() *analysis.Analyzer {
	var fl flags
	a := &analysis.Analyzer{
		Name:       "pawl",
		Doc:        "what to show\n\nThe settings that pawl's rules share. It reports nothing itself.",
		ResultType: reflect.TypeFor[*settings](),
		Run:        func(pass *analysis.Pass) (any, error) { return fl.read(pass) },
	}
	fs := flag.NewFlagSet("pawl", flag.ContinueOnError)
	fs.StringVar(&fl.tier, "tier", "", "show findings of this `tier` only: always, profiled, special, all (default: always, and profiled where -heat says so)")
	fs.StringVar(&fl.heat, "heat", "", "show findings only on lines that cost, as this `file` of pawl heat says (FILE@sha256:HEX)")
	fs.Float64Var(&fl.minShare, "minshare", DefaultShare, "least `share` of the cost that makes a line hot")
	fs.StringVar(&fl.baseline, "baseline", "", "do not show the findings in this `file` (FILE@sha256:HEX)")
	fs.StringVar(&fl.config, "config", "", "configuration `file` (FILE@sha256:HEX); its member off counts")
	fs.StringVar(&fl.fixes, "fixes", "A", "attach fixes of `class` A, or A and B")
	fs.BoolVar(&fl.nolint, "nolint", true, "follow //nolint:pawl, which golangci-lint does itself")
	a.Flags = *fs
	return a
}

// DefaultShare is the least share of a profile's cost that makes a line hot:
// below one in a hundred, even removing the line would not be seen.
const DefaultShare = 0.01

func (fl *flags) read(pass *analysis.Pass) (*settings, error) {
	s := &settings{tier: fl.tier, minShare: fl.minShare, fixB: fl.fixes == "B" || fl.fixes == "AB"}
	if !slices.Contains([]string{"", "always", "profiled", "special", "all"}, fl.tier) {
		return nil, fmt.Errorf("-pawl.tier=%s: it is one of always, profiled, special, all", fl.tier)
	}
	for _, f := range []struct {
		flag string
		read func(file string) error
	}{
		{fl.heat, func(file string) (err error) { s.heat, err = ReadHeat(file); return err }},
		{fl.baseline, func(file string) (err error) { s.baseline, err = ReadBaseline(file); return err }},
		{fl.config, func(file string) (err error) { s.config, err = ReadConfig(file); return err }},
	} {
		if f.flag == "" {
			continue
		}
		file, err := checked(f.flag)
		if err != nil {
			return nil, err
		}
		if err := f.read(file); err != nil {
			return nil, err
		}
	}
	s.ignores = Ignores(pass.Fset, pass.Files)
	if !fl.nolint {
		s.ignores = slices.DeleteFunc(s.ignores, func(ig Ignore) bool { return ig.All })
	}
	return s, nil
}

// Followed returns the directives of a package that are followed, to an
// analyzer that requires Settings.
func Followed(pass *analysis.Pass) []Ignore { return pass.ResultOf[Settings].(*settings).ignores }

// checked returns the file that a flag names, whose digest was compared.
func checked(flag string) (string, error) {
	file, want, ok := strings.Cut(flag, "@sha256:")
	if !ok {
		return file, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); !strings.HasPrefix(got, want) || len(want) < 8 {
		return "", fmt.Errorf("%s has changed since the command line was written: its digest is %s now, not %s", file, got[:16], want)
	}
	return file, nil
}

// Digested returns a file's name with its digest, for the flags of Settings.
func Digested(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return abs + "@sha256:" + hex.EncodeToString(sum[:8]), nil
}

func (s *settings) skips(rule string) bool {
	return s.config != nil && slices.Contains(s.config.Off, rule)
}

func (s *settings) known(pass *analysis.Pass, rule string, f Finding) bool {
	if s.baseline == nil {
		return false
	}
	pos := pass.Fset.Position(f.Pos)
	return s.baseline.Has(Key{Rule: rule, File: path.Join(pass.Pkg.Path(), filepath.Base(pos.Filename)), Hash: LineHash(pass.ReadFile, pos)})
}

func (s *settings) ignored(fset *token.FileSet, pos token.Pos, rule string) token.Pos {
	at := fset.Position(pos)
	for _, ig := range s.ignores {
		if ig.Covers(at, rule) {
			return ig.Pos
		}
	}
	return token.NoPos
}
