package attempt

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestOffered(t *testing.T) {
	src := "package m\n\nfunc F() {\n}\n\nfunc (s *Set[K]) Get() {\n\treturn\n}\n\nvar x = 1\n"
	at := func(text string) []model.Edit {
		i := strings.Index(src, text)
		return []model.Edit{{File: "p/m.go", Start: i, End: i + len(text)}}
	}
	pkg := func(string) string { return "example.com/m/p" }
	for text, want := range map[string]string{
		"{\n}": "'example.com/m/p.F'", "return": "'example.com/m/p.(*Set).Get'", "x = 1": "FUNC", "(s *Set[K])": "'example.com/m/p.(*Set).Get'",
	} {
		if got := offered(at(text), map[string][]byte{"p/m.go": []byte(src)}, pkg); got != want {
			t.Errorf("for %q it is %s", text, got)
		}
	}
}
