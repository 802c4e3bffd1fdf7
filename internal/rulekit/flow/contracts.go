package flow

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A Contract is what the documentation of functions outside the main module
// promises about the slices they are given. Every contract promises that none
// is kept after the call; Appends and alias say where one comes back.
type Contract struct {
	pkg   string // import path; "" matches by signature wherever it is declared
	recv  string // type names of receivers, "*" for any method, "" for functions
	names string // space-separated; a trailing * matches any ending
	sig   string // parameter and result types, for pkg == ""
	Says  string

	Appends  bool // parameter 0 is a destination that result 0 extends: append style
	Full     bool // the result is never empty
	Bound    int  // the result extends the destination by at most so many bytes, in practice; 0 is unknown
	Alias    bool // result 0 may alias parameter 0
	Variadic bool // values in the variadic part are not kept either
	Nil      bool // the result tells a nil slice from an empty one
	writes   bool // of what it is given, or of what it returns, it calls nothing but Write and WriteString

	Reads string // a sentence that says that the bytes are not changed either; "" where that is not promised
}

const systemCalls = "Getrandom Getxattr Pread Preadv Pwrite Pwritev Read Readlink Readv Recvfrom Recvmsg Sendmsg SendmsgN Sendto Write Writev"

// contracts is checked from top to bottom. Sources: the packages' documentation,
// Go 1.26, and golang.org/x/crypto v0.22.
var contracts = []Contract{
	{recv: "*", names: "Write", sig: "([]byte) (int, error)", Says: "io.Writer: Write must not retain p", Reads: "io.Writer: Write must not modify the slice data, even temporarily"},
	{recv: "*", names: "WriteAt", sig: "([]byte, int64) (int, error)", Says: "io.WriterAt: WriteAt must not retain p", Reads: "io.WriterAt: WriteAt does not modify what it writes, as io.Writer says"},
	{recv: "*", names: "Read", sig: "([]byte) (int, error)", Says: "io.Reader: Read must not retain p"},
	{recv: "*", names: "ReadAt", sig: "([]byte, int64) (int, error)", Says: "io.ReaderAt: ReadAt must not retain p"},
	{recv: "*", names: "ReadFrom", sig: "([]byte) (int, net.Addr, error)", Says: "net.PacketConn: ReadFrom copies the payload into p"},
	{pkg: "net", recv: "*", names: "ReadFrom* ReadMsg*", Says: "package net copies the payload into b"},
	{pkg: "net", recv: "IPConn UDPConn UnixConn", names: "WriteTo* WriteMsg*", Says: "package net sends b within the call"},
	{pkg: "io", names: "ReadFull ReadAtLeast", Says: "io.ReadFull and io.ReadAtLeast read into buf by io.Reader's contract"},
	{pkg: "io", names: "CopyBuffer", Says: "io.CopyBuffer stages through buf, by the contracts of io.Reader and io.Writer"},
	{recv: "*", names: "UnmarshalText", sig: "([]byte) (error)", Says: "encoding.TextUnmarshaler: UnmarshalText must copy the text if it wishes to retain it"},
	{recv: "*", names: "UnmarshalBinary", sig: "([]byte) (error)", Says: "encoding.BinaryUnmarshaler: UnmarshalBinary must copy the data if it wishes to retain it"},
	{recv: "*", names: "UnmarshalJSON", sig: "([]byte) (error)", Says: "json.Unmarshaler: UnmarshalJSON must copy the data if it wishes to retain it"},
	{pkg: "encoding/json", names: "Unmarshal Valid", Says: "json.Unmarshal copies what it stores, and UnmarshalJSON must copy, too"},
	{pkg: "encoding/json", names: "Compact Indent HTMLEscape", Says: "encoding/json appends to dst what it makes of src"},
	{pkg: "hash", recv: "*", names: "Sum", Appends: true, Full: true, Bound: 64, Says: "hash.Hash: Sum appends the hash to b and returns the slice"},
	{pkg: "crypto/cipher", recv: "AEAD", names: "Seal", Appends: true, Full: true,
		Says: "cipher.AEAD: Seal appends to dst; nonce, plaintext and additional data are inputs of the call"},
	{pkg: "crypto/cipher", recv: "AEAD", names: "Open", Appends: true,
		Says: "cipher.AEAD: Open appends to dst; nonce, ciphertext and additional data are inputs of the call"},
	{pkg: "crypto/cipher", recv: "Block", names: "Encrypt Decrypt", Says: "cipher.Block works from src into dst within the call"},
	{pkg: "crypto/cipher", recv: "*", names: "XORKeyStream CryptBlocks", Says: "cipher.Stream and cipher.BlockMode work from src into dst within the call"},
	{pkg: "golang.org/x/crypto/chacha20", recv: "*", names: "XORKeyStream", Says: "cipher.Stream works from src into dst within the call"},
	{pkg: "crypto/hmac", names: "Equal", Says: "hmac.Equal compares its arguments", Reads: "hmac.Equal compares its arguments"},
	{pkg: "crypto/subtle", names: "*", Says: "crypto/subtle works on its arguments within the call"},
	{pkg: "crypto/rand", names: "Read", Says: "rand.Read fills its argument"},
	{pkg: "math/rand", names: "Read", Says: "rand.Read fills its argument"},
	{pkg: "crypto/sha256", names: "Sum*", Says: "Sum256 returns the checksum of its argument", Reads: "Sum256 returns the checksum of its argument"},
	{pkg: "crypto/sha512", names: "Sum*", Says: "Sum512 returns the checksum of its argument", Reads: "Sum512 returns the checksum of its argument"},
	{pkg: "crypto/sha1", names: "Sum", Says: "sha1.Sum returns the checksum of its argument", Reads: "sha1.Sum returns the checksum of its argument"},
	{pkg: "crypto/md5", names: "Sum", Says: "md5.Sum returns the checksum of its argument", Reads: "md5.Sum returns the checksum of its argument"},
	{pkg: "crypto/sha3", names: "Sum*", Says: "crypto/sha3 returns the checksum of its argument", Reads: "crypto/sha3 returns the checksum of its argument"},
	{pkg: "golang.org/x/crypto/blake2b", names: "Sum*", Says: "blake2b.Sum functions return the checksum of data", Reads: "blake2b.Sum functions return the checksum of data"},
	{pkg: "crypto/ed25519", names: "Sign Verify", Says: "crypto/ed25519 works on its arguments within the call"},
	{pkg: "hash/crc32", names: "Checksum* Update", Says: "hash/crc32 returns the checksum of its argument", Reads: "hash/crc32 returns the checksum of its argument"},
	{pkg: "hash/crc64", names: "Checksum* Update", Says: "hash/crc64 returns the checksum of its argument", Reads: "hash/crc64 returns the checksum of its argument"},
	{pkg: "hash/adler32", names: "Checksum", Says: "hash/adler32 returns the checksum of its argument", Reads: "hash/adler32 returns the checksum of its argument"},
	{pkg: "github.com/cespare/xxhash/v2", names: "Sum64", Says: "xxhash.Sum64 returns the digest of b", Reads: "xxhash.Sum64 returns the digest of b"},
	{pkg: "github.com/zeebo/xxh3", names: "Hash*", Says: "xxh3.Hash functions return the hash of b", Reads: "xxh3.Hash functions return the hash of b"},
	{pkg: "hash/maphash", names: "Bytes", Says: "maphash.Bytes returns the hash of its argument", Reads: "maphash.Bytes returns the hash of its argument"},
	{pkg: "encoding/binary", recv: "*", names: "Append*", Appends: true, Full: true, Says: "binary.AppendByteOrder appends to its argument"},
	{pkg: "encoding/binary", recv: "*", names: "Uint*", Says: "binary.ByteOrder reads and writes its argument within the call", Reads: "binary.ByteOrder reads its argument"},
	{pkg: "encoding/binary", recv: "*", names: "Put*", Says: "binary.ByteOrder reads and writes its argument within the call"},
	{pkg: "encoding/binary", names: "AppendUvarint AppendVarint", Appends: true, Full: true, Says: "encoding/binary appends to its argument"},
	{pkg: "encoding/binary", names: "Put* Uvarint Varint", Says: "encoding/binary reads and writes its argument within the call"},
	{pkg: "strconv", names: "AppendInt AppendUint", Appends: true, Full: true, Bound: 65, Says: "strconv.Append functions append to dst and return it"},
	{pkg: "strconv", names: "Append*", Appends: true, Full: true, Says: "strconv.Append functions append to dst and return it"},
	{pkg: "unicode/utf8", names: "AppendRune", Appends: true, Full: true, Says: "utf8.AppendRune appends to its argument"},
	{pkg: "unicode/utf8", names: "*", Says: "unicode/utf8 looks at its argument within the call"},
	{pkg: "unicode/utf16", names: "AppendRune", Appends: true, Full: true, Says: "utf16.AppendRune appends to its argument"},
	{pkg: "unicode/utf16", names: "Decode Encode", Says: "unicode/utf16 returns what it makes of its argument"},
	{pkg: "math/big", recv: "*", names: "Append", Appends: true, Full: true, Says: "math/big appends to buf and returns it"},
	{pkg: "math/big", recv: "Int", names: "SetBytes", Says: "big.Int: SetBytes sets z to the value that buf has"},
	{pkg: "math/big", recv: "Int", names: "FillBytes", Alias: true, Says: "big.Int: FillBytes sets buf and returns it"},
	{pkg: "net/netip", recv: "*", names: "AppendTo", Appends: true, Says: "net/netip appends to b and returns it"},
	{pkg: "net/netip", names: "AddrFromSlice", Says: "netip.AddrFromSlice parses its argument"},
	{pkg: "google.golang.org/protobuf/encoding/protowire", names: "Append*", Appends: true, Full: true, Says: "protowire appends to b and returns it"},
	{pkg: "encoding/hex", names: "AppendEncode AppendDecode", Appends: true, Says: "encoding/hex appends to dst and returns it"},
	{pkg: "encoding/hex", names: "Encode Decode EncodeToString Dump", Says: "encoding/hex works from src into dst within the call"},
	{pkg: "encoding/base64", recv: "Encoding", names: "AppendEncode AppendDecode", Appends: true, Says: "encoding/base64 appends to dst and returns it"},
	{pkg: "encoding/base64", recv: "Encoding", names: "Encode Decode EncodeToString", Says: "encoding/base64 works from src into dst within the call"},
	{pkg: "encoding/base32", recv: "Encoding", names: "AppendEncode AppendDecode", Appends: true, Says: "encoding/base32 appends to dst and returns it"},
	{pkg: "encoding/base32", recv: "Encoding", names: "Encode Decode EncodeToString", Says: "encoding/base32 works from src into dst within the call"},
	{pkg: "time", recv: "Time", names: "AppendFormat", Appends: true, Says: "time.Time.AppendFormat appends to b and returns it"},
	{recv: "*", names: "AppendText AppendBinary", sig: "([]byte) ([]byte, error)", Appends: true, Says: "encoding.TextAppender and BinaryAppender append to b and return it"},
	{pkg: "bytes", names: "Trim* TrimSpace", Alias: true, Says: "bytes.Trim functions return a part of their argument"},
	{pkg: "bytes", names: "Clone", Nil: true, Says: "bytes.Clone copies its argument"},
	{pkg: "bytes", names: "Join Map Replace ReplaceAll Runes ToTitle", Says: "package bytes returns a copy"},
	{pkg: "bytes", names: "Equal* Compare Contains* Count Has* Index* LastIndex* Repeat ToLower ToUpper", Says: "package bytes looks at its arguments within the call", Reads: "package bytes looks at its arguments"},
	{pkg: "bytes", recv: "Buffer", names: "Write", Says: "bytes.Buffer: Write copies p", Reads: "bytes.Buffer: Write copies p"},
	{pkg: "slices", names: "Clone", Nil: true, Says: "slices.Clone copies its argument"},
	{pkg: "slices", names: "Equal Compare Contains Index Sort Reverse Max Min IsSorted BinarySearch SortFunc SortStableFunc ContainsFunc IndexFunc", Says: "package slices works on its arguments within the call"},
	{pkg: "strings", names: "Join", Says: "strings.Join makes a new string of its elements"},
	{pkg: "sort", names: "Ints Float64s Strings Slice SliceStable", Says: "package sort works on its argument within the call"},
	{pkg: "sort", names: "SearchInts SearchFloat64s SearchStrings", Says: "package sort looks at its argument within the call"},
	{pkg: "regexp", recv: "Regexp", names: "Match FindIndex FindSubmatchIndex FindAllIndex FindAllSubmatchIndex ReplaceAll ReplaceAllLiteral",
		Says: "package regexp matches within the call, and returns places or a copy"},
	{pkg: "maps", names: "Equal", Says: "maps.Equal compares its arguments"},
	{pkg: "os", names: "WriteFile", Says: "os.WriteFile writes data within the call"},
	{pkg: "syscall", names: systemCalls, Says: "the system call is done with the memory when it returns"},
	{pkg: "golang.org/x/sys/unix", names: systemCalls, Says: "the system call is done with the memory when it returns"},
	{recv: "*", names: "WriteString", sig: "(string) (int, error)", Says: "io.StringWriter: WriteString writes the contents of s"},
	{pkg: "fmt", names: "Append Appendf Appendln", Appends: true, Variadic: true, Says: "fmt.Append functions append to b and return it"},
	{pkg: "fmt", names: "Sprint* Fprint* Print* Errorf", Variadic: true, Says: "package fmt formats its arguments within the call"},
}

