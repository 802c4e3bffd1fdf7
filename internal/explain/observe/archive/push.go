package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// A Sink is a Pyroscope server that profiles are sent to.
type Sink struct {
	u  *url.URL
	by fetch.Client
}

// NewSink reads the URL of a Pyroscope server. The token is sent as Parse says. The error
// is a *fetch.Misuse.
func NewSink(raw, token string) (*Sink, error) {
	u, by, err := server(raw, token)
	if err != nil {
		return nil, err
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/push.v1.PusherService/Push"
	return &Sink{u, by}, nil
}

// names are what Pyroscope calls Go's profiles, by what a ring calls them.
var names = map[string]string{"profile": "process_cpu", "heap": "memory", "goroutine": "goroutine", "mutex": "mutex", "block": "block"}

// A label and a series are as in push.v1.PushRequest.
type (
	label struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	raw struct {
		Profile []byte `json:"rawProfile"`
	}
	series struct {
		Labels  []label `json:"labels"`
		Samples []raw   `json:"samples"`
	}
)

// Push sends profiles of a service, by kind as a ring names them. Instance is which of
// several programs they are of; "" where there is one. Kinds that Pyroscope has no name for
// are left out.
func (s *Sink) Push(ctx context.Context, service, instance string, profiles map[string][]byte) error {
	var request struct {
		Series []series `json:"series"`
	}
	for kind, data := range profiles {
		if names[kind] == "" {
			continue
		}
		labels := []label{{"__name__", names[kind]}, {"service_name", service}}
		if instance != "" {
			labels = append(labels, label{"instance", instance})
		}
		request.Series = append(request.Series, series{labels, []raw{{data}}})
	}
	if len(request.Series) == 0 {
		return nil
	}
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, _, err := s.by.Post(ctx, s.u, "application/json", body, mostAnswered); err != nil {
		return fmt.Errorf("%s: %w", scrub.URL(s.u), explained(err))
	}
	return nil
}
