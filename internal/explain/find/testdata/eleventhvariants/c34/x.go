package c34

import "sync"

// V5 two functions

var (
	thumbMu    sync.RWMutex
	thumbnails = make(map[string][]byte)
)

func remember(path string, image []byte) {
	thumbMu.Lock()
	thumbnails[path] = image
	thumbMu.Unlock()
}

func thumbnail(path string, scale func(string) ([]byte, error)) ([]byte, error) {
	thumbMu.RLock()
	image, ok := thumbnails[path]
	thumbMu.RUnlock()
	if ok {
		return image, nil
	}
	image, err := scale(path)
	if err != nil {
		return nil, err
	}
	remember(path, image)
	return image, nil
}
