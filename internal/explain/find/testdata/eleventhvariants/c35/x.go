package c35

import (
	"fmt"
	"os"
)

// V3 closure

type route struct {
	pattern string
	hits    int
}

func exportRoutes(dir string, tables map[string][]route) error {
	dump := func(path string, routes []route) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		for _, r := range routes {
			if _, err := fmt.Fprintf(f, "%s\t%d\n", r.pattern, r.hits); err != nil {
				f.Close()
				return err
			}
		}
		return f.Close()
	}
	for name, routes := range tables {
		if err := dump(dir+"/"+name+".tsv", routes); err != nil {
			return err
		}
	}
	return nil
}