// ContractOf returns the contract of a function outside the main module, or
// of an interface method.
func ContractOf(fn *types.Func) *Contract {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	recv := code.ReceiverName(fn)
	for i := range contracts {
		c := &contracts[i]
		switch {
		case c.pkg != "" && c.pkg != path:
		case (c.recv == "") != (recv == ""), recv != "" && !NameMatches(c.recv, recv):
		case !NameMatches(c.names, fn.Name()):
		case c.pkg == "" && c.sig != code.SignatureOf(fn.Signature()): // last: it writes the signature
		default:
			return c
		}
	}
	return nil
}

// NameMatches reports whether a name is among the patterns, which spaces
// separate; a * at the end of one matches any ending.
func NameMatches(patterns, name string) bool {
	for p := range strings.FieldsSeq(patterns) {
		if stem, wild := strings.CutSuffix(p, "*"); p == name || wild && strings.HasPrefix(name, stem) {
			return true
		}
	}
	return false
}

// Extended returns the slice that a call extends and returns: what append gets first, and
// what a function gets that appends by its contract; nil for other calls.
func Extended(info *types.Info, call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	if code.IsBuiltin(info, call, "append") {
		return call.Args[0]
	}
	if fn := code.Callee(info, call); fn != nil {
		if c := ContractOf(fn); c != nil && c.Appends {
			return call.Args[0]
		}
	}
	return nil
}
