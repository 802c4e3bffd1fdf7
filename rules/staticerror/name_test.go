package staticerror

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariables(t *testing.T) {
	for text, want := range map[string][]string{
		"bad token":                       {"errBadToken"},
		"p: bad token":                    {"errBadToken"},
		"x/p: bad token":                  {"errBadToken"},
		"n must be > 0":                   {"errNMustBeAbove0"},
		"position!=0, want <nil>":         {"errPositionNot0WantNil"},
		"HashBytes must be >= 4 and <= 8": {"errHashBytesMustBeAtLeast4"},
		"cannot scan -Infinity":           {"errCannotScanMinusInfinity"},
		"no more results in batch":        {"errNoMoreResultsInBatch"},
		"cannot scan NULL into *int16":    {"errCannotScanNULLIntoInt16"},
		"http.Hijacker can't be used":     {"errHTTPHijackerCantBeUsed"},
		"number of buffers too small":     {"errNumberOfBuffersTooSmall"},
		"id is empty":                     {"errIDIsEmpty"},
		"…":                               {"errStatic"},
		"0 literals found":                {"err0LiteralsFound"},
		"a to of in the and or but with":  {"errAToOfInTheAndOrButWith"},
		"unterminated quoted string in connection info string": {
			"errUnterminatedQuotedStringInConnection", "errUnterminatedQuotedStringInConnectionInfo", "errUnterminatedQuotedStringInConnectionInfoString",
		},
		"a to of in the and or but with a to of in": {"errAToOfIn"},
	} {
		if diff := cmp.Diff(want, variables(text, "p")); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
