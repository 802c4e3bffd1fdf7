package boxes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

// What a package does with errors decides whether two of them may become
// equal, or change their type.
func TestErrorsToldApart(t *testing.T) {
	toldApart := func(t *testing.T, bodies ...string) string {
		dir := t.TempDir()
		provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
		provetest.Write(t, dir, "x.go", []byte(toldApartSource(bodies)))
		return anyError.told(provetest.Load(t, dir))
	}
	var harmless []string // in one package, since loading takes longest
	for name, c := range map[string]struct {
		body string
		want string // the beginning of the answer
	}{
		"nil":         {body: `return a == nil && nil != b`},
		"sentinel":    {body: `return a == io.EOF || errSmall == b || errors.Is(a, errSmall)`},
		"assigned":    {body: `errLast = a; return b == errLast`, want: "errors are compared with =="},
		"addressed":   {body: `keep(&errSmall); return b == errSmall`, want: "errors are compared with =="},
		"made by us":  {body: `return a == errMade`, want: "errors are compared with =="},
		"two":         {body: `return a != b`, want: "errors are compared with !="},
		"field":       {body: `return a == s.err`, want: "errors are compared with =="},
		"concrete":    {body: `return a == errno(3)`},
		"other types": {body: `return a.Error() == b.Error()`},
		"switch":      {body: `switch a { case nil, io.EOF, errSmall: return true }; return false`},
		"switch two":  {body: `switch a { case io.EOF, b: return true }; return false`, want: "errors are compared in a switch"},
		"is":          {body: `return errors.Is(a, b)`, want: "an error is looked for by errors.Is"},
		"map":         {body: `var m map[error]bool; return len(m) == 0`, want: "errors are the keys of a map"},
		"any map":     {body: `return map[any]bool{}[a]`, want: "an error is the key of a map"},
		"values":      {body: `return map[string]error{}["x"] == nil`},
		"atomic":      {body: `var v atomic.Value; v.Store(a); return true`, want: "atomic.Value"},
		"pointer":     {body: `var v atomic.Pointer[error]; v.Store(&a); return true`},
		"reflect":     {body: `return reflect.DeepEqual(a, b)`, want: "reflect.DeepEqual is given an error"},
		"slices":      {body: `return slices.Contains([]error{a}, b)`, want: "slices.Contains is given an error"},
		"type shown":  {body: `return fmt.Sprintf("%d: %T", 1, a) == ""`, want: "fmt.Sprintf shows the type"},
		"all shown":   {body: `return fmt.Sprintf("%#v", a) == ""`, want: "fmt.Sprintf shows the type"},
		"index shown": {body: `return fmt.Sprintf("%[1]T", a) == ""`, want: "fmt.Sprintf shows the type"},
		"text shown":  {body: `return fmt.Sprintf("%v %+v %q %s", a, a, a, a) == ""`},
		"parts shown": {body: `return fmt.Sprintf("%d", a) == ""`, want: "fmt.Sprintf shows the type"},
		"logged":      {body: `logf("%T", a); return true`, want: "m.logf shows the type"},
		"log":         {body: `logf("%v", a); return true`},
		"struct":      {body: `return *s == state{b}`, want: "errors are compared with =="},
		"array":       {body: `return [1]error{a} == [1]error{b}`, want: "errors are compared with =="},
		"struct map":  {body: `return map[state]bool{}[*s]`, want: "errors are the keys of a map"},
		"equal lists": {body: `return slices.Equal([]error{a}, []error{b})`, want: "errors are what Equal may compare"},
		"our own":     {body: `return same(a, b)`, want: "errors are what same may compare"},
		"generic":     {body: `return first(a, b) == nil`},
		"any literal": {body: `return map[any]bool{a: true, b: true} == nil`, want: "an error is the key of a map"},
		"variable":    {body: `var x any = a; return x == nil`},
		"conversion":  {body: `return any(a) == any(b)`, want: "an error becomes a value of any type"},
		"argument":    {body: `box(a); var t any = 1; return reflect.TypeOf(t) == nil`, want: "an error becomes a value of any type"},
		"any values":  {body: `box(a); return len(map[any]bool{}) == 0`, want: "an error becomes a value of any type"},
		"panic":       {body: `panic(a)`},
		"converted":   {body: `return a == errConverted`, want: "errors are compared with =="},
		"element":     {body: `return a == errElement`, want: "errors are compared with =="},
		"copied":      {body: `return a == errCopied`, want: "errors are compared with =="},
		"literal":     {body: `return a == errLiteral`, want: "errors are compared with =="},
		"wrapped":     {body: `return a == errWrapped`},
		"with any":    {body: `var x any = 1; return x == a`, want: "errors are compared with =="},
		"any case":    {body: `var x any = 1; switch x { case b: return true }; return false`, want: "errors are compared in a switch"},
		"recovered":   {body: `defer func() { var x any; print(recover() == x) }(); panic(a)`, want: "an error becomes a value of any type"},
		"held":        {body: `box(*s); var x, y any; return x == y`, want: "an error becomes a value of any type"},
		"held key":    {body: `return map[any]bool{}[[1]error{a}]`, want: "an error is the key of a map"},
		"gathered":    {body: `logf("", a, b); var x, y any; return x == y`, want: "an error becomes a value of any type"},
		"opened":      {body: `first(a, b); return open(1, 2)`, want: "an error becomes a value of any type"},
		"lists":       {body: `return reflect.DeepEqual([]error{a}, []error{b})`, want: "reflect.DeepEqual is given an error"},
		"led to":      {body: `return reflect.DeepEqual(s, &state{b})`, want: "reflect.DeepEqual is given an error"},
		"no errors":   {body: `return reflect.DeepEqual([]func() error{}, map[string]int{})`},
		"unwrappers":  {body: `x, y := a.(unwrapper), b.(unwrapper); return x == y`, want: "errors are compared with =="},
		"spread":      {body: `var list []any; return fmt.Sprintf("%d %T", list...) == ""`, want: "fmt.Sprintf shows the types"},
		"other shown": {body: `return fmt.Sprintf("%T %v", 1, a) == ""`},
	} {
		if c.want == "" {
			harmless = append(harmless, c.body)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := toldApart(t, c.body); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %q, want %q", c.body, got, c.want)
			}
		})
	}
	t.Run("harmless", func(t *testing.T) {
		t.Parallel()
		if got := toldApart(t, harmless...); got != "" {
			t.Errorf("%q: %q", harmless, got)
		}
	})
}

