package kubelet

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// logOptions reads the query of a request for a log. The API server has validated what the client asked for.
func logOptions(query url.Values) (*corev1.PodLogOptions, error) {
	o := &corev1.PodLogOptions{}
	for name, read := range map[string]func(text string) error{
		"follow":       flag(&o.Follow),
		"previous":     flag(&o.Previous),
		"timestamps":   flag(&o.Timestamps),
		"tailLines":    number(&o.TailLines),
		"limitBytes":   number(&o.LimitBytes),
		"sinceSeconds": number(&o.SinceSeconds),
		"sinceTime":    moment(&o.SinceTime),
		"stream":       stream(&o.Stream),
	} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		if err := read(text); err != nil {
			return nil, refuse(http.StatusBadRequest, "%s: %v", name, err)
		}
	}
	return o, nil
}

func flag(to *bool) func(string) error {
	return func(text string) (err error) {
		*to, err = strconv.ParseBool(text)
		return err //nolint:wrapcheck // logOptions names the parameter
	}
}

func number(to **int64) func(string) error {
	return func(text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && n < 0 {
			err = fmt.Errorf("%d is less than 0", n)
		}
		*to = &n
		return err
	}
}

func moment(to **metav1.Time) func(string) error {
	return func(text string) error {
		t, err := time.Parse(time.RFC3339Nano, text)
		*to = new(metav1.NewTime(t))
		return err //nolint:wrapcheck // logOptions names the parameter
	}
}

func stream(to **string) func(string) error {
	return func(text string) error {
		switch text {
		case corev1.LogStreamAll, corev1.LogStreamStdout, corev1.LogStreamStderr:
			*to = &text
			return nil
		}
		return fmt.Errorf("there is no stream %q", text)
	}
}
