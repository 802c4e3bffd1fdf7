package c41

import (
	"os"
	"strings"
)

// V1 closure in a variable
var hosts = func() []string {
	data, err := os.ReadFile("/etc/hosts")
	if err != nil {
		return nil
	}
	return strings.Split(string(data), "\n")
}()

func Hosts() int { return len(hosts) }

// V2 method that init calls
type sieve struct{ composite []bool }

var primes sieve

func init() { primes.fill() }

func (s *sieve) fill() {
	s.composite = make([]bool, 1<<22)
	for i := 2; i < 1<<22; i++ {
		if s.composite[i] {
			continue
		}
		for j := 2 * i; j < 1<<22; j += i {
			s.composite[j] = true
		}
	}
}

func Prime(n int) bool { return n > 1 && !primes.composite[n] }
