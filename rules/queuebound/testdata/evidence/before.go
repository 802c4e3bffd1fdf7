// Package evidence takes jobs.
package evidence

import "sync"

// A Mailbox holds jobs until they are done.
type Mailbox struct {
	mu   sync.Mutex
	jobs []string
}

// Put adds a job.
func (m *Mailbox) Put(job string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs = append(m.jobs, job)
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
