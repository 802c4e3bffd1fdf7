package gocmd

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// maxMessage bounds a message between pawl and a cell: an environment and a
// command line. Linux takes 2 MiB of that by default.
const maxMessage = 64 << 20

// maxFiles is how many descriptors one message may carry; the kernel's own
// bound is SCM_MAX_FD.
const maxFiles = 64

// A wire is one end of the socket between pawl and a cell. A message is its
// length in four bytes and a gob; descriptors travel with the first byte.
type wire struct {
	conn *net.UnixConn
	in   bytes.Buffer
	out  bytes.Buffer
	enc  *gob.Encoder // they live as long as the socket, as types are sent once
	dec  *gob.Decoder
}

func newWire(f *os.File) (*wire, error) {
	conn, err := net.FileConn(f)
	_ = f.Close() // FileConn has a copy of its own
	if err != nil {
		return nil, fmt.Errorf("taking over a socket: %w", err)
	}
	u, ok := conn.(*net.UnixConn)
	if !ok {
		_ = conn.Close()
		return nil, errors.New("the descriptor is no Unix socket")
	}
	w := &wire{conn: u}
	w.enc, w.dec = gob.NewEncoder(&w.out), gob.NewDecoder(&w.in)
	return w, nil
}

func (w *wire) send(v any, fds ...int) error {
	w.out.Reset()
	w.out.Write(make([]byte, 4))
	if err := w.enc.Encode(v); err != nil {
		return err
	}
	msg := w.out.Bytes()
	if len(msg)-4 > maxMessage || len(fds) > maxFiles {
		return fmt.Errorf("a message of %d bytes and %d descriptors is too large", len(msg), len(fds))
	}
	binary.BigEndian.PutUint32(msg, uint32(len(msg)-4))
	if len(fds) > 0 {
		if _, _, err := w.conn.WriteMsgUnix(msg[:1], unix.UnixRights(fds...), nil); err != nil {
			return err
		}
		msg = msg[1:]
	}
	_, err := w.conn.Write(msg)
	return err
}

// receive reads a message into v. The descriptors that came with it are the
// caller's to close, also with an error.
func (w *wire) receive(v any) (fds []int, err error) {
	head, oob := make([]byte, 4), make([]byte, unix.CmsgSpace(maxFiles*4))
	n, oobn, _, _, err := w.conn.ReadMsgUnix(head[:1], oob)
	if err == nil && n == 0 {
		err = io.EOF
	}
	if err != nil {
		return nil, err
	}
	if fds, err = rights(oob[:oobn]); err != nil {
		return fds, err
	}
	if _, err := io.ReadFull(w.conn, head[1:]); err != nil {
		return fds, err
	}
	size := binary.BigEndian.Uint32(head)
	if size > maxMessage {
		return fds, fmt.Errorf("a message of %d bytes is too large", size)
	}
	w.in.Reset()
	if _, err := io.CopyN(&w.in, w.conn, int64(size)); err != nil {
		return fds, err
	}
	return fds, w.dec.Decode(v)
}

// rights takes the descriptors out of what came beside a message.
func rights(oob []byte) ([]int, error) {
	if len(oob) == 0 {
		return nil, nil
	}
	msgs, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, m := range msgs {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			return all, err
		}
		all = append(all, fds...)
	}
	return all, nil
}

// A setup is the first message to a cell.
type setup struct {
	Whole    bool     // namespaces; else landlock
	Private  string   // a directory of this cell: "home", "tmp" and "vartmp" are in it
	Home     string   // hidden behind Private/home; "" for none
	Temps    []string // hidden behind Private/tmp
	Hidden   []string // with nothing in their place
	Writable []string
	Readable []string
	Foreign  bool // programs of another architecture are run too
	Limits   Limits
}

// A request asks a cell to run a process.
type request struct {
	Path  string
	Argv  []string
	Dir   string
	Env   []string
	Cores []int
}

// A reply is what a cell says: once when it is set up, once when a process has
// been started, once when that and all that it started has ended.
type reply struct {
	Err    string // why there is no cell, or no process
	Errno  int
	Status uint32 // of wait4
	CPU    int64  // ns
	Why    string // which limit ended the process
}
