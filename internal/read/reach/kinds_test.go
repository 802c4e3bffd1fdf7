package reach

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A kind is a package whose Op a benchmark calls, in two states: of
// «before»after» each has one half. The first file is k.go; others follow a
// line with their name.
type kind struct{ name, src string }

// What can change what a program does, or what it costs.
var changing = []kind{
	{"a string of the same length", `func Op() any { return "«hello»hallo»"[f()] }; func f() int { return 1 }`},
	{"a longer string", `func Op() any { return "«short»a longer one»" }`},
	{"a regular expression", `import "regexp"; func Op() any { return regexp.MustCompile("«^[a-z]+[0-9]{3}$»(a|b|c|.)*[0-9]$»") }`},
	{"a table", `var t = [...]int{1, 2, «3»4»}; func Op() any { return t[:] }`},
	{"a table that is not written to", `func Op() any { return [...]int{1, 2, 3, 4, 5, 6, 7, 8, «9»10»} }`},
	{"a table of strings", `var t = []string{"a", "«b»c»"}; func Op() any { return t }`},
	{"tables in tables", `var t = [][]*string{{&s}}; var s = "«a»b»"; func Op() any { return t }`},
	{"a variable's initial value", `var n = «true»false»; func Op() any { return n }`},
	{"a variable of another package", "import \"m/PKG/dep\"; func Op() any { return dep.V }\n-- dep/dep.go --\npackage dep; var V = «1»2»"},
	{"a constant of another package", "import \"m/PKG/dep\"; func Op() any { return dep.C }\n-- dep/dep.go --\npackage dep; const C = «1»2»"},
	{"an inlined function of another package", "import \"m/PKG/dep\"; func Op() any { return dep.F(f()) }; func f() int { return 3 }\n-- dep/dep.go --\npackage dep; func F(n int) int { return n «+»-» 1 }"},
	{"an embedded string", "import _ \"embed\"\n//go:embed data\nvar s string\nfunc Op() any { return s }\n-- data --\n«one»two»"},
	{"embedded bytes", "import _ \"embed\"\n//go:embed data\nvar s []byte\nfunc Op() any { return s }\n-- data --\n«one»two»"},
	{"an embedded directory", "import \"embed\"\n//go:embed dir\nvar s embed.FS\nfunc Op() any { return s }\n-- dir/data --\n«one»two»"},
	{"an embedded file's name", "import \"embed\"\n//go:embed dir\nvar s embed.FS\nfunc Op() any { return s }\n-- dir/«one»two» --\ndata"},
	{"a large embedded file", "import _ \"embed\"\n//go:embed data\nvar s string\nfunc Op() any { return s }\n-- data --\n" + strings.Repeat("0123456789", 500) + "«one»two»"},
	{"an error's text", `import "errors"; func Op() any { return errors.New("«not found»not there»") }`},
	{"a panic's text", `var n int; func Op() any { if n > 1 { panic("«one»two»") }; return n }`},
	{"a format", `import "fmt"; func Op() any { return fmt.Sprintf("%«d»x»", f()) }; func f() int { return 3 }`},
	{"a float constant", `func Op() any { return f(2) * «1.5»1.25» }; func f(x float64) float64 { return x }`},
	{"a small constant", `var n = 3; func Op() any { return n << «2»3» }`},
	{"a duration", `import "time"; func Op() any { return time.Duration(«1»2») * time.Second }`},
	{"iota", `const ( a = iota «»+ 1»; b ); func Op() any { return f(b) }; func f(n int) int { return n }`},
	{"the cases of a jump table", `var n = 3; func Op() any { switch n { case 0: return "a"; case 1: return "b"; case 2: return "c"; case 3: return "«d»x»"; case 4: return "e"; case 5: return "f"; case 6: return "g"; case 7: return "h"; case 8: return "i" }; return nil }`},
	{"the order of a jump table", `var n, s = 3, 0; func g(n int) { s = n }; func Op() any { switch n { case «0»1»: g(10); case «1»0»: g(11); case 2: g(12); case 3: g(13); case 4: g(14); case 5: g(15); case 6: g(16); case 7: g(17); case 8: g(18) }; return nil }`},
	{"a switch over strings", `var s = "x"; func Op() any { switch s { case "«a»b»": return 1; case "cc": return 2; case "ccc": return 3 }; return nil }`},
	{"a switch over types", `var v any = 1; func Op() any { switch v.(type) { case int: return 1; case «string»[]byte»: return 2; case error: return 3 }; return nil }`},
	{"an assertion's interface", `var v any = 1; func Op() any { _, ok := v.(interface{ «A»B»() }); return ok }`},
	{"a generic function", `func sum[T int | float64](l ...T) (t T) { for _, v := range l { t += v * «2»3» }; return t }; func Op() any { return sum(1.5, 2) }`},
	{"an instance's type", `func sum[T int | float64](l ...T) (t T) { for _, v := range l { t += v }; return t }; func Op() any { return sum[«int»float64»](1, 2) }`},
	{"a type in a dictionary", `import "fmt"; type A struct{ n int }; type B struct{ n int }; func name[T any](t T) string { return fmt.Sprintf("%T", t) }; func Op() any { return name(«A»B»{}) }`},
	{"a method that satisfies an interface", `type T int; «»func (T) String() string { return "t" }; »func Op() any { return T(1) }`},
	{"a method behind an interface", `type I interface{ M() int }; type T int; func (t *T) M() int { return int(*t) «+»-» 7 }; var i I = new(T); func Op() any { return i.M() }`},
	{"which type is behind an interface", `type I interface{ M() int }; type A int; type B int; func (t A) M() int { return 1 }; func (t B) M() int { return 2 }; var i I = «A»B»(1); func Op() any { return i.M() }`},
	{"the order of an interface's methods", `type I interface{ M() int; «N»L»() int }; type T int; func (T) M() int { return 1 }; func (T) «N»L»() int { return 2 }; var i I = T(1); func Op() any { return i.M() }`},
	{"a method that reflection calls", `import "reflect"; type T int; func (T) M() int { return «1»2» }; func Op() any { return reflect.ValueOf(T(1)).MethodByName("M").Call(nil) }`},
	{"a method value", `type T struct{ n int }; func (t *T) add(n int) int { t.n «+=»-=» n; return t.n }; var t T; func apply(f func(int) int) int { return f(2) }; func Op() any { return apply(t.add) }`},
	{"a closure", `func mk(k int) func(int) int { return func(n int) int { return n + k + «11»12» } }; var f = mk; func Op() any { return f(1)(2) }`},
	{"what a closure captures", `func mk(a, b int) func() int { return func() int { return «a»b» } }; var f = mk; func Op() any { return f(1, 2)() }`},
	{"a function in a variable", `func a() int { return 1 }; func b() int { return 2 }; var f = «a»b»; func Op() any { return f() }`},
	{"a function literal in a variable", `var f = func() int { return «1»2» }; func Op() any { return f() }`},
	{"functions in a table", `func a() int { return 1 }; func b() int { return 2 }; var t = map[bool][]func() int{}; var l = []func() int{a, «a»b»}; func Op() any { return l[1]() }`},
	{"a deferred call", `var n int; func Op() any { defer func() { n += «1»2» }(); return n }`},
	{"a goroutine", `var c = make(chan int, 1); func Op() any { go func() { c <- «1»2» }(); return <-c }`},
	{"a range over a function", `func seq(yield func(int) bool) { for i := range «3»4» { if !yield(i) { return } } }; func Op() any { n := 0; for i := range seq { n += i }; return n }`},
	{"a struct tag", "type T struct{ N int `json:\"«a»b»\"` }; func Op() any { return T{} }"},
	{"a field's name", `type T struct{ «N»M» int }; func Op() any { return T{} }`},
	{"a type's name", `type «T»U» struct{ N int }; func Op() any { return «T»U»{} }`},
	{"the order of fields", `type T struct { «a int8; b int64; c int8»a, c int8; b int64» }; func Op() any { return new(T) }`},
	{"a field more", `type T struct { a int«»; b [100]byte» }; func Op() any { return new(T) }`},
	{"pointers for the collector", `import "unsafe"; const _ = unsafe.Sizeof(1); type T struct { a, b «uintptr»unsafe.Pointer» }; var p *T; func Op() any { p = new(T); return p.a == p.b }`},
	{"the size of a variable", `var t [«64»128»]byte; func Op() any { return &t }`},
	{"pointers in a variable", `import "unsafe"; var t [64]«uintptr»unsafe.Pointer»; func Op() any { return uintptr(unsafe.Pointer(&t)) }`},
	{"unsafe.Sizeof", `import "unsafe"; type T struct { a int«»; b int» }; func Op() any { return unsafe.Sizeof(T{}) + f() }; func f() uintptr { return 1 }`},
	{"go:linkname", "import _ \"unsafe\"; import _ \"m/PKG/dep\"\n//go:linkname hidden m/PKG/dep.hidden\nfunc hidden() int\nfunc Op() any { return hidden() }\n-- empty.s --\n-- dep/dep.go --\npackage dep; import _ \"unsafe\"\n//go:linkname hidden\nfunc hidden() int { return «1»2» }"},
	{"go:noinline", "\n«//»//go:noinline»\nfunc f(n int) int { return n + 1 }\nvar n = 1\nfunc Op() any { return f(n) }"},
	{"how long a value is kept", `import "runtime"; const _ = runtime.GOOS; var n int; func g() { n++ }; func h(any) { n++ }; func mk() any { return &n }; var G, H, M = g, h, mk; func Op() any { p := M(); G(); H(p); G(); «»runtime.KeepAlive(p);» return nil }`},
	{"a file's build tag", "func Op() any { return f() }\n-- one.go --\n//go:build «!»»ignore\n\npackage k; func f() int { return 1 }\n-- two.go --\n//go:build «»!»ignore\n\npackage k; func f() int { return 2 }"},
	{"another library function", `import "strings"; var s = "x"; func Op() any { return strings.«Index»LastIndex»(s, "y") }`},
	{"two variables become one", `type T struct{ n int }; var a = &T{4}; var b = «&T{4}»a»; func Op() any { a.n++; return b.n }`},
	{"a map literal in a function", `func Op() any { return map[string]int{"a": 1, "b": «2»3»} }`},
	{"assembly", "func f() int; func Op() any { return f() }\n-- f_amd64.s --\n#include \"textflag.h\"\nTEXT ·f(SB), NOSPLIT, $0-8\n\tMOVQ $«7»8», AX\n\tMOVQ AX, ret+0(FP)\n\tRET"},
	{"assembly data", "func f() int; func Op() any { return f() }\n-- f_amd64.s --\n#include \"textflag.h\"\nDATA ·t+0(SB)/8, $«7»8»\nGLOBL ·t(SB), RODATA, $8\nTEXT ·f(SB), NOSPLIT, $0-8\n\tMOVQ ·t(SB), AX\n\tMOVQ AX, ret+0(FP)\n\tRET"},
}