// An error that stays a pointer of its own is told apart by its type alone.
func TestOwnErrorsToldApart(t *testing.T) {
	told := func(t *testing.T, bodies ...string) string {
		dir := t.TempDir()
		provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
		provetest.Write(t, dir, "x.go", []byte(toldApartSource(bodies)))
		return ownError.told(provetest.Load(t, dir))
	}
	for body, want := range map[string]string{
		`var v atomic.Value; v.Store(a); return true`:            "atomic.Value",
		`return reflect.DeepEqual(a, b)`:                         "reflect.DeepEqual is given an error",
		`return reflect.DeepEqual([]error{a}, []error{b})`:       "reflect.DeepEqual is given an error",
		`return fmt.Sprintf("%T", a) == ""`:                      "fmt.Sprintf shows the type",
		`box(a); var t any = 1; return reflect.TypeOf(t) == nil`: "an error becomes a value of any type",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if got := told(t, body); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", body, got, want)
			}
		})
	}
	harmless := []string{`return a != b`, `switch a { case io.EOF, b: return true }; return false`, `return errors.Is(a, b)`,
		`var m map[error]bool; return len(m) == 0`, `return map[any]bool{}[a]`, `return slices.Contains([]error{a}, b)`,
		`return *s == state{b}`, `return same(a, b)`, `return any(a) == any(b)`, `return open(a, b)`, `box(*s); return any(a) == b`,
		`defer func() { var x any; print(recover() == x) }(); panic(a)`}
	if got := told(t, harmless...); got != "" {
		t.Errorf("%q: %q", harmless, got)
	}
}

