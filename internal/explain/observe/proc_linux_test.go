package observe

import "testing"

func TestField(t *testing.T) {
	const status = "Name:\tx\nThreads:\t7\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\nbad:\tNaN\n"
	for _, tt := range []struct {
		name string
		want float64
	}{{"voluntary_ctxt_switches:", 150}, {"nonvoluntary_ctxt_switches:", 545}, {"none:", 0}, {"Name:", 0}, {"bad:", 0}} {
		if got := field([]byte(status), tt.name); got != tt.want {
			t.Errorf("%s is %v, want %v", tt.name, got, tt.want)
		}
	}
}
