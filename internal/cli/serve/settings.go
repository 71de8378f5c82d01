package serve

import (
	"fmt"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/source"
)

// settings are the configuration as the file and the flags have it. Errors are mistakes
// of usage.
func (f *flags) settings(e *env.Env) (*config.Config, error) {
	c := &config.Config{}
	if f.config != "" {
		var err error
		if c, err = config.ReadFile(f.config); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(*config.Config) error{f.setFabrics, f.setPaces, f.setRest} {
		if err := step(c); err != nil {
			return nil, err
		}
	}
	if len(c.Fabrics) == 0 {
		uri := e.Getenv("IBSCOPE_FABRIC")
		if uri == "" {
			uri = source.UmadURI("", 0)
		}
		c.Fabrics = []config.Fabric{{Name: config.NameOf(uri), Source: uri, Names: f.nameMap}}
		if err := f.setPaces(c); err != nil {
			return nil, err
		}
	}
	c.Complete()
	return c, c.Check()
}

func (f *flags) setFabrics(c *config.Config) error {
	for _, text := range f.fabrics {
		one, err := config.ParseFabric(text)
		if err != nil {
			return fmt.Errorf("--fabric: %w", err)
		}
		c.Fabrics = append(c.Fabrics, one)
	}
	for i := range c.Fabrics {
		if f.nameMap != "" {
			c.Fabrics[i].Names = f.nameMap
		}
		if _, err := source.Parse(c.Fabrics[i].Source); err != nil {
			return err
		}
	}
	return nil
}

func (f *flags) setPaces(c *config.Config) error {
	for i := range c.Fabrics {
		w := &c.Fabrics[i]
		for _, pace := range []struct {
			flag, text string
			set        func(string) error
		}{
			{"refresh", f.refresh, setEvery(&w.Refresh.Every)},
			{"verify", f.verify, setEvery(&w.Verify.Every)},
			{"counters", f.counters, setEvery(&w.Counters.Every)},
			{"tables", f.tables, setEvery(&w.Tables.Every)},
		} {
			if pace.text == "" {
				continue
			}
			if err := pace.set(pace.text); err != nil {
				return fmt.Errorf("--%s %q: expected %s", pace.flag, pace.text, config.EveryText)
			}
		}
	}
	return nil
}

func (f *flags) setRest(c *config.Config) error {
	for _, s := range []struct {
		flag string
		set  func()
	}{
		{"listen", func() { c.Listen = f.listen }},
		{"web.config.file", func() { c.WebConfig = f.webConfig }},
		{"token-file", func() { c.Tokens = f.tokens }},
		{"public", func() { c.Public = f.public }},
		{"open", func() { c.Open = f.open }},
		{"state", func() { c.State = f.state }},
		{"user", func() { c.User = f.user }},
		{"allow-resets", func() { c.AllowResets = f.resets }},
		{"routes", func() { c.Routes = f.routes }},
		{"compat", func() { c.Metrics.Compat = f.compat }},
		{"textfile", func() { c.Metrics.Textfile = f.textfile }},
		{"details", func() { c.Metrics.Details = &f.details }},
		{"nats", func() { c.Fleet.URL = f.nats }},
	} {
		if f.given(s.flag) {
			s.set()
		}
	}
	for _, url := range f.webhooks {
		c.Webhooks = append(c.Webhooks, config.Webhook{URL: url})
	}
	if f.level != "" {
		level, err := config.ParseLevel(f.level)
		if err != nil {
			return fmt.Errorf("--log-level %q: expected debug, info, warn or error", f.level)
		}
		c.Level = level
	}
	return nil
}

// setEvery reads how often something is done.
func setEvery(v *time.Duration) func(string) error {
	return func(text string) (err error) {
		*v, err = config.ParseEvery(text)
		return err
	}
}
