package c41

import (
	"bufio"
	"encoding/json"
	"log"
	"net"
	"os"
	"strings"
)

// V1 renamed
var words []string

func init() {
	b, err := os.ReadFile("/usr/share/dict/words")
	if err != nil {
		panic(err)
	}
	words = strings.Split(string(b), "\n")
}

// V2 method
type dict struct{ m map[string]string }

func (d *dict) load(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	json.Unmarshal(data, &d.m)
}

var theDict dict

func init() { theDict.load("dict.json") }

// V3 closure
var hosts = func() []string {
	f, err := os.Open("/etc/hosts")
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out
}()

// V4 generic
func mustLoad[T any](path string) (v T) {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		panic(err)
	}
	return v
}

var limits = mustLoad[map[string]int]("limits.json")

// V5 two functions
var conn net.Conn

func dial() (net.Conn, error) { return net.Dial("tcp", os.Getenv("ADDR")) }
func init() {
	c, err := dial()
	if err != nil {
		log.Fatal(err)
	}
	conn = c
}
