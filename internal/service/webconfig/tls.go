package webconfig

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
)

var versions = map[string]uint16{"TLS10": tls.VersionTLS10, "TLS11": tls.VersionTLS11, "TLS12": tls.VersionTLS12, "TLS13": tls.VersionTLS13}

var curves = map[string]tls.CurveID{
	"CurveP256": tls.CurveP256, "CurveP384": tls.CurveP384, "CurveP521": tls.CurveP521, "X25519": tls.X25519, "X25519MLKEM768": tls.X25519MLKEM768,
}

// policies are the ways to treat certificates of clients.
var policies = map[string]tls.ClientAuthType{
	"": tls.NoClientCert, "NoClientCert": tls.NoClientCert, "RequestClientCert": tls.RequestClientCert,
	"RequireAnyClientCert": tls.RequireAnyClientCert, "RequireClientCert": tls.RequireAnyClientCert,
	"VerifyClientCertIfGiven": tls.VerifyClientCertIfGiven, "RequireAndVerifyClientCert": tls.RequireAndVerifyClientCert,
}

// config makes what crypto/tls wants, with the certificates as they are now.
func (t *tlsSection) config(http2 bool) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}}
	if http2 {
		c.NextProtos = []string{"h2", "http/1.1"}
	}
	pair, err := t.pair()
	if err != nil {
		return nil, err
	}
	c.Certificates = []tls.Certificate{pair}
	if err := errors.Join(version(&c.MinVersion, "min_version", t.MinVersion), version(&c.MaxVersion, "max_version", t.MaxVersion)); err != nil {
		return nil, err
	}
	for _, name := range t.Ciphers {
		i := slices.IndexFunc(tls.CipherSuites(), func(s *tls.CipherSuite) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("cipher_suites: %q is not known", name)
		}
		c.CipherSuites = append(c.CipherSuites, tls.CipherSuites()[i].ID)
	}
	for _, name := range t.Curves {
		id, ok := curves[name]
		if !ok {
			return nil, fmt.Errorf("curve_preferences: %q is not known", name)
		}
		c.CurvePreferences = append(c.CurvePreferences, id)
	}
	return c, t.clients(c)
}

func version(to *uint16, field, name string) error {
	if name == "" {
		return nil
	}
	v, ok := versions[name]
	if !ok {
		return fmt.Errorf("%s: found %q, expected TLS12 or TLS13", field, name)
	}
	*to = v
	return nil
}

// pair is the certificate of the service.
func (t *tlsSection) pair() (tls.Certificate, error) {
	cert, err := text("cert", t.Cert, t.CertFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := text("key", t.Key, t.KeyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return pair, fmt.Errorf("tls_server_config: %w", err)
	}
	return pair, nil
}

// text is what stands in the configuration, or in a file that it names.
func text(field, here, file string) ([]byte, error) {
	switch {
	case here != "" && file != "":
		return nil, fmt.Errorf("tls_server_config: %s and %s_file: expected one of them", field, field)
	case here == "" && file == "":
		return nil, fmt.Errorf("tls_server_config: expected %s or %s_file", field, field)
	case here != "":
		return []byte(here), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s_file: %w", field, err)
	}
	return b, nil
}

// clients sets what is asked of clients.
func (t *tlsSection) clients(c *tls.Config) error {
	policy, ok := policies[t.ClientAuth]
	if !ok {
		return fmt.Errorf("client_auth_type: %q is not known", t.ClientAuth)
	}
	c.ClientAuth = policy
	if t.ClientCA+t.ClientCAs != "" {
		if policy == tls.NoClientCert {
			return fmt.Errorf("client_ca means nothing without client_auth_type: RequireAndVerifyClientCert")
		}
		pem, err := text("client_ca", t.ClientCA, t.ClientCAs)
		if err != nil {
			return err
		}
		c.ClientCAs = x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("client_ca: there is no certificate in it")
		}
	}
	if t.AllowedSANs != nil {
		c.VerifyPeerCertificate = t.verifyNames
	}
	return nil
}

// verifyNames wants one of the alternative names of a client's certificate in the list.
func (t *tlsSection) verifyNames(raw [][]byte, _ [][]*x509.Certificate) error {
	if len(raw) == 0 {
		return fmt.Errorf("the client has no certificate")
	}
	cert, err := x509.ParseCertificate(raw[0])
	if err != nil {
		return err
	}
	names := slices.Concat(cert.DNSNames, cert.EmailAddresses)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	for _, u := range cert.URIs {
		names = append(names, u.String())
	}
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(t.AllowedSANs, name) }) {
		return nil
	}
	return fmt.Errorf("none of the certificate's names %q is allowed", names)
}
