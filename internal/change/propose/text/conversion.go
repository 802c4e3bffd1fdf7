package text

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Conversion calls the twin of a function that takes a value as it is, so that
// it is not copied from a string into a []byte or back.
var Conversion = prove.Transformation{
	Name:     "conversion",
	Doc:      "A []byte made of a string, or a string of a []byte, only to be passed to a function that has a twin for the other type: the twin is called with the value itself. Of a string that is trimmed at once, only what is left is made. A loop over the runes of a string ranges over the string, and bytes that are joined with other texts are copied once.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "conversion", "BenchmarkCount", "allocs", "no copy of the text for each question about it", 0),
	// It looks at the calls on the target's line whose conversion allocates.
	Propose: prove.At(prove.Unless(func(t model.Target) bool { return !joins(t) }, prove.Near), func(s *prove.Site) {
		for e := range prove.On[*ast.BinaryExpr](s) {
			if w := joiningOf(s.Program, s.Fn, e); w != nil {
				ch, why := proposeJoining(w)
				s.Add(prove.Short(types.ExprString(e))+" copies its parts twice", ch, why)
			}
		}
		if !converts(s.Target) {
			return
		}
		for _, v := range convertingsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeConversion(s.Program, v)
			s.Add(types.ExprString(v.conv)+" copies", ch, why)
		}
		for _, conv := range runesAt(s.Program, s.Fn, s.At.Line) {
			ch, why := rangeOverText(s.Program, s.Fn, conv)
			s.Add(types.ExprString(conv)+" copies", ch, why)
		}
	}),
}

// A converting is a call with an argument that is converted for it.
type converting struct {
	fn     *prove.Function
	call   *ast.CallExpr
	target *types.Func // nil for append
	index  int         // of the argument
	conv   *ast.CallExpr
	toText bool // it is []byte(s), and the twin takes a string
}

// converts reports whether a target's reason, where it has one, is a
// conversion: most conversions are free.
func converts(t model.Target) bool {
	switch t.Reason.Kind {
	case "", model.ReasonConversion, model.ReasonOutside: // outside: in the Sprintf that is converted
		return true
	}
	return len(t.Notes) > 0 && prove.OnHeap(t, model.Pos{}, func(n model.Note) bool {
		return strings.Contains(n.Message, "[]byte)(") || strings.Contains(n.Message, "[]rune)(") || strings.HasPrefix(n.Message, "string(")
	})
}

func convertingsAt(p *prove.Program, fn *prove.Function, line int) []converting {
	var found []converting
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if !p.Covers(call, line) {
			continue
		}
		if fn.Info().Types[call.Fun].IsType() {
			continue
		}
		target := code.Callee(fn.Info(), call)
		if target == nil && code.Builtin(fn.Info(), call) != "append" {
			continue
		}
		for i, a := range call.Args {
			text, data := code.Converted(fn.Info(), a)
			if text == nil && data == nil || !p.Covers(a, line) {
				continue
			}
			v := converting{fn, call, target, i, ast.Unparen(a).(*ast.CallExpr), text != nil}
			if v.hasTwin() {
				found = append(found, v)
				break // the twin takes all of them
			}
		}
	}
	return found
}

func (v converting) hasTwin() bool {
	if v.target == nil {
		return v.index == 1 && v.call.Ellipsis.IsValid()
	}
	return v.sprint() != nil || v.writer() || v.twin() != ""
}

