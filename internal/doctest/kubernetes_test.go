package doctest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/gate"
)

// object is what the tests read of an object of Kubernetes.
type object struct {
	Kind       string            `yaml:"kind"`
	Data       map[string]string `yaml:"data"`
	StringData map[string]string `yaml:"stringData"`
	Spec       struct {
		Ports    []port `yaml:"ports"`
		Replicas int    `yaml:"replicas"`
		Template struct {
			Spec pod `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

type pod struct {
	SecurityContext struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
		RunAsUser    int  `yaml:"runAsUser"`
		FSGroup      int  `yaml:"fsGroup"`
	} `yaml:"securityContext"`
	Grace      int         `yaml:"terminationGracePeriodSeconds"`
	Containers []container `yaml:"containers"`
}

type container struct {
	Args      []string `yaml:"args"`
	Ports     []port   `yaml:"ports"`
	Startup   probe    `yaml:"startupProbe"`
	Liveness  probe    `yaml:"livenessProbe"`
	Readiness probe    `yaml:"readinessProbe"`
	Mounts    []struct {
		Name string `yaml:"name"`
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type port struct {
	Port          int    `yaml:"port"`
	ContainerPort int    `yaml:"containerPort"`
	Name          string `yaml:"name"`
}

type probe struct {
	Get struct {
		Path string `yaml:"path"`
		Port string `yaml:"port"`
	} `yaml:"httpGet"`
}

// kubernetes reads the objects of contrib/container/kubernetes.yaml by their kind.
func kubernetes(t *testing.T) map[string]*object {
	t.Helper()
	objects := map[string]*object{}
	d := yaml.NewDecoder(strings.NewReader(read(t, "contrib/container/kubernetes.yaml")))
	for {
		o := &object{}
		err := d.Decode(o)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		if objects[o.Kind] != nil {
			t.Fatalf("two of %s", o.Kind)
		}
		objects[o.Kind] = o
	}
}

// TestKubernetes compares the objects with what the service and the image are.
func TestKubernetes(t *testing.T) {
	objects := kubernetes(t)
	for _, kind := range []string{"ConfigMap", "Secret", "PersistentVolumeClaim", "Deployment", "Service"} {
		if objects[kind] == nil {
			t.Fatalf("no %s", kind)
		}
	}
	c, err := config.Read(strings.NewReader(objects["ConfigMap"].Data["serve.yaml"]), "serve.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Complete()
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	spec := objects["Deployment"].Spec.Template.Spec
	if len(spec.Containers) != 1 || objects["Deployment"].Spec.Replicas != 1 {
		t.Fatalf("%+v", objects["Deployment"])
	}
	one := spec.Containers[0]
	mounts := map[string]string{}
	for _, m := range one.Mounts {
		mounts[m.Name] = m.Path
	}
	for name, path := range map[string]string{"config": filepath.Dir(one.Args[2]), "secret": filepath.Dir(c.Tokens), "state": c.State} {
		if mounts[name] != path {
			t.Errorf("%s is at %s, expected %s", name, mounts[name], path)
		}
	}
	if strings.Join(one.Args, " ") != "serve --config "+mounts["config"]+"/serve.yaml" {
		t.Errorf("%q", one.Args)
	}
	if want := ":" + strconv.Itoa(one.Ports[0].ContainerPort); c.Listen[0] != want || objects["Service"].Spec.Ports[0].Port != one.Ports[0].ContainerPort {
		t.Errorf("it listens at %s, expected %s", c.Listen[0], want)
	}
	for _, p := range []probe{one.Startup, one.Liveness, one.Readiness} {
		if p.Get.Path != c.Public[0] && p.Get.Path != c.Public[1] || p.Get.Port != one.Ports[0].Name {
			t.Errorf("a probe asks %+v, public are %s", p, c.Public)
		}
	}
	user := regexp.MustCompile(`(?m)^USER (\d+):\d+$`).FindStringSubmatch(read(t, "contrib/container/Dockerfile"))
	if user == nil || user[1] != strconv.Itoa(spec.SecurityContext.RunAsUser) || !spec.SecurityContext.RunAsNonRoot || spec.SecurityContext.FSGroup != spec.SecurityContext.RunAsUser {
		t.Errorf("the image runs as %v, the pod as %+v", user, spec.SecurityContext)
	}
	if spec.Grace < 20 {
		t.Errorf("%d seconds are not enough for the end", spec.Grace)
	}
}

// TestKubernetesToken: the token that everybody knows opens nothing.
func TestKubernetesToken(t *testing.T) {
	tokens := kubernetes(t)["Secret"].StringData["tokens"]
	if !strings.Contains(tokens, "change-me") {
		t.Fatalf("the tokens are %q", tokens)
	}
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(tokens), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.ReadFile(file); err == nil {
		t.Error("it is taken")
	}
	if err := os.WriteFile(file, bytes.ReplaceAll([]byte(tokens), []byte("change-me"), []byte("correct-horse-battery")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.ReadFile(file); err != nil {
		t.Error(err)
	}
}
