package lockosthread

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// indifferent are packages whose functions run on any thread and call nothing
// but the functions they are given.
var indifferent = []string{
	"math", "math/bits", "math/cmplx", "strings", "strconv", "bytes", "unicode", "unicode/utf8", "unicode/utf16", "errors", "cmp", "slices", "maps",
	"sync", "sync/atomic", "time", "hash/fnv", "hash/crc32", "hash/crc64", "hash/adler32", "encoding/binary", "encoding/hex", "encoding/base64",
	"container/list", "container/ring", "runtime", "context", "crypto/sha256", "crypto/sha1", "crypto/md5", "crypto/sha512",
}

// A reader follows calls within the package.
type reader struct {
	p     *rule.Pass
	decls map[*types.Func]*ast.FuncDecl
	seen  map[*types.Func]bool // what is known; false while it is not
}

func newReader(p *rule.Pass) *reader {
	r := &reader{p: p, decls: map[*types.Func]*ast.FuncDecl{}, seen: map[*types.Func]bool{}}
	for _, file := range p.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if f, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					r.decls[f] = fd
				}
			}
		}
	}
	return r
}

// free reports whether all that a body can call is known, and none of it can
// care for the thread.
func (r *reader) free(b *ast.BlockStmt) bool {
	if b == nil {
		return false // assembly, or linked to another name
	}
	return !code.Any(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !r.call(n)
		case *ast.RangeStmt:
			_, function := r.p.TypesInfo.TypeOf(n.X).Underlying().(*types.Signature)
			return function
		}
		return false
	})
}

func (r *reader) call(call *ast.CallExpr) bool {
	if r.p.TypesInfo.Types[call.Fun].IsType() {
		return true
	}
	if _, lit := ast.Unparen(call.Fun).(*ast.FuncLit); lit {
		return r.literals(call)
	}
	switch typeutil.Callee(r.p.TypesInfo, call).(type) {
	case *types.Builtin:
		return true
	}
	f := typeutil.StaticCallee(r.p.TypesInfo, call)
	if f == nil || f.Pkg() == nil || !r.literals(call) {
		return false
	}
	if f.Pkg() != r.p.Pkg {
		return slices.Contains(indifferent, f.Pkg().Path()) && !callsBack(f)
	}
	f = f.Origin()
	if known, ok := r.seen[f]; ok {
		return known
	}
	r.seen[f] = true // for calls of itself
	fd := r.decls[f]
	r.seen[f] = fd != nil && r.free(fd.Body)
	return r.seen[f]
}

// callsBack reports whether a function calls methods of what it is given, or
// sync.Pool's New.
func callsBack(f *types.Func) bool {
	for v := range f.Signature().Params().Variables() {
		if i, ok := v.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
			return true
		}
	}
	return f.FullName() == "(*sync.Pool).Get"
}

// literals reports whether each function that a call is given is a literal
// written there, whose body is read with the rest.
func (r *reader) literals(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		t := r.p.TypesInfo.TypeOf(arg)
		if t == nil {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Signature:
			if _, lit := ast.Unparen(arg).(*ast.FuncLit); !lit {
				return false
			}
		}
	}
	return true
}
