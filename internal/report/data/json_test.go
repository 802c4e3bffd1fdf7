package data

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestJSONRoundTrip(t *testing.T) {
	want := specimen.Run()
	got := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, want) })
	if !strings.HasSuffix(got, "}\n") || strings.Contains(got, `\u003c`) || !strings.Contains(got, "\n  \"schema\": 1") {
		t.Errorf("not indented, or escaped:\n%.200s", got)
	}
	var back model.Run
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, &back, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func TestJSONOfWhatIsNoNumber(t *testing.T) {
	r := specimen.Run()
	v := &r.Attempts[0].Verdicts[0]
	v.Lo, v.Hi, v.NoiseSD, v.Evidence = math.Inf(-1), math.Inf(1), math.NaN(), math.MaxFloat64
	// A string that looks like the mark that stands for null must stay.
	r.Module = string(markerText) + `"\` + string(markerText)
	got := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, r) })
	for _, want := range []string{`"lo": null`, `"hi": null`, `"noise_sd": null`, `"e": null`} {
		if strings.Count(got, want) != 1 {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	var back model.Run
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if back.Module != r.Module {
		t.Errorf("a string was changed to %q", back.Module)
	}
	if !math.IsInf(v.Hi, 1) {
		t.Error("the caller's value was changed")
	}
}

// Who goes through a list does not ask first whether there is one.
func TestJSONOfEmptyLists(t *testing.T) {
	v := struct {
		List []string         `json:"list"`
		Left []string         `json:"left,omitempty"`
		Any  any              `json:"any"`
		Map  map[string][]int `json:"map"`
	}{Any: []int(nil), Map: map[string][]int{"a": nil}}
	got := strings.Join(strings.Fields(specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, v) })), "")
	if want := `{"list":[],"any":[],"map":{"a":[]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONOfOtherValues(t *testing.T) {
	type pair struct {
		A any                `json:"a"`
		M map[string]float64 `json:"m"`
		P *float64           `json:"p"`
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		in   any
		want string
	}{
		{nil, "null\n"},
		{[]float64{1, math.NaN()}, "[\n  1,\n  null\n]\n"},
		{pair{A: inf, M: map[string]float64{"x": inf}, P: &inf}, "{\n  \"a\": null,\n  \"m\": {\n    \"x\": null\n  },\n  \"p\": null\n}\n"},
		{"a < b & c", "\"a < b & c\"\n"},
		{json.RawMessage(`{"x":1}`), "{\n  \"x\": 1\n}\n"},
	} {
		got := specimen.Written(t, func(b *bytes.Buffer) error { return JSON(b, c.in) })
		if got != c.want {
			t.Errorf("JSON(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}
