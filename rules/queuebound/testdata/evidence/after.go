// Package evidence takes jobs.
package evidence

import (
	"errors"
	"sync"
)

var errFull = errors.New("too many jobs")

// A Mailbox holds jobs until they are done.
type Mailbox struct {
	mu   sync.Mutex
	jobs []string
}

// Put adds a job.
func (m *Mailbox) Put(job string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.jobs) >= 1000 {
		return errFull
	}
	m.jobs = append(m.jobs, job)
	return nil
}

// Take removes the oldest job.
func (m *Mailbox) Take() (job string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.jobs) == 0 {
		return "", false
	}
	job, m.jobs = m.jobs[0], m.jobs[1:]
	return job, true
}
