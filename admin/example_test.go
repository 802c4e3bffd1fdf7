package admin_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/pawl-dev/pawl/admin"
)

// One line in a service, and its end.
func ExampleListen() {
	ctx := context.Background()
	debug, err := admin.Listen(ctx, "localhost:0", admin.Options{Flight: 10 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	defer debug.Close()

	resp, err := http.Get("http://" + debug.Addr().String() + "/metrics")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 200 OK
}

// An address that other machines can reach needs TLS and a token.
func ExampleListen_refused() {
	_, err := admin.Listen(context.Background(), ":6060", admin.Options{})
	fmt.Println(errors.Is(err, admin.ErrRefused))
	// Output: true
}

// With both, other machines may ask: go tool pprof https://any:TOKEN@host:6060/debug/pprof/heap
func ExampleListen_public() {
	cert, err := tls.LoadX509KeyPair("cert.pem", "key.pem")
	if err != nil {
		log.Fatal(err)
	}
	debug, err := admin.Listen(context.Background(), "10.0.0.7:6060", admin.Options{
		TLS:   &tls.Config{Certificates: []tls.Certificate{cert}},
		Token: os.Getenv("ADMIN_TOKEN"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer debug.Close()
}
