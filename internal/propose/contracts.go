package propose

import (
	"go/types"
	"strings"
)

// A contract is what the documentation of functions outside the main module
// promises about the slices they are given. Every contract promises that none
// is kept after the call; appendTo and alias say where one comes back.
type contract struct {
	pkg   string // import path; "" matches by signature wherever it is declared
	recv  string // receiver's type name, "*" for any method, "" for functions
	names string // space-separated; a trailing * matches any ending
	sig   string // parameter and result types, for pkg == ""
	says  string

	appends  bool // parameter 0 is a destination that result 0 extends: append style
	full     bool // the result is never empty
	bound    int  // the result extends the destination by at most so many bytes, in practice; 0 is unknown
	alias    bool // result 0 may alias parameter 0
	variadic bool // values in the variadic part are not kept either
}

// contracts is checked from top to bottom. Sources: the packages' documentation,
// Go 1.26, and golang.org/x/crypto v0.22.
var contracts = []contract{
	{recv: "*", names: "Write", sig: "([]byte) (int, error)", says: "io.Writer: Write must not retain p"},
	{recv: "*", names: "WriteAt", sig: "([]byte, int64) (int, error)", says: "io.WriterAt: WriteAt must not retain p"},
	{recv: "*", names: "Read", sig: "([]byte) (int, error)", says: "io.Reader: Read must not retain p"},
	{recv: "*", names: "ReadAt", sig: "([]byte, int64) (int, error)", says: "io.ReaderAt: ReadAt must not retain p"},
	{pkg: "io", names: "ReadFull ReadAtLeast", says: "io.ReadFull and io.ReadAtLeast read into buf by io.Reader's contract"},
	{pkg: "hash", recv: "*", names: "Sum", appends: true, full: true, bound: 64, says: "hash.Hash: Sum appends the hash to b and returns the slice"},
	{pkg: "crypto/cipher", recv: "AEAD", names: "Seal", appends: true, full: true,
		says: "cipher.AEAD: Seal appends to dst; nonce, plaintext and additional data are inputs of the call"},
	{pkg: "crypto/cipher", recv: "AEAD", names: "Open", appends: true,
		says: "cipher.AEAD: Open appends to dst; nonce, ciphertext and additional data are inputs of the call"},
	{pkg: "crypto/cipher", recv: "Block", names: "Encrypt Decrypt", says: "cipher.Block works from src into dst within the call"},
	{pkg: "crypto/cipher", recv: "*", names: "XORKeyStream CryptBlocks", says: "cipher.Stream and cipher.BlockMode work from src into dst within the call"},
	{pkg: "golang.org/x/crypto/chacha20", recv: "*", names: "XORKeyStream", says: "cipher.Stream works from src into dst within the call"},
	{pkg: "crypto/hmac", names: "Equal", says: "hmac.Equal compares its arguments"},
	{pkg: "crypto/subtle", names: "*", says: "crypto/subtle works on its arguments within the call"},
	{pkg: "crypto/rand", names: "Read", says: "rand.Read fills its argument"},
	{pkg: "math/rand", names: "Read", says: "rand.Read fills its argument"},
	{pkg: "crypto/sha256", names: "Sum*", says: "Sum256 returns the checksum of its argument"},
	{pkg: "crypto/sha512", names: "Sum*", says: "Sum512 returns the checksum of its argument"},
	{pkg: "crypto/sha1", names: "Sum", says: "sha1.Sum returns the checksum of its argument"},
	{pkg: "crypto/md5", names: "Sum", says: "md5.Sum returns the checksum of its argument"},
	{pkg: "hash/crc32", names: "Checksum* Update", says: "hash/crc32 returns the checksum of its argument"},
	{pkg: "hash/crc64", names: "Checksum* Update", says: "hash/crc64 returns the checksum of its argument"},
	{pkg: "hash/adler32", names: "Checksum", says: "hash/adler32 returns the checksum of its argument"},
	{pkg: "hash/maphash", names: "Bytes", says: "maphash.Bytes returns the hash of its argument"},
	{pkg: "encoding/binary", recv: "*", names: "Append*", appends: true, full: true, says: "binary.AppendByteOrder appends to its argument"},
	{pkg: "encoding/binary", recv: "*", names: "Put* Uint*", says: "binary.ByteOrder reads and writes its argument within the call"},
	{pkg: "encoding/binary", names: "AppendUvarint AppendVarint", appends: true, full: true, says: "encoding/binary appends to its argument"},
	{pkg: "encoding/binary", names: "Put* Uvarint Varint", says: "encoding/binary reads and writes its argument within the call"},
	{pkg: "strconv", names: "AppendInt AppendUint", appends: true, full: true, bound: 65, says: "strconv.Append functions append to dst and return it"},
	{pkg: "strconv", names: "Append*", appends: true, full: true, says: "strconv.Append functions append to dst and return it"},
	{pkg: "unicode/utf8", names: "AppendRune", appends: true, full: true, says: "utf8.AppendRune appends to its argument"},
	{pkg: "unicode/utf8", names: "*", says: "unicode/utf8 looks at its argument within the call"},
	{pkg: "encoding/hex", names: "AppendEncode AppendDecode", appends: true, says: "encoding/hex appends to dst and returns it"},
	{pkg: "encoding/hex", names: "Encode Decode EncodeToString Dump", says: "encoding/hex works from src into dst within the call"},
	{pkg: "encoding/base64", recv: "Encoding", names: "AppendEncode AppendDecode", appends: true, says: "encoding/base64 appends to dst and returns it"},
	{pkg: "encoding/base64", recv: "Encoding", names: "Encode Decode EncodeToString", says: "encoding/base64 works from src into dst within the call"},
	{pkg: "encoding/base32", recv: "Encoding", names: "AppendEncode AppendDecode", appends: true, says: "encoding/base32 appends to dst and returns it"},
	{pkg: "encoding/base32", recv: "Encoding", names: "Encode Decode EncodeToString", says: "encoding/base32 works from src into dst within the call"},
	{pkg: "time", recv: "Time", names: "AppendFormat", appends: true, says: "time.Time.AppendFormat appends to b and returns it"},
	{recv: "*", names: "AppendText AppendBinary", sig: "([]byte) ([]byte, error)", appends: true, says: "encoding.TextAppender and BinaryAppender append to b and return it"},
	{pkg: "bytes", names: "Trim* TrimSpace", alias: true, says: "bytes.Trim functions return a part of their argument"},
	{pkg: "bytes", names: "Equal* Compare Contains* Count Has* Index* LastIndex* Clone Repeat ToLower ToUpper", says: "package bytes looks at its arguments within the call"},
	{pkg: "bytes", recv: "Buffer", names: "Write", says: "bytes.Buffer: Write copies p"},
	{pkg: "slices", names: "Equal Compare Contains Index Clone Sort Reverse Max Min IsSorted BinarySearch", says: "package slices works on its arguments within the call"},
	{pkg: "strings", names: "Join", says: "strings.Join makes a new string of its elements"},
	{pkg: "sort", names: "Ints Float64s Strings", says: "package sort works on its argument within the call"},
	{pkg: "fmt", names: "Append Appendf Appendln", appends: true, variadic: true, says: "fmt.Append functions append to b and return it"},
	{pkg: "fmt", names: "Sprint* Fprint* Print* Errorf", variadic: true, says: "package fmt formats its arguments within the call"},
}

// contractOf returns the contract of a function outside the main module, or
// of an interface method.
func contractOf(fn *types.Func) *contract {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	recv := receiverName(fn)
	for i := range contracts {
		c := &contracts[i]
		switch {
		case c.pkg == "" && (recv == "" || c.sig != signatureOf(fn.Signature())):
		case c.pkg != "" && c.pkg != path:
		case c.recv == "" && recv != "", c.recv != "" && recv == "", c.recv != "*" && c.recv != recv:
		case !named(c.names, fn.Name()):
		default:
			return c
		}
	}
	return nil
}

func named(patterns, name string) bool {
	for _, p := range strings.Fields(patterns) {
		if stem, wild := strings.CutSuffix(p, "*"); p == name || wild && strings.HasPrefix(name, stem) {
			return true
		}
	}
	return false
}

// receiverName returns the name of the type that fn is a method of, "" for a
// function and "?" for a method of an unnamed type.
func receiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}

// typeList writes types without the names of variables.
func typeList(t *types.Tuple) string {
	var s []string
	for v := range t.Variables() {
		s = append(s, types.TypeString(v.Type(), nil))
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// isInterfaceMethod reports whether a call of fn is dispatched at run time.
func isInterfaceMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}
