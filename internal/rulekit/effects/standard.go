package effects

import (
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// standard returns what is known of a function of the standard library, or
// nil for packages outside it.
//
// The table was written from the packages' documentation and source as of Go
// 1.26. A name that is not in it is neither blocking nor pure.
func standard(f *types.Func) *Fact {
	pkg := f.Pkg()
	if pkg == nil {
		return &Fact{Keeps: unknown} // error.Error
	}
	if !inTable[pkg.Path()] {
		return nil
	}
	fact := &Fact{Keeps: unknown}
	full := code.FullName(f)
	if why, ok := blocking[full]; ok {
		fact.Blocks, fact.Why = true, why
	}
	if io[full] || ioPackages[pkg.Path()] && !quiet[full] {
		fact.IO, fact.Why = true, full
	}
	if Computes(f) && !impure[full] {
		fact.Pure, fact.Keeps = true, 0
		if code.HasPointers(f.Signature().Results()) {
			fact.Keeps = unknown // results may share the arguments' memory
		}
	}
	if pkg.Path() != "strings" && flow.ContractOf(f) != nil && !code.IsInterfaceMethod(f) && flow.Aliasing(f.Signature().Results()) == "" {
		fact.Keeps = 0
	}
	return fact
}

// Computes reports whether a function of the standard library only computes: it has no
// effect, runs no code of the program, and its result depends on the values of its
// arguments alone. It may panic.
func Computes(f *types.Func) bool {
	if f == nil || f.Pkg() == nil || code.TakesFunction(f) {
		return false
	}
	return pure[code.FullName(f)] || purePackages[f.Pkg().Path()] && f.Signature().Recv() == nil && !strings.HasPrefix(f.Name(), "Append") && f.Name() != "EncodeRune"
}

// Counts reports whether a function of the standard library returns how many elements
// something has, and does nothing else. It may panic.
func Counts(f *types.Func) bool { return f != nil && counts[code.FullName(f)] }

// Reads reports whether a function of the standard library only computes, on what its
// operands lead to, too: the same call may have another result later. It may panic.
func Reads(f *types.Func) bool {
	return Counts(f) || Computes(f) || f != nil && reads[code.FullName(f)]
}

var (
	// purePackages have functions that only compute, but for those that append to an
	// argument or encode into one. What impure lists besides is given slices that others write, or returns
	// what is not only a value.
	purePackages = code.Set("math math/bits math/cmplx strconv strings unicode unicode/utf8 unicode/utf16 path html net/netip cmp")
	impure       = code.Set("strings.NewReplacer strings.NewReader strings.Lines strings.SplitSeq strings.SplitAfterSeq strings.FieldsSeq",
		"strings.Join strings.Fields strings.Split strings.SplitN strings.SplitAfter strings.SplitAfterN")
	pure = code.Set("time.Unix time.UnixMilli time.UnixMicro time.Date time.Duration.String time.Duration.Seconds time.Duration.Milliseconds time.Duration.Round",
		"time.Duration.Truncate time.Duration.Minutes time.Duration.Hours time.Time.Sub time.Time.Add time.Time.Before time.Time.After time.Time.Equal time.Time.IsZero",
		"time.Time.Unix time.Time.UnixNano time.Time.UnixMilli time.Time.UnixMicro",
		"time.Time.Format time.Time.String time.Time.Year time.Time.YearDay reflect.TypeOf net/url.QueryEscape net/url.PathEscape path/filepath.Base path/filepath.Dir path/filepath.Ext path/filepath.Clean path/filepath.IsAbs",
		"path/filepath.ToSlash path/filepath.FromSlash path/filepath.VolumeName path/filepath.Join")
	// reflect.Type has unexported methods, so that what implements it is reflect's, or embeds that.
	counts = code.Set("reflect.Value.Len reflect.Value.NumField reflect.Value.NumMethod reflect.Type.Len reflect.Type.NumField reflect.Type.NumMethod reflect.Type.NumIn reflect.Type.NumOut",
		"bytes.Buffer.Len bytes.Reader.Len strings.Reader.Len strings.Builder.Len container/list.List.Len bytes.Count strings.Count unicode/utf8.RuneCount unicode/utf8.RuneCountInString",
		"regexp.Regexp.NumSubexp go/ast.FieldList.NumFields go/types.Tuple.Len go/types.Scope.Len go/types.MethodSet.Len go/types.Struct.NumFields go/types.Interface.NumMethods go/types.Named.NumMethods")
	reads = code.Set("reflect.Value.Type reflect.Value.Kind reflect.Value.Elem reflect.Value.Field reflect.Value.Index reflect.Indirect reflect.ValueOf reflect.Type.Elem reflect.Type.Key reflect.Type.Kind",
		"bytes.Buffer.Bytes strings.Builder.String")
	ioPackages = code.Set("os net net/http os/exec database/sql io/ioutil net/rpc net/smtp syscall")
	quiet      = code.Set("os.Getenv os.LookupEnv os.Environ os.Getpid os.Getppid os.Getuid os.Getgid os.Geteuid os.Getegid os.Exit os.Expand os.ExpandEnv os.IsNotExist os.IsExist",
		"os.IsPermission os.IsTimeout os.Getpagesize os.NewFile os.File.Name os.File.Fd os.PathError.Error os.PathError.Unwrap os.IsPathSeparator os.TempDir os.DirFS os.Setenv os.Unsetenv",
		"os.FileMode.IsDir os.FileMode.IsRegular os.FileMode.Perm os.FileMode.String os.FileMode.Type os.NewSyscallError os.SameFile os.Signal.String os.Signal.Signal",
		"net.ParseIP net.ParseCIDR net.ParseMAC net.JoinHostPort net.SplitHostPort net.IPv4 net.IPv4Mask net.CIDRMask net.IP.String net.IP.To4 net.IP.To16 net.IP.Equal",
		"net.IP.IsLoopback net.IP.IsPrivate net.IPNet.String net.IPNet.Contains net.Addr.String net.Addr.Network net.Conn.LocalAddr net.Conn.RemoteAddr net.TCPAddr.String net.Error.Timeout",
		"net/http.StatusText net/http.NewRequest net/http.NewRequestWithContext net/http.Header.Get net/http.Header.Set net/http.Header.Add net/http.Header.Del net/http.Header.Values",
		"net/http.Header.Clone net/http.CanonicalHeaderKey net/http.DetectContentType net/http.HandleFunc net/http.Handle net/http.NewServeMux net/http.ServeMux.Handle net/http.ServeMux.HandleFunc",
		"net/http.Request.Context net/http.Request.WithContext net/http.Request.Cookie net/http.Request.UserAgent net/http.Request.BasicAuth net/http.Request.PathValue net/http.ResponseWriter.Header",
		"net/http.HandlerFunc.ServeHTTP net/http.Handler.ServeHTTP net/http.Error net/http.NotFound net/http.Redirect net/http.ResponseWriter.WriteHeader net/http.Cookie.String net/http.SetCookie",
		"net/http.Request.Clone net/http.Request.SetBasicAuth net/http.Request.AddCookie net/http.Request.Referer net/http.Request.ProtoAtLeast net/http.MaxBytesReader net/http.NotFoundHandler net/http.StripPrefix",
		"os/exec.Command os/exec.CommandContext os/exec.Cmd.String os/exec.Cmd.Environ os/exec.Error.Error database/sql.Open database/sql.Named database/sql.Rows.Scan database/sql.Row.Scan database/sql.Rows.Err",
		"syscall.Errno.Error syscall.Errno.Is syscall.Signal.String syscall.Getpid syscall.Getenv")
	io = code.Set("io.Copy io.CopyN io.CopyBuffer io/fs.ReadFile io/fs.ReadDir io/fs.Stat io/fs.WalkDir path/filepath.Walk path/filepath.WalkDir path/filepath.Glob",
		"path/filepath.EvalSymlinks crypto/tls.Dial crypto/tls.Conn.Handshake crypto/tls.Conn.Read crypto/tls.Conn.Write")
	blocking = map[string]string{
		"time.Sleep": "time.Sleep", "sync.WaitGroup.Wait": "sync.WaitGroup.Wait", "sync.Cond.Wait": "sync.Cond.Wait",
		"os/exec.Cmd.Run": "os/exec.Cmd.Run", "os/exec.Cmd.Wait": "os/exec.Cmd.Wait", "os/exec.Cmd.Output": "os/exec.Cmd.Output",
		"os/exec.Cmd.CombinedOutput": "os/exec.Cmd.CombinedOutput", "net/http.Client.Do": "net/http.Client.Do", "net/http.Client.Get": "net/http.Client.Get",
		"net/http.Client.Post": "net/http.Client.Post", "net/http.Get": "net/http.Get", "net/http.Post": "net/http.Post",
		"net/http.RoundTripper.RoundTrip": "RoundTrip", "net.Dial": "net.Dial", "net.Dialer.DialContext": "net.Dialer.DialContext",
	}
	inTable = tablePackages()
)

// Standard reports whether a path is of the standard library, by its first
// element; drivers do not say.
func Standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return standardRoots[first]
}

var standardRoots = code.Set(`archive bufio bytes cmp compress container context crypto database debug embed encoding
	errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp
	runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak`)

// tablePackages returns the packages that the table speaks of; functions of
// other standard packages are read or unknown.
func tablePackages() map[string]bool {
	m := code.Set("time sync bytes io path/filepath io/fs encoding/hex encoding/base64 crypto/sha256 crypto/sha1 crypto/md5 crypto/sha512 hash/crc32 bufio crypto/tls")
	for _, s := range []map[string]bool{purePackages, ioPackages} {
		for p := range s {
			m[p] = true
		}
	}
	return m
}