// sprint returns the fmt.Sprint call in w.Write([]byte(fmt.Sprint…)), or nil.
func (v converting) sprint() *ast.CallExpr {
	if !v.toText || v.target.Name() != "Write" || !isWriter(v.receiver()) {
		return nil
	}
	call, ok := ast.Unparen(v.conv.Args[0]).(*ast.CallExpr)
	if !ok || appendfTwins[fullName(v.fn, call)].write == "" {
		return nil
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok {
		return nil
	}
	return call
}

// receiver returns the static type that a method is called on, nil for a
// function.
func (v converting) receiver() types.Type {
	sel, ok := ast.Unparen(v.call.Fun).(*ast.SelectorExpr)
	if !ok || v.target.Signature().Recv() == nil {
		return nil
	}
	return v.fn.Info().TypeOf(sel.X)
}

// isWriter reports whether values of t are io.Writers as they are.
func isWriter(t types.Type) bool {
	if t == nil {
		return false
	}
	obj, _, indirect := types.LookupFieldOrMethod(t, false, nil, "Write")
	fn, ok := obj.(*types.Func)
	return ok && !indirect && code.SignatureOf(fn.Signature()) == "([]byte) (int, error)"
}

// textWriters are the types whose WriteString writes as Write does.
var textWriters = map[string]bool{
	"bytes.Buffer": true, "strings.Builder": true, "bufio.Writer": true, "os.File": true, "hash/maphash.Hash": true,
	"net/http/httptest.ResponseRecorder": true, "github.com/cespare/xxhash/v2.Digest": true, "github.com/zeebo/xxh3.Hasher": true,
	"github.com/valyala/bytebufferpool.ByteBuffer": true,
}

// writer reports whether the call writes to a writer that has both Write and
// WriteString, or may have.
func (v converting) writer() bool {
	if v.target.FullName() == "io.WriteString" {
		return !v.toText && v.index == 1
	}
	t := v.receiver()
	if t == nil || v.toText != (v.target.Name() == "Write") || !v.toText && v.target.Name() != "WriteString" {
		return false
	}
	if strings.HasPrefix(typeName(t), "hash.") {
		return false // hashes take no strings
	}
	return textWriters[typeName(t)] || v.toText && types.IsInterface(t) && isWriter(t)
}

// typeName returns path.Name of a named type or of what a pointer points to.
func typeName(t types.Type) string {
	n, ok := types.Unalias(code.Pointee(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// sameInBoth are the functions that packages bytes and strings share and that
// return no part of their arguments.
const sameInBoth = " Contains ContainsRune Count EqualFold HasPrefix HasSuffix Index IndexByte IndexRune LastIndex LastIndexByte Compare "

// trims are the functions that packages bytes and strings share and that return a part of the first argument.
const trims = " TrimSpace Trim TrimLeft TrimRight TrimPrefix TrimSuffix "

// trimmed reports whether the call returns a part of a string that is made of a []byte: the part alone can be made.
func (v converting) trimmed() bool {
	if v.target == nil || v.toText || v.index != 0 {
		return false
	}
	fn, ok := strings.CutPrefix(v.target.FullName(), "strings.")
	return ok && strings.Contains(trims, " "+fn+" ")
}

// textTwins maps functions and methods on []byte to those on strings.
var textTwins = map[string]string{
	"unicode/utf8.DecodeRune": "DecodeRuneInString", "unicode/utf8.DecodeLastRune": "DecodeLastRuneInString",
	"unicode/utf8.FullRune": "FullRuneInString", "unicode/utf8.RuneCount": "RuneCountInString", "unicode/utf8.Valid": "ValidString",
	"regexp.Match": "MatchString", "(*regexp.Regexp).Match": "MatchString", "(*regexp.Regexp).FindIndex": "FindStringIndex",
	"hash/maphash.Bytes": "String", "github.com/cespare/xxhash/v2.Sum64": "Sum64String", "github.com/cespare/xxhash.Sum64": "Sum64String",
	"github.com/zeebo/xxh3.Hash": "HashString", "github.com/OneOfOne/xxhash.Checksum64": "ChecksumString64", "github.com/tidwall/gjson.ValidBytes": "Valid",
	"(*regexp.Regexp).FindAllIndex": "FindAllStringIndex", "(*regexp.Regexp).FindSubmatchIndex": "FindStringSubmatchIndex",
	"(*regexp.Regexp).FindAllSubmatchIndex": "FindAllStringSubmatchIndex",
}

// toInterface reports whether what the call returns goes at once to a parameter that is an interface.
func (v converting) toInterface() bool {
	outer, ok := v.fn.File.Parent(v.call).(*ast.CallExpr)
	if !ok || outer.Fun == v.call {
		return false
	}
	to, own := code.Takes(v.fn.Info().TypeOf(outer.Fun), outer, slices.Index(outer.Args, ast.Expr(v.call)))
	return own && types.IsInterface(to)
}

// twin returns the name of the function that takes the other type, in the
// same package or in its twin; "" if there is none.
func (v converting) twin() string {
	name := v.target.FullName()
	if pkg, fn, ok := strings.Cut(name, "."); ok && (pkg == "bytes") == v.toText && (pkg == "bytes" || pkg == "strings") &&
		strings.Contains(sameInBoth, " "+fn+" ") {
		return fn
	}
	if v.trimmed() || v.toText && name == "bytes.NewReader" && v.toInterface() {
		return v.target.Name()
	}
	if v.toText {
		return textTwins[name]
	}
	head := strings.TrimSuffix(name, v.target.Name())
	for from, to := range textTwins {
		if stem := from[:strings.LastIndexByte(from, '.')+1]; stem == head && to == v.target.Name() {
			return from[len(stem):]
		}
	}
	return ""
}
