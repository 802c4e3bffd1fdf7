package c54

import (
	"net"
	"runtime"
	"time"
)

// V1 the finalizer in a variable, named results
type Upstream struct {
	addr string
	conn net.Conn
}

func Connect(addr string, within time.Duration) (up *Upstream, err error) {
	up = &Upstream{addr: addr}
	if up.conn, err = net.DialTimeout("tcp", addr, within); err != nil {
		return nil, err
	}
	hangUp := func(u *Upstream) { _ = u.conn.Close() }
	runtime.SetFinalizer(up, hangUp)
	return up, nil
}

func (u *Upstream) Send(p []byte) error {
	_, err := u.conn.Write(p)
	return err
}