// What cannot.
var same = []kind{
	{"a comment", "func Op() any { return 1 }; var n = 2\n//« one» two\n// lines»\nfunc Op2() any { return n }"},
	{"lines", "«»\n\n\n»func Op() any { «return n»\nreturn n\n» }; var n = 1"},
	{"a panic on another line", "«»\n\n»func Op() any { if n > 3 { «»\n\n»panic(\"x\") }; return l[n] }; var n = 1; var l []int"},
	{"a line that runtime.Caller tells", `import "runtime"; func Op() any { «»/* */ »_, _, n, _ := runtime.Caller(0); return n }`},
	{"an inlined function on another line", "«»\n\n\n»func f(n int) int { return n * 3 }; var n = 2; func Op() any { return f(n) }"},
	{"a local's name", `var v = 3; func Op() any { «n»count» := v; for i := range 10 { «n»count» += i }; return «n»count» }`},
	{"a parameter's name", `func f(«n»count» int) int { return «n»count» + 1 }; func Op() any { return f(2) }`},
	{"a receiver's name", `type T int; func («t»x» T) M() int { return int(«t»x») }; func Op() any { return T(1) }`},
	{"a result's name", `var v = 3; func f() («n»count» int) { «n»count» = v; return }; func Op() any { return f() }`},
	{"a label's name", `var v = 3; func Op() any { n := 0; «outer»all»: for i := range v { for j := range v { n++; if i*j > 3 { break «outer»all» } } }; return n }`},
	{"an import's name", `import «»str» "strings"; var v = "x"; func Op() any { return «strings»str».ToUpper(v) }`},
	{"a constant's name", `const «a»b» = 3; var v = 3; func Op() any { return v * «a»b» }`},
	{"a constant's spelling", `var v = 3; func Op() any { return v * «16»(1 << 4)» }`},
	{"a string's spelling", `func Op() any { return «"one two"»"one " + "two"» }`},
	{"parentheses", `var v = 3; func Op() any { return «v*3 + 1»(v * 3) + 1» }`},
	{"a function moves within its file", "«func g() int { return v + 1 }\n»»func h() int { return v + 2 }\n«»func g() int { return v + 1 }\n»var v = 3; func Op() any { return g() * h() }"},
	{"methods in another order", "type T int\n«func (t T) A() int { return 1 }\n»»func (t T) B() int { return 2 }\n«»func (t T) A() int { return 1 }\n»func Op() any { return T(1) }"},
	{"a function moves to another file", "«func g() int { return v + 1 }; »»var v = 3; func Op() any { return g() }\n-- g.go --\npackage k\n«»func g() int { return v + 1 }»"},
	{"variables in another order", "«var a = []int{1, 2}»var b = []string{\"x\"}»\n«var b = []string{\"x\"}»var a = []int{1, 2}»\nfunc Op() any { return len(a) + len(b[0]) }"},
	{"closures in another order", "func f(g func() int) int { return g() }; var v = 1\n«func a() int { return f(func() int { return v + 1 }) }\n»»func b() int { return f(func() int { return v + 2 }) }\n«»func a() int { return f(func() int { return v + 1 }) }\n»func Op() any { return a() + b() }"},
	{"a file's name", "func Op() any { return g() }\n-- «one»two».go --\npackage k; func g() int { return v + 1 }; var v = 3"},
	{"an embedded string's file", "import _ \"embed\"\n//go:embed «one»two»\nvar s string\nfunc Op() any { return s }\n-- «one»two» --\ndata"},
	{"a type parameter's name", `func f[«T»E» any](v «T»E») «T»E» { return v }; func Op() any { return f(3) }`},
	{"a function that nothing reaches", `func Op() any { return v }; var v = 3; func other() int { return v * «3»4» }; var used = []int{1, «2»3»}`},
	{"a function more, with closures and tables", `func Op() any { return l }; var l = []*int{new(int)}; «»func other() any { return []any{func() int { return 3 }, []string{"a"}, &struct{ n int }{4}} }»`},
	{"a type that nothing reaches", `func Op() any { return v }; var v = 3; type other struct { a «int»string» }; func (other) String() string { return "«a»b»" }`},
	{"assembly on other lines", "func f() int; func Op() any { return f() }\n-- f_amd64.s --\n#include \"textflag.h\"\n«»// A comment.\n\n»TEXT ·f(SB), NOSPLIT, $0-8\n\tMOVQ $7, AX\n\tMOVQ AX, ret+0(FP)\n\tRET"},
}

