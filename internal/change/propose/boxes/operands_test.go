package boxes

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// Where an operand is said to go with a verb, package fmt must print it
// without a complaint, which shows the operand's type; and the other way round.
func TestPrintable(t *testing.T) {
	for kind, v := range map[types.BasicKind]any{
		types.Bool: true, types.Int: 7, types.Int8: int8(7), types.Uint64: uint64(7), types.Uintptr: uintptr(7), types.Int32: 'x', types.String: "x",
	} {
		for verb := byte(33); verb < 127; verb++ {
			if strings.IndexByte("#%+-.0123456789[*", verb) >= 0 {
				continue
			}
			why := printable(types.Typ[kind], verb)
			text := fmt.Sprintf("%"+string(verb), v)
			if complains := strings.Contains(text, "%!"); complains && why == "" || !complains && why != "" && strings.IndexByte("Tp", verb) < 0 {
				t.Errorf("%%%c of %v: fmt says %q, printable says %q", verb, types.Typ[kind], text, why)
			}
		}
	}
}

func FuzzErrorWords(f *testing.F) {
	for _, s := range []string{"invalid %d", "%", "can't %-5.2q", "%%%w", "é_1 ß"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		words := textWords(format)
		if len(words) > 4 {
			t.Errorf("%q: words %q", format, words)
		}
		if name := joinWords(append(words, "error")); !token.IsIdentifier(name) {
			t.Errorf("%q: name %q", format, name)
		}
	})
}

func TestErrorWords(t *testing.T) {
	for format, want := range map[string]string{
		"invalid UUID length: %d":              "invalidUUIDLengthError",
		"expected %d bytes, got %d":            "expectedBytesError",
		"can't read %-5s of %d":                "cantReadError",
		"%q is not a valid label name":         "notValidLabelNameError",
		"length mismatch, want 0/2 but got %d": "lengthMismatchError",
		"error: bad token %q at line %d":       "badTokenError",
		"3 of %d are wrong":                    "wrongError",
		"a very long text about %d of %d":      "veryLongTextAboutError",
	} {
		if got := joinWords(append(textWords(format), "error")); got != want {
			t.Errorf("%q: %s, want %s", format, got, want)
		}
	}
}