// toldApartSource is a package with a function of each body.
func toldApartSource(bodies []string) string {
	var imports, functions strings.Builder
	for i, body := range bodies {
		fmt.Fprintf(&functions, "\nfunc f%d(a, b error, s *state) bool {\n\t%s\n}\n", i, body)
	}
	body := functions.String()
	if strings.Contains(body, "open(") { // no harmless one: it tells values of any type apart
		body += "\nfunc open[T any](a, b T) bool { return any(a) == any(b) }\n"
	}
	for _, path := range []string{"errors", "fmt", "io", "reflect", "slices", "sync/atomic"} {
		if name := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(body, name+".") || name == "errors" || name == "fmt" {
			imports.WriteString("import \"" + path + "\"\n")
		}
	}
	return "package m\n" + imports.String() + `
var (
	errSmall       = errors.New("small")
	errLast  error = nil
	errMade        = made()

	errConverted = error(made())
	errElement   = []error{made()}[0]
	errCopied    = errMade
	errLiteral   error = &own{1}
	errWrapped   = fmt.Errorf("small: %w", errMade)
)

type own struct{ n int }

func (*own) Error() string { return "" }

type unwrapper interface{ Unwrap() error }

type errno int

func (errno) Error() string { return "" }

type state struct{ err error }

func made() error { return errors.New("made") }

func keep(*error) {}

func logf(string, ...any) {}

func box(any) {}

func same[T comparable](a, b T) bool { return a == b }

func first[T any](a, b T) T { return a }
` + body
}

// A string that unsafe makes of bytes changes with them: no error keeps one.
func TestUnsafeStrings(t *testing.T) {
	for expr, want := range map[string]bool{
		"unsafe.String(&b[0], len(b))":             true,
		"*(*string)(unsafe.Pointer(&b))":           true,
		"string(b) + fmt.Sprint(unsafe.Sizeof(b))": false,
	} {
		dir := t.TempDir()
		provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
		provetest.Write(t, dir, "x.go", []byte("package m\n\nimport (\n\t\"fmt\"\n\t\"unsafe\"\n)\n\nfunc f(s string) error {\n\treturn fmt.Errorf(\"bad %q\", s)\n}\n\n"+
			"func g(b []byte) error { return f("+expr+") }\n"))
		p := provetest.Load(t, dir)
		fn := p.Funcs["example.test/m.f"]
		_, why := proposeLazy(p, formattedErrors(p, fn, 0)[0])
		if (why != nil) != want {
			t.Errorf("%s: refusal %q, want one: %v", expr, why, want)
		}
	}
}

// Only frames that make the error themselves, or call what makes it, count.
func TestMakingPlaces(t *testing.T) {
	outside := func(fn string) model.Frame { return model.Frame{Func: fn, File: "/go/src/x.go", Line: 1} }
	at := func(line int) model.Frame { return model.Frame{Func: "m.f", File: "x.go", Line: line, Module: true} }
	for name, c := range map[string]struct {
		resource model.Resource
		stack    []model.Frame
		want     []int
	}{
		"below fmt":      {model.Allocs, []model.Frame{outside("errors.New"), outside("fmt.Errorf"), at(1), at(2)}, []int{1}},
		"boxed operand":  {model.Allocs, []model.Frame{outside("runtime.convT64"), at(1), at(2)}, []int{1}},
		"on the line":    {model.Allocs, []model.Frame{at(1), at(2)}, []int{1}},
		"elsewhere":      {model.Allocs, []model.Frame{outside("strconv.Quote"), at(1), at(2)}, nil},
		"time below fmt": {model.CPU, []model.Frame{outside("fmt.Errorf"), at(1), at(2)}, []int{1}},
		"other time":     {model.CPU, []model.Frame{at(1), at(2)}, nil},
		"time elsewhere": {model.CPU, []model.Frame{outside("runtime.memmove"), at(1), at(2)}, nil},
	} {
		var got []int
		first := slices.IndexFunc(c.stack, func(f model.Frame) bool { return f.Module })
		for _, p := range makingPlaces(model.Target{Resource: c.resource, At: c.stack[first].Pos(), Stack: c.stack}, "fmt.", "errors.") {
			got = append(got, p.Line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: lines %v, want %v", name, got, c.want)
		}
	}
}
