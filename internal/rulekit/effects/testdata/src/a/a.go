package a

import (
	"os"
	"strings"
	"sync"
	"time"
)

var counter int
var kept []byte
var mu sync.Mutex

func Double(x int) int { return 2 * x } // want Double:"pure keeps 0"

func Upper(s string) string { // want Upper:"pure"
	t := strings.ToUpper(s)
	return t + "!"
}

func Count() int { // want Count:"keeps 0"
	counter++
	return counter
}

func Reads() int { return counter } // want Reads:"keeps 0"

func Wait() { // want Wait:"blocks keeps 0"
	time.Sleep(1)
}

func Recv(c chan int) int { // want Recv:"blocks"
	return <-c
}

func Poll(c chan int) int { // want Poll:"^keeps 1"
	select {
	case x := <-c:
		return x
	default:
		return 0
	}
}

func Either(c, d chan int) { // want Either:"blocks"
	select {
	case <-c:
	case <-d:
	}
}

func Open(name string) error { // want Open:"io"
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

func Deep(name string) error { return Open(name) } // want Deep:"io"

func Background() { // want Background:"keeps 0"
	go Wait()
}

func Sum(b []byte) (n int) { // want Sum:"keeps 0"
	for _, x := range b {
		n += int(x)
	}
	return n + len(b)
}

func Keep(b []byte) { kept = b } // want Keep:"^keeps 1"

func Sub(b []byte) []byte { return b[1:] } // want Sub:"keeps 1"

func Through(b []byte) int { return Sum(b[1:]) } // want Through:"keeps 0"

func First(b [][]byte) []byte { return b[0] } // want First:"keeps 1"

func Text(b []byte) string { return string(b) } // want Text:"keeps 0"

func Recurse(n int) int { // want Recurse:"keeps 0"
	if n == 0 {
		return 0
	}
	return Recurse(n - 1)
}

type T struct{ n int }

func (t T) Value() int { return t.n } // want Value:"pure keeps 0"

func (t *T) Pointer() int { return t.n } // want Pointer:"keeps 0"

func Copied(b []byte) byte { // want Copied:"^keeps 0"
	part := b[1:]
	rest := append(part[:0], 1)
	return rest[0]
}

func Named(b []byte) (rest []byte) { // want Named:"^keeps 1"
	rest = b[1:]
	return
}

func Spawned(b []byte) { go Sum(b) } // want Spawned:"^keeps 1"

func Compared(s string) int { // want Compared:"keeps 0"
	switch s {
	case "a":
		return 1
	}
	return 2
}

func Joined(s string) string { return s + "" } // want Joined:"keeps 1"

func Boxed(s string) any { return any(s) } // want Boxed:"keeps 1"

var names = map[string]bool{}

func Key(s string) { names[s] = true } // want Key:"^keeps 1"

func Moved(to, from []*T) { copy(to, from) } // want Moved:"^keeps 10"

func Element(all []*T) { // want Element:"^keeps 1"
	for _, t := range all {
		last = t
	}
}

func Assigned(all []*T) { // want Assigned:"^keeps 1"
	for _, last = range all {
	}
}

var last *T

func Field(t *T) int { // want Field:"^keeps 0"
	u := t
	return u.n
}

// What stands before the functions that it calls is read again.
func Above(b []byte, n int) int { return aboveThat(b, n) } // want Above:"^pure keeps 0"

func aboveThat(b []byte, n int) int { return below(b, n) } // want aboveThat:"^pure keeps 0"

func below(b []byte, n int) int { return n + len(b) } // want below:"^pure keeps 0"
