package x14

import (
	"net/http"
	"path/filepath"
	"strings"
)

// V1 switch
func Sources(names []string) (n int) {
	for _, name := range names {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".go":
			n++
		}
	}
	return n
}

// V2 named type, constant of another package
type verb string

type route struct {
	verb verb
	path string
}

func (r route) ReadOnly() bool {
	return strings.ToUpper(string(r.verb)) == http.MethodGet && r.path != ""
}
