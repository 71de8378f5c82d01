# make demo    build bin/ibscope and sweep a simulated fabric with it
# make test    vet and all tests
# make help    the other targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

GO       ?= go
PREFIX   ?= /usr/local
DESTDIR  ?=
LINKS    ?= yes
FUZZTIME ?= 30s
BENCH    ?= .
COUNT    ?= 6
PKGS     ?= ./...
GRID     ?= bin/bench-virtual.csv
FABRICS  ?= 272,1407,5000,11664
FULL     ?= false
HOSTS    ?= 648,1230,4344,16384
ROUNDS   ?= 5
TABLE    ?= bin/bench-vs-c.md
IMAGE    ?= ibscope

# What builds images, with the options that go before the command.
IMAGE_TOOL   ?= $(notdir $(firstword $(foreach t,docker podman buildah,$(shell command -v $(t)))))
CERTIFICATES ?= /etc/ssl/certs/ca-certificates.crt

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# Functions are aligned to 16 bytes, not 32: 0.2 MB less.
LDFLAGS := -s -w -funcalign=16 -X $(shell sed -n 's/^module //p' go.mod)/internal/cli/version.stamp=$(VERSION)

# The fabric of the demo: 1344 nodes, three levels of switches.
DEMO ?= sim:fattree?levels=3&radix=16&hosts=1024

# Tools are built once for each version of them and of Go, and kept outside the tree.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ibscope-tools
TOOLS := $(CACHE)/$(shell { $(GO) env GOVERSION; cat tools/go.mod; } | cksum | cut -d' ' -f1)

.PHONY: help build demo test race lint lint-tools staticcheck fmt vuln lab fuzz bench bench-virtual bench-vs-c bench-vs-c-huge generate web demo-web dashboards install deb image image-root image-test clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

build: ## bin/ibscope, one static binary
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ibscope ./cmd/ibscope

demo: build ## sweep a simulated fabric of 1344 nodes
	bin/ibscope discover --fabric '$(DEMO)'

test: ## go vet and all tests
	$(GO) vet $(PKGS)
	$(GO) test -shuffle=on $(PKGS)

race: ## the tests of the concurrent packages under the race detector
	$(GO) test -race -shuffle=on $(RACE)

lint: $(TOOLS)/golangci-lint ## golangci-lint with .golangci.yml (the first run builds it, in minutes)
	$< run

lint-tools: $(TOOLS)/golangci-lint

staticcheck: $(TOOLS)/staticcheck ## gofmt and staticcheck: the quick part of lint
	@bad=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$bad" ]; then echo "not gofmt'ed:" $$bad; exit 1; fi
	$< $(PKGS)

fmt: $(TOOLS)/gofumpt ## format the tree as lint wants it
	$< -w $$(git ls-files '*.go')

vuln: $(TOOLS)/govulncheck ## known vulnerabilities (reads the public database)
	$< $(PKGS)

$(TOOLS)/%: tools/go.mod
	@mkdir -p $(@D)
	cd tools && $(GO) build -trimpath -o $@ $$(awk -v t=/$* '$$1 ~ t "$$" { print $$1; exit }' go.mod)

lab: ## commands and tests on a real kernel in qemu (the first run downloads one): docs/kernel-lab.md
	@$(GO) run ./internal/lab/cmd/lab prepare
	IBSCOPE_REQUIRE="$${IBSCOPE_REQUIRE:+$$IBSCOPE_REQUIRE,}lab" $(GO) test -count=1 -timeout 30m $(LABFLAGS) ./internal/lab/...

fuzz: ## each fuzz target for FUZZTIME
	@$(GO) test -list '^Fuzz' $(PKGS) | awk '/^FAIL/ { print >"/dev/stderr" } /^Fuzz/ { f[n++] = $$1 } /^ok/ { while (n) print $$2, f[--n] }' | \
	while read -r pkg target; do \
		echo "$$pkg $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg" </dev/null; \
	done

bench: ## benchmarks in a form for benchstat: make bench COUNT=10 >new.txt
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKGS)

bench-virtual: ## sweeps of simulated fabrics in virtual time, as a table: make bench-virtual GRID=grid.csv FABRICS=272,1407 FULL=false
	@mkdir -p $(dir $(GRID))
	$(GO) test ./internal/simbench -run '^TestGrid$$' -count=1 -timeout 6h -grid $(abspath $(GRID)) -fabrics $(FABRICS) -full=$(FULL) -v

