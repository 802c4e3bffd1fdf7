package equal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	after "evidence/after"
	before "evidence/before"
)

// FuzzFrame sends events that the program's own encoder wrote, which is where
// the two agree.
func FuzzFrame(f *testing.F) {
	f.Add(int64(0), "", "", "", "", "", false)
	f.Add(int64(12), "update", "accounts", "42", "amount", "10.00", true)
	f.Add(int64(-1), "<b>&\u2028", "ü\x00", "\"", "<", ">", true)
	f.Fuzz(func(t *testing.T, seq int64, op, resource, key, name, value string, more bool) {
		if !utf8.ValidString(strings.Join([]string{op, resource, key, name, value}, "|")) {
			t.Skip("the encoder writes \\ufffd, which only decoding turns into the character")
		}
		e := before.Event{Seq: seq, Op: op, Resource: resource}
		if more {
			e.Keys, e.Data = []string{key, op}, map[string]any{name: value, "list": []any{true, nil, 1.5}}
		}
		payload, err := json.Marshal(e)
		if err != nil {
			t.Skip(err)
		}
		compare(t, payload)
	})
}

// FuzzSyntax sends what is no JSON.
func FuzzSyntax(f *testing.F) {
	for _, s := range []string{"", "{", `{"seq":}`, "nul", "{}x", `{"seq":1,}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if !json.Valid(payload) {
			compare(t, payload)
		}
	})
}

func compare(t *testing.T, payload []byte) {
	t.Helper()
	var want, got bytes.Buffer
	err1, err2 := before.Frame(&want, payload), after.Frame(&got, payload)
	if want.String() != got.String() || (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
		t.Errorf("%s: %q %v, then %q %v", payload, &want, err1, &got, err2)
	}
}
