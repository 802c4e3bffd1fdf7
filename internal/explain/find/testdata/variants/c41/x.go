package c41

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
)

// V1 renamed
var conf map[string]string

func init() {
	data, err := os.ReadFile("/etc/app.json")
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(data, &conf); err != nil {
		panic(err)
	}
}

// V2 method
type store struct{ c net.Conn }

func (s *store) connect() (err error) { s.c, err = net.Dial("tcp", "db:5432"); return }

var st store

func init() { _ = st.connect() }

// V3 closure
var hostname = func() string {
	out, _ := exec.Command("hostname", "-f").Output()
	return string(out)
}()

// V4 generic
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var blob = must(os.ReadFile("big.bin"))

// V5 two functions, missed
var primes []int

func sieve(n int) []int {
	c := make([]bool, n)
	var p []int
	for i := 2; i < n; i++ {
		if !c[i] {
			p = append(p, i)
			for j := 2 * i; j < n; j += i {
				c[j] = true
			}
		}
	}
	return p
}
func init() { primes = sieve(10_000_000) }