bench-vs-c: build ## the C tools and ours in turn, on ibsim and on our simulator, as a table: make bench-vs-c HOSTS=648 ROUNDS=5
	$(GO) test ./internal/versus -run '^TestVersusC$$' -count=1 -timeout 6h -program $(abspath bin/ibscope) -ours $(HOSTS) -rounds $(ROUNDS) -table $(abspath $(TABLE)) -v

bench-vs-c-huge: build ## the same sweep of 65,536 hosts, once: minutes by C
	$(GO) test ./internal/versus -run '^TestVersusC$$' -count=1 -timeout 6h -program $(abspath bin/ibscope) -ibsim '' -ours 65536 -windows '' -tasks ibnetdiscover -rounds 1 -table $(abspath $(TABLE)) -v

generate: ## write the z*.go files from the declarations
	$(GO) generate $(PKGS)

web: $(TOOLS)/esbuild ## internal/web/dist, the page as it is embedded, from internal/web/src
	@cd internal/web && bash build.sh $(TOOLS)/esbuild

demo-web: build ## a simulated fabric where things happen, and its page: make demo-web VIEW=--open
	bin/ibscope view --scenario docs/scenarios/living.yaml --interval 5s --refresh 5s $(VIEW)

dashboards: ## the pictures of contrib/grafana for the documents: a simulated day in a Prometheus
	$(GO) test ./internal/dashboard/day -run '^TestDashboards$$' -count=1 -pictures $(abspath docs/images)

ROOT := $(DESTDIR)$(PREFIX)

install: build ## to PREFIX (and DESTDIR): a link for each drop-in tool (unless LINKS=no), manual pages, completions, the unit of the service
	install -d '$(ROOT)/bin' '$(ROOT)/share/bash-completion/completions' '$(ROOT)/share/zsh/site-functions' '$(ROOT)/share/fish/vendor_completions.d'
	install -d '$(ROOT)/lib/systemd/system' '$(ROOT)/lib/sysusers.d' '$(ROOT)/lib/udev/rules.d'
	install -m 755 bin/ibscope '$(ROOT)/bin/ibscope'
	bin/ibscope man '$(ROOT)/share/man'
	bin/ibscope completion bash >'$(ROOT)/share/bash-completion/completions/ibscope'
	bin/ibscope completion zsh >'$(ROOT)/share/zsh/site-functions/_ibscope'
	bin/ibscope completion fish >'$(ROOT)/share/fish/vendor_completions.d/ibscope.fish'
	sed 's,/usr/bin/ibscope,$(PREFIX)/bin/ibscope,' contrib/systemd/ibscope-serve.service >'$(ROOT)/lib/systemd/system/ibscope-serve.service'
	install -m 644 contrib/systemd/ibscope.sysusers '$(ROOT)/lib/sysusers.d/ibscope.conf'
	install -m 644 contrib/udev/90-ibscope.rules '$(ROOT)/lib/udev/rules.d/90-ibscope.rules'
	if [ '$(LINKS)' != no ]; then for t in $$(bin/ibscope tools); do ln -sfn ibscope "$(ROOT)/bin/$$t"; done; fi

deb: ## bin/ibscope_VERSION_ARCH.deb, without the drop-in names, by dpkg-deb: docs/deploy.md
	contrib/debian/build '$(VERSION)'

# What the image has in it. The certificates are those that this machine trusts; without
# them webhooks by https fail.
image-root: build
	rm -rf bin/image
	install -d bin/image/files/etc/ssl/certs
	install -d -m 750 bin/image/state
	install -d -m 1777 bin/image/files/tmp
	install -m 755 bin/ibscope bin/image/files/ibscope
	install -m 644 contrib/container/passwd contrib/container/group bin/image/files/etc/
	if [ -e '$(CERTIFICATES)' ]; then install -m 644 '$(CERTIFICATES)' bin/image/files/etc/ssl/certs/ca-certificates.crt; else echo 'no $(CERTIFICATES): the image trusts no https'; fi

image: image-root ## a container image of bin/ibscope, by docker, podman or buildah; nothing is pulled: make image IMAGE=ibscope
	$(or $(IMAGE_TOOL),$(error no docker, podman or buildah here)) build $(if $(filter docker,$(notdir $(firstword $(IMAGE_TOOL)))),,--format docker) --target prebuilt -t '$(IMAGE)' -f contrib/container/Dockerfile .

image-test: ## build the image, run it, and look at it: podman and runc, as root
	IBSCOPE_REQUIRE="$${IBSCOPE_REQUIRE:+$$IBSCOPE_REQUIRE,}root,podman,runc,containers" $(GO) test -count=1 -v -run '^TestImage$$' ./internal/doctest

clean: ## what the build left
	rm -rf bin dist
