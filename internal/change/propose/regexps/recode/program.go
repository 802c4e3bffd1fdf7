package recode

import (
	"fmt"
	"strings"
)

// A Case is a generated function with the pattern that it stands for.
type Case struct {
	Pattern  string
	Kind     Kind
	Function *Function
}

// Program returns the source of a program that reads inputs from the file that
// it is given, one per line, quoted as Go does, and runs each through the cases'
// patterns and functions. For each case it prints the first input on which they differ
// and both results, or else a line "same" with the number of inputs. Lines of
// the form "case 2" say which case the inputs that follow are for. The names that
// the cases declare must differ from each other.
func Program(cases []Case) string {
	var calls, decls strings.Builder
	for _, c := range cases {
		method, results := "MatchString", "%[1]s(s)"
		switch c.Kind {
		case Find:
			method = "FindStringSubmatch"
		case Replace:
			method, results = "ReplaceAllString", `[]string{%[1]s(s, ""), %[1]s(s, "<é>")}`
		}
		fmt.Fprintf(&calls, "\t{%q,\n\t\tfunc(re *regexp.Regexp, s string) string { return fmt.Sprintf(\"%%#v\", %s) },\n\t\tfunc(s string) string { return fmt.Sprintf(\"%%#v\", %s) }},\n",
			c.Pattern, fmt.Sprintf(results, "re."+method), fmt.Sprintf(results, c.Function.Name))
		decls.WriteString("\n" + c.Function.Source)
	}
	return strings.Replace(harness, "\tCASES\n", calls.String(), 1) + decls.String()
}

// harness is the program around the cases. The form %#v tells nil from empty.
const harness = `package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var harnessCases = []struct {
	pattern string
	want    func(*regexp.Regexp, string) string
	got     func(string) string
}{
	CASES
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<24)
	c := harnessCases[0]
	re, count, differs := regexp.MustCompile(c.pattern), 0, false
	report := func() {
		if count > 0 && !differs {
			fmt.Printf("same %d\n", count)
		}
	}
	for in.Scan() {
		if n, ok := strings.CutPrefix(in.Text(), "case "); ok {
			report()
			i, err := strconv.Atoi(n)
			if err != nil {
				panic(err)
			}
			c = harnessCases[i]
			re, count, differs = regexp.MustCompile(c.pattern), 0, false
			continue
		}
		s, err := strconv.Unquote(in.Text())
		if err != nil {
			panic(err)
		}
		count++
		if want, got := c.want(re, s), c.got(s); want != got && !differs {
			differs = true
			fmt.Printf("%q on %q: want %s, got %s\n", c.pattern, s, want, got)
		}
	}
	if in.Err() != nil {
		panic(in.Err())
	}
	report()
}
`
