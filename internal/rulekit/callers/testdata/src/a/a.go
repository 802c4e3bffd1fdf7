package main

import "net/http"

var answers = table()

func table() map[string]string { return nil }

func handle(w http.ResponseWriter, r *http.Request) { lookup() }

func lookup() {}

func register() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fromLiteral() })
}

func fromLiteral() {}

func each() { below() }

func below() {}

func loops() {
	for i := initClause(); i < 3; i++ { each() }
	for range 3 {
		go func() { taken() }()
	}
	f := taken
	f()
}

func literal(names []string) {
	do := func(string) { byLiteral() }
	for _, name := range names { do(name) }
	other := func() { notByLiteral() }
	other()
}

func byLiteral() {}

func notByLiteral() {}

func initClause() int { return 0 }

func taken() {}

func setup() {}

func Exported() { setup2() }

func setup2() {}

func main() {
	setup()
	register()
	loops()
}
