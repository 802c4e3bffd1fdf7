package main

import "testing"

const statOutput = `goos: linux
pkg: x
,old,,new,,,
,sec/op,CI,sec/op,CI,vs base,P
Seek-2,1.035e-08,2%,1.1350000000000002e-08,2%,+9.66%,p=0.002 n=6
geomean,1.0350000000000002e-08,,1.1349999999999987e-08,,+9.66%,

,old,,new,,,
,B/op,CI,B/op,CI,vs base,P
Seek-2,3,0%,3,0%,~,p=1.000 n=6
geomean,2.9999999999999996,,2.9999999999999996,,+0.00%,F11: all samples are equal
`

func TestParseBenchstat(t *testing.T) {
	p, delta, err := parseBenchstat(statOutput)
	if err != nil || p != 0.002 || delta != 0.096618 {
		t.Errorf("p=%v delta=%v, %v", p, delta, err)
	}
	for name, text := range map[string]string{
		"nothing":  "",
		"one side": ",old\n,sec/op,CI\nX-2,1,2%\n",
		"no time":  ",a,,b,,,\n,B/op,CI,B/op,CI,vs base,P\nX,1,0%,2,0%,~,p=1.000 n=6\n",
		"nonsense": ",a,,b,,,\n,sec/op,CI,sec/op,CI,vs base,P\nX,1,0%,2,0%,~,p=often\n",
	} {
		if _, _, err := parseBenchstat(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestClaims(t *testing.T) {
	for want, r := range map[int]StatRun{1: {P: 0.01, Delta: 0.02}, -1: {P: 0.049, Delta: -0.02}, 0: {P: 0.05, Delta: 0.9}} {
		if got := r.claims(); got != want {
			t.Errorf("%+v: %d", r, got)
		}
	}
}

func TestEqualIterations(t *testing.T) {
	// 20 runs of 0.5 s at 1 µs.
	if got := equalIterations(10, 1000); got != "500000x" {
		t.Error(got)
	}
	if got := equalIterations(0.001, 1e9); got != "1x" {
		t.Error(got)
	}
}

func FuzzParseBenchstat(f *testing.F) {
	f.Add(statOutput)
	f.Fuzz(func(t *testing.T, text string) {
		p, _, err := parseBenchstat(text)
		if err == nil && !(p >= 0 && p <= 1) {
			t.Errorf("p = %v", p)
		}
	})
}
