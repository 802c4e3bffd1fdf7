package benchstub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestOffer(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"with/x_test.go": "package with\n\nfunc BenchmarkX(b *testing.B) {}\n", "without/x_test.go": "package without\n\nfunc TestX(t *testing.T) {}\n"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(file, fn string, share float64) model.Finding {
		return model.Finding{Pkg: "example.com/m/" + filepath.Dir(file), Func: fn, At: model.Pos{File: file, Line: 7}, Share: share}
	}
	got := Offer(root, []model.Finding{
		at("with/x.go", "A", 0.5), at("without/x.go", "T.B", 0.25), at("without/y.go", "C", 0.1), at("gone/x.go", "D", 0.1), at("without/z.go", "E", 0),
	})
	if len(got) != 1 || !strings.Contains(got[0].Seen, "T.B takes 25.0 %") || !strings.Contains(got[0].Try, "pawl bench-stub -line without/x.go:7 'example.com/m/without.T.B'") {
		t.Errorf("%+v", got)
	}
}
