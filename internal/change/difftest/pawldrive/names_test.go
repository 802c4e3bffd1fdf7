package pawldrive

import "testing"

func TestAlike(t *testing.T) {
	const a = "m.pawl0F(0xc00012)\n\t/x/zz_pawl0_3.go:12 +0x1d\nm.pawl0call1({0xc1, 0x2})\n"
	for b, want := range map[string]bool{
		"m.pawl1F(0xc00999)\n\t/x/zz_pawl1_0.go:33 +0x2f\nm.pawl1call1({0xc7, 0x2})\n": true,
		"m.F(0xc00999)\n\t/x/f.go:33 +0x2f\nm.call1({0xc7, 0x2})\n":                    false,
		"m.F(0xc00999)\n\t/x/f.go:33 +0x2f\nm.pawl1call2({0xc7, 0x2})\n":               true,
		"m.pawl1G(0xc00999)": false,
	} {
		if alike(a, b) != want || alike(b, a) != want {
			t.Errorf("%q\n%q", a, b)
		}
	}
	for a, b := range map[string]string{
		"*m.pawl0T:5":          "*m.pawl1T:6",
		"m.pawl0T{A:1, B:2}":   "m.pawl1T{A:1, B:3}",
		"m.pawl0T{b: 0x61}":    "m.pawl1T{b: 0x62}",
		"f.go:3: m.pawl0T 5:7": "f.go:3: m.pawl1T 5:8",
	} {
		if alike(a, b) {
			t.Errorf("%q and %q are another number", a, b)
		}
	}
	if !alike("&m.pawl0T{p:(*int)(0xc000012345)} 0x34b84cd94088", "&m.pawl1T{p:(*int)(0xc000012346)} 0x34b84cd94089") {
		t.Error("addresses are another each time")
	}
	if alike("line 1:2", "line 1:3") {
		t.Error("lines of texts without a copy's name are texts")
	}
}
