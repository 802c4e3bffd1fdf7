package invariantpath

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// callsIn says what is known of the calls in the loop.
func (s *site) callsIn() calls {
	worst := known
	ast.Inspect(s.loop.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.FuncLit:
			worst = max(worst, unknown)
		case *ast.RangeStmt:
			if _, iterates := s.p.TypesInfo.TypeOf(n.X).Underlying().(*types.Signature); iterates {
				worst = max(worst, unknown)
			}
		case *ast.SelectStmt:
			worst = hostile
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				worst = hostile
			}
		case *ast.CallExpr:
			worst = max(worst, s.classify(n))
		}
		return true
	})
	return worst
}

// removers are functions after which a directory need not be there any more, or
// a relative path means another one.
var removers = map[string]bool{
	"os.Remove": true, "os.RemoveAll": true, "os.Rename": true, "os.Chdir": true, "os.File.Chdir": true,
	"os.StartProcess": true, "time.Sleep": true, "testing.common.Chdir": true,
}

// harmless are packages of the standard library whose functions remove
// nothing themselves.
var harmless = map[string]bool{
	"strings": true, "strconv": true, "fmt": true, "errors": true, "path": true, "path/filepath": true, "bytes": true, "sort": true,
	"slices": true, "maps": true, "math": true, "unicode": true, "unicode/utf8": true, "bufio": true, "io": true, "io/fs": true,
	"encoding/json": true, "encoding/csv": true, "encoding/hex": true, "encoding/binary": true, "encoding/base64": true,
	"compress/gzip": true, "archive/zip": true, "archive/tar": true, "log": true, "log/slog": true, "time": true, "os": true,
	"crypto/sha256": true, "crypto/sha1": true, "crypto/md5": true, "hash/crc32": true,
}

func (s *site) classify(call *ast.CallExpr) calls {
	if tv, ok := s.p.TypesInfo.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return known
	}
	f, ok := typeutil.Callee(s.p.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil {
		if ok && f.FullName() == "(error).Error" {
			return known
		}
		return unknown
	}
	pkg := f.Pkg().Path()
	switch {
	case removers[code.FullName(f)], pkg == "os/exec", pkg == "syscall":
		return hostile
	case removal(f.Name()):
		return hostile // of the program, by its name
	case !harmless[pkg] || code.IsInterfaceMethod(f):
		return unknown
	}
	for _, arg := range call.Args {
		if !s.quiet(s.p.TypesInfo.TypeOf(arg)) {
			return unknown
		}
	}
	return known
}

// removal reports whether a function's name says that it takes things away.
func removal(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"remove", "delete", "rename", "cleanup", "clear", "reset", "chdir", "purge", "prune", "sleep", "wait"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// quiet reports whether a value of this type cannot bring code of the program
// into a function of the standard library: no function, and no interface or
// type with methods from elsewhere.
func (s *site) quiet(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Pointer:
		return s.quiet(t.Elem())
	case *types.Slice:
		return s.quiet(t.Elem())
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return true // error
		}
		return harmless[t.Obj().Pkg().Path()] && !types.IsInterface(t)
	}
	return false
}
