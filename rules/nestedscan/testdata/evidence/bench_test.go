package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkUnknown(b *testing.B) {
	known, accounts := make([]string, 1000), make([]string, 1000)
	for i := range known {
		known[i], accounts[i] = fmt.Sprintf("account-%08d", i), fmt.Sprintf("account-%08d", 2*i)
	}
	for b.Loop() {
		if len(Unknown(known, accounts)) != 500 || Duplicates(accounts) {
			b.Fatal("accounts are mixed up")
		}
	}
}
