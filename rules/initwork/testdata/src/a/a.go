package a

import (
	"database/sql"
	"embed"
	"net/http"
	"os"
	"strings"
	"time"
)

var dictionary map[string]bool

func init() {
	loadBigDictionary() // want `each program that imports the package runs loadBigDictionary, which waits for files or the network, before main begins`
}

func loadBigDictionary() {
	data, err := os.ReadFile("/usr/share/dict/words")
	if err != nil {
		return
	}
	dictionary = map[string]bool{}
	for _, word := range strings.Fields(string(data)) {
		dictionary[word] = true
	}
}

type vault struct{ secrets map[string]string }

func dial() *vault {
	http.Get("http://vault")
	return &vault{}
}

var (
	secrets = dial() // want `runs dial, which waits`
	squares = table[int](100_000) // want `which has a loop of many iterations`
)

func table[T ~int](n T) (out []T) {
	for i := range 100_000 {
		out = append(out, T(i*i))
	}
	return out
}

var primes = func() (all []int) {
	for i := 2; i < 1<<20; i++ { // want `runs a loop of many iterations`
		if i%2 == 1 {
			all = append(all, i)
		}
	}
	return all
}()

func (v *vault) warm() { time.Sleep(time.Second) }

func init() {
	(&vault{}).warm() // want `which waits \(time.Sleep`
}

// What follows is left alone.

//go:embed a.go
var files embed.FS

var drivers = map[string]func() *vault{}

func register(name string, open func() *vault) { drivers[name] = open }

func init() {
	register("vault", dial)
	register("other", func() *vault { http.Get("http://other"); return nil })
	go dial() // nobody waits for it
	for _, name := range []string{"a", "b"} {
		drivers[name] = nil
	}
}

var db, _ = sql.Open("driver", "") // connects later

var home = os.Getenv("HOME")

func later() *vault { return dial() }
