package a

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"time"
)

func writeLines(f *os.File, lines []string) error {
	for _, s := range lines {
		if _, err := f.WriteString(s + "\n"); err != nil { // want `each small write to f in this loop is a system call`
			return err
		}
	}
	return nil
}

func report(name string, rows map[string]int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for k, v := range rows {
		fmt.Fprintf(f, "%s\t%d\n", k, v) // want `a bufio.Writer makes one per 4 KiB`
	}
	return nil
}

func table(w *os.File, rows [][]int) (*os.File, error) {
	for i := 0; i < len(rows); i++ {
		for _, n := range rows[i] {
			io.WriteString(w, strconv.Itoa(n)) // want `each small write to w`
			io.WriteString(w, " ")
		}
		w.Write([]byte("\n"))
	}
	return w, nil
}

func send(conn net.Conn, points []uint32) {
	for _, p := range points {
		if err := binary.Write(conn, binary.LittleEndian, p); err != nil { // want `each small write to conn`
			log.Fatalf("sending: %v", err)
		}
	}
}

func sum(name string) (total int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for {
		var n int
		if _, err := fmt.Fscan(f, &n); err != nil { // want `scanning f without a buffer is a system call per byte`
			break
		}
		total += n
	}
	return total, nil
}

// Without an error result the flush has nowhere to report to: no fix.
func unchecked(name string, lines []string) {
	f, _ := os.Create(name)
	for _, s := range lines {
		fmt.Fprintln(f, s) // want `each small write`
	}
	f.Close()
}

// Another return would leave lines in the buffer: no fix.
func validated(f *os.File, lines []string) error {
	for _, s := range lines {
		if s == "" {
			return errors.New("empty line")
		}
		fmt.Fprintln(f, s) // want `each small write`
	}
	return nil
}

// Shown only where a profile has it: the sizes are not known.
func texts(f *os.File, lines []string) error {
	for _, s := range lines {
		if _, err := f.WriteString(s); err != nil { // want `each write to f in this loop is a system call`
			return err
		}
	}
	return nil
}

func passedOn(f *os.File, lines []string) {
	for _, s := range lines {
		fmt.Fprintln(f, s) // want `each write to f in this loop is a system call`
		single(f)
	}
}

func single(f *os.File) { fmt.Fprintln(f, "once") }

func lent(f *os.File) func(lines []string) {
	return func(lines []string) {
		for _, s := range lines {
			fmt.Fprintln(f, s) // want `each small write to f in this loop is a system call`
		}
	}
}

func setting(w io.Writer, k, v string) error {
	_, err := io.WriteString(w, k+"="+v+"\n")
	return err
}

func settings(f *os.File, all [][2]string) error {
	for _, kv := range all {
		if err := setting(f, kv[0], kv[1]); err != nil { // want `each write to f in this loop is a system call; a bufio.Writer joins those that are small`
			return err
		}
	}
	return nil
}

// What follows is left alone.

func status(lines []string) {
	for _, s := range lines {
		fmt.Fprintln(os.Stdout, s)
		fmt.Fprintln(os.Stderr, s)
	}
}

func aliased(lines []string) {
	out := os.Stderr
	for _, s := range lines {
		fmt.Fprintln(out, s)
	}
}

func maybeStdout(name string, lines []string) (err error) {
	out := os.Stdout
	if name != "" {
		if out, err = os.Create(name); err != nil {
			return err
		}
	}
	for _, s := range lines {
		fmt.Fprintln(out, s)
	}
	return nil
}

func usage(out *os.File, flags []string) {
	for _, s := range flags {
		fmt.Fprintln(out, s)
	}
}

func help() { usage(os.Stderr, nil) }

func appendLog(name string, lines []string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range lines {
		fmt.Fprintln(f, s)
	}
	return nil
}

func durable(f *os.File, lines []string) error {
	for _, s := range lines {
		fmt.Fprintln(f, s)
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}

func patched(f *os.File, at []int64) {
	for _, off := range at {
		f.Seek(off, io.SeekStart)
		f.WriteString("x")
	}
}

func twoWriters(f *os.File, lines []string) {
	logger := log.New(f, "", 0)
	for _, s := range lines {
		fmt.Fprintln(f, s)
		logger.Print(s)
	}
}

func firstOnly(f *os.File, lines []string) error {
	for _, s := range lines {
		if s != "" {
			fmt.Fprintln(f, s)
			return nil
		}
	}
	return errors.New("no line")
}

func perFile(names []string) error {
	for _, name := range names {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(f, name)
		f.Close()
	}
	return nil
}

func buffered(f *os.File, lines []string) error {
	w := bufio.NewWriter(f)
	for _, s := range lines {
		fmt.Fprintln(w, s)
	}
	return w.Flush()
}

func chunks(f *os.File, blocks [][]byte) error {
	for _, b := range blocks {
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func paced(f *os.File, lines []string) {
	for _, s := range lines {
		fmt.Fprintln(f, s)
		time.Sleep(time.Second)
	}
}

func followed(f *os.File, lines <-chan string) {
	for s := range lines {
		fmt.Fprintln(f, s)
	}
}

func forEver(f *os.File) {
	for i := 0; ; i++ {
		fmt.Fprintln(f, i)
	}
}

func typed(f *os.File) {
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		fmt.Fprintln(f, sc.Text())
	}
}

func dialogue(conn net.Conn, words []string) error {
	answer := make([]byte, 64)
	for _, s := range words {
		fmt.Fprintln(conn, s)
		if _, err := conn.Read(answer); err != nil {
			return err
		}
	}
	return nil
}

func interface_(w io.Writer, lines []string) {
	for _, s := range lines {
		fmt.Fprintln(w, s)
	}
}

func literal(f *os.File, lines []string) {
	for _, s := range lines {
		func() { fmt.Fprintln(f, s) }()
	}
}

func header(name string) (n int, rest []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	for range 3 {
		fmt.Fscan(f, &n)
	}
	rest, err = io.ReadAll(f) // a buffer would have read ahead
	return n, rest, err
}

func joinedBy(f *os.File, all [][2]string) error {
	w := bufio.NewWriter(f)
	for _, kv := range all {
		if err := setting(w, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return w.Flush()
}