var halves = regexp.MustCompile(`«([^»]*)»([^»]*)»`)

// states returns the module with all kinds before and after.
func states(kinds []kind) (module [2]map[string]string) {
	for i := range module {
		files := map[string]string{"go.mod": "module m\n\ngo 1.24\n"}
		imports, bodies := "", ""
		for n, k := range kinds {
			dir := fmt.Sprintf("k%02d", n)
			src := halves.ReplaceAllString(strings.ReplaceAll(k.src, "PKG", dir), fmt.Sprintf("$%d", i+1))
			for f, part := range strings.Split("\n-- k.go --\npackage k; "+src, "\n-- ") {
				if name, text, ok := strings.Cut(part, " --\n"); ok && f > 0 {
					files[path.Join(dir, name)] = text + "\n"
				}
			}
			imports += fmt.Sprintf("\t%s \"m/%s\"\n", dir, dir)
			bodies += fmt.Sprintf("func BenchmarkK%02d(b *testing.B) { for range b.N { sink = %s.Op() } }\n", n, dir)
		}
		files["m.go"] = "package m\n"
		files["m_test.go"] = "package m\n\nimport (\n\t\"testing\"\n" + imports + ")\n\nvar sink any\n\n" + bodies
		module[i] = files
	}
	return module
}

// All kinds are in one program, in two states of it: whether a benchmark
// changed, and what changed in the whole, is told for each alone.
func TestKinds(t *testing.T) { testKinds(t) }

func testKinds(t *testing.T, env ...string) {
	kinds := append(append([]kind(nil), changing...), same...)
	module := states(kinds)
	var r Reader
	var code [2]*Code
	for i := range code {
		dir := t.TempDir() // the checkout's path does not matter either
		write(t, dir, module[i])
		g := open(t, dir, env...)
		code[i] = objects(t, &r, g, here(t, g), gocmd.BuildOpts{})
	}
	all := code[1].differs(code[0])
	for n, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			if strings.Contains(k.src, "_amd64.s") && runtime.GOARCH != "amd64" {
				t.Skip("the assembly is for amd64")
			}
			var mine []string
			for _, name := range all {
				if strings.Contains(strings.ToLower(name), fmt.Sprintf("k%02d", n)) {
					mine = append(mine, name)
				}
			}
			want := n < len(changing)
			if got := len(mine) > 0; got != want {
				t.Errorf("of all that is linked, changed %v, want %v: %q", got, want, mine)
			}
			d := code[1].Changed(code[0], fmt.Sprintf("BenchmarkK%02d", n))
			if got := len(d.Changed) > 0; got != want {
				t.Errorf("of what the benchmark reaches, changed %v, want %v: %q", got, want, d.Changed)
			}
		})
	}
}
