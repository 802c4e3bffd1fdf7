package pawldrive

import "testing"

func TestPlain(t *testing.T) {
	a := "m.pawl0F(0xc00012)\n\t/x/zz_pawl0_3.go:12 +0x1d\nm.pawl0call1({0xc1, 0x2})\n"
	b := "m.pawl1F(0xc00999)\n\t/x/zz_pawl1_0.go:33 +0x2f\nm.pawl1call1({0xc7, 0x2})\n"
	if plain(a) != plain(b) || plain(a) == plain("m.pawl1G(0xc00999)") || plain("line 1:2") != "line 1:2" {
		t.Errorf("%q\n%q", plain(a), plain(b))
	}
}
