# Fieldmark's one entrance. `make help` lists what there is; `make run` and `make test` set up whatever they need.
#
# Go itself decides what is up to date, so every Go target always runs and costs seconds when nothing changed.
# What Go doesn't know about (npm packages, fonts, tools) depends on the file that pins it. The server embeds what the
# browser loads, so whatever compiles package static waits for it ($(STATIC)).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# Containers may come without HOME; Go and npm keep their caches below it.
ifndef HOME
export HOME := $(shell cd ~ && pwd)
endif

# Set with -X, so that --version can tell; stamping by Go itself fails in checkouts that git doesn't trust.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# No path of this machine gets into the programs, and none needs a C compiler (the race detector does). The same flags
# everywhere, practice/build.sh included, or each target would compile the world again.
export GOFLAGS := $(filter-out -buildvcs=% -trimpath,$(GOFLAGS)) -buildvcs=false -trimpath
export CGO_ENABLED := 0
# Tests that look at what is built may then insist that it is there.
export FIELDMARK_MAKE := 1

# ARGS are flags for `make run`: make run ARGS='--listen 127.0.0.1:9000'
ARGS ?=
# PKG, RUN and GREP narrow a test: make test-unit PKG=./kube/... RUN=TestParse; make test-browser GREP=axe
PKG ?=
RUN ?=
GREP ?=
# TOKENS is how long a token is valid in `make test-team`, and LIVES how many of them an open page sees.
TOKENS ?=
LIVES ?=
# SKIP=clustered leaves out the packages that test-cluster tests anyway.
SKIP ?=
# PART names parts of `make bench`: make bench PART=relay,scan
PART ?=
# PEOPLE is how many people `make bench PART=load` lets in.
PEOPLE ?=
# WASM_QUALITY is the least of Brotli's qualities that will do for the browser's program: 11 takes ten seconds or more
# after each change of it, 5 less than one, for 16 % more bytes.
WASM_QUALITY := 11
run fuzz mutants test-unit test-cluster test-browser: WASM_QUALITY := 5
MODULE := github.com/fieldmark/fieldmark
# Inlining makes a program for the browser a seventh larger. So only what is called often is compiled with it: what the loops of Go itself call, and
# the concepts whose speed a benchmark measures (docs/decisions/0106).
INLINED = runtime internal/runtime/... internal/bytealg bytes strings unicode/utf8 \
	$(addprefix $(MODULE)/,$(shell grep -rl --include='*_test.go' '^func Benchmark' components kube | xargs -n 1 dirname | sort -u))
SMALLER = -gcflags=all=-l $(foreach pkg,$(INLINED),-gcflags=$(pkg)=)
# PRACTICE_PLATFORMS are those of the practice program in a release, separated by commas. Compiling Kubernetes takes ten minutes for each,
# so `make release-check` makes the one of this machine only: make release-check PRACTICE_PLATFORMS=linux/amd64,darwin/arm64
ALL_PRACTICE_PLATFORMS := linux/amd64,linux/arm64,darwin/amd64,darwin/arm64
# BASE is an image of a registry, with its digest, to build the container image on; if empty, our own. PUSH is a repository of a registry
# to push it to. PLATFORMS are what it is built for: make image PUSH=ghcr.io/fieldmark/fieldmark
BASE ?=
PUSH ?=
PLATFORMS ?= linux/amd64,linux/arm64
# CHARTS is the folder for the Helm chart.
CHARTS ?= bin
# The time of an image is that of its commit, so that the same commit always makes the same image.
IMAGE = go run -C dev/image . -root $(CURDIR) -platforms $(PLATFORMS) -version $(VERSION) -revision $$(git rev-parse HEAD 2>/dev/null || echo unknown) \
	-created $$(git log -1 --format=%ct 2>/dev/null || echo 0) $(if $(BASE),-base $(BASE)) $(if $(PUSH),-push $(PUSH))
# LESSON is the lesson to try: make lesson LESSON=conflicts
LESSON ?=
# ONLY are the defects to put in, all if empty; BASELINE=1 tries the tests without them first: make mutants ONLY=07,12
ONLY ?=
BASELINE ?=
# KUBERNETES names other releases of Kubernetes, all that practice/releases has if empty: make controlplanes KUBERNETES='1.31 1.33'
KUBERNETES ?=
OTHERS := $(notdir $(wildcard practice/releases/1.*))
OWN = $(shell awk '$$1 == "k8s.io/kubernetes" { split($$2, v, "."); print "1." v[2] }' practice/go.mod)
# FOR is how long `make soak` writes, and SEED repeats the stories of an earlier run.
FOR ?= 1h
SEED ?=
# FUZZTIME is what each fuzz target gets.
FUZZTIME ?= 30s

TOOLS := bin/tools
FONTS := static/dist/fonts/inter.woff2 static/dist/fonts/jetbrains-mono.woff2
# The programs for the browser: each has a folder with its main package.
WASM := $(patsubst wasm/%/main.go,bin/%.wasm,$(wildcard wasm/*/main.go))
PROGRAMS := $(WASM:bin/%=static/dist/%.br)
SCRIPTS := static/dist/early.js static/dist/fieldmark.js static/dist/worker.js
STATIC := $(FONTS) $(SCRIPTS) static/dist/wasm_exec.js static/dist/editor.js.br static/dist/terminal.js.br $(PROGRAMS)
MANUAL := bin/man/man1/fieldmark.1
NODE_MODULES := node_modules/.package-lock.json
# The linter vets already.
GO_TEST := go test -vet=off -timeout 30m $(if $(RUN),-run '$(RUN)')
GO_TEST_RACE := CGO_ENABLED=1 $(GO_TEST) -race
PACKAGES := dev/scripts/packages.sh

##@ Everyday

.PHONY: help
help: ## show this list
	@awk -f dev/scripts/help.awk $(MAKEFILE_LIST)

.PHONY: run
run: bin/fieldmark ## start Fieldmark on the practice cluster plus the contexts of your kubeconfig; it compiles the cluster while it runs (ARGS=flags)
	@exec bin/fieldmark --practice on --practice-build practice/build.sh $(ARGS)

.PHONY: build
build: bin/fieldmark bin/fieldmark-practice bin/fieldmark-lessons $(MANUAL) ## build bin/fieldmark, bin/fieldmark-practice and bin/fieldmark-lessons, and the man pages in bin/man

.PHONY: test
test: ## set up everything, then run every check and every test, browser tests included
	@dev/scripts/test.sh

.PHONY: check
check: ## format, vet, lint, generated files, import rules, tidy modules, known vulnerabilities
	@$(MAKE) --keep-going check-root check-practice check-zoo check-team

.PHONY: lesson
lesson: bin/fieldmark bin/fieldmark-lessons bin/kubectl ## try one lesson, each request and what it says of the answers (LESSON=conflicts)
	@bin/fieldmark-lessons check -v --kubectl bin/kubectl --proved lessons/proved.tsv --note $(ARGS) lessons/guide/$(or $(LESSON),$(error Please say which: make lesson LESSON=conflicts))

.PHONY: guide
guide: bin/fieldmark bin/fieldmark-practice ## the field guide as a static site, in dist/guide; it records the responses on a practice cluster, which takes two minutes (ARGS='--base https://example.com/guide/')
	@bin/fieldmark guide export dist/guide $(ARGS)

.PHONY: fmt
fmt: $(TOOLS)/.stamp ## format Go files
	@$(TOOLS)/golangci-lint fmt

.PHONY: generate
generate: $(TOOLS)/.stamp ## generate the *_templ.go files (commit them)
	@dev/scripts/generate.sh

# What `make bench` itself writes doesn't make the measured build one with changes, so PART=all can go on after an interruption.
.PHONY: bench
bench: VERSION = $(shell git describe --tags --always 2>/dev/null || echo unknown)$(shell git diff --quiet HEAD -- . ':!dev/bench/REPORT.md' ':!dev/bench/scale/costs.json' 2>/dev/null || echo -dirty)
bench: build need-cc bin/kubectl $(NODE_MODULES) chromium ## measure against the bare API server and kubectl proxy, and in a browser, into dev/bench/REPORT.md (PART=smoke: what became 20 % slower, in 90 s; PART=list: how long each part takes; PART=all: the whole report at one commit; PART=relay,scan: these sections only; PART=browser,interaction,navigate: what a reader feels; PART=census: questions about a whole cluster of 100,000 objects; PART=firstpage compiles Kubernetes; PART=load: many people, PEOPLE=2000)
	@go run ./dev/bench $(if $(PART),-part '$(PART)') $(if $(PEOPLE),-people '$(PEOPLE)') $(ARGS)

.PHONY: wasm
wasm: $(PROGRAMS) ## build the programs for the browser and say how big they are, plain, as Brotli and as gzip
	@wc -c $(WASM) $(PROGRAMS) $(PROGRAMS:.br=.gz) | sed '$$d'

.PHONY: mutants
mutants: need-cc $(TOOLS)/.stamp $(NODE_MODULES) $(STATIC) ## put the 30 defects of dev/mutants in, one at a time: a test must catch each; then a new tool, as a whole (ONLY=07,12; BASELINE=1 tries each test without them first)
	@ONLY='$(ONLY)' BASELINE='$(BASELINE)' dev/mutants/run.sh
	@$(if $(ONLY),,FIELDMARK_NEWTOOL=whole go test -count=1 ./dev/newtool)

.PHONY: fuzz
fuzz: need-go $(STATIC) ## run each fuzz target for FUZZTIME (30s)
	@dev/scripts/fuzz.sh $(FUZZTIME)

.PHONY: soak
soak: bin/fieldmark-practice bin/kubectl ## random writes on a practice cluster: what check predicts and what blame says, compared with what API servers link, for FOR (1h; SEED=)
	@dev/scripts/with-practice.sh env FIELDMARK_SOAK=$(FOR) FIELDMARK_SOAK_SEED=$(SEED) go test -count=1 -v -timeout 0 -run TestRandomWrites ./promises

.PHONY: clean
clean: ## remove what was built and installed in this folder (Go's own cache stays)
	rm -rf bin dist node_modules e2e/results e2e/screenshots dev/bench/tmp
	find static/dist -mindepth 1 ! -name .gitignore -delete 2>/dev/null || true

##@ Other releases of Kubernetes

.PHONY: controlplanes
controlplanes: bin/fieldmark-practice ## build the control planes of other releases, 3 to 5 minutes each the first time (KUBERNETES=1.33: only this one)
	@for version in $(filter-out $(OWN),$(or $(KUBERNETES),$(OTHERS))); do practice/build.sh bin --kubernetes "$$version"; done

.PHONY: add-controlplane
add-controlplane: need-go ## make or replace the folder of practice/releases for a release (KUBERNETES=1.34.11)
	@go run ./dev/controlplane $(or $(KUBERNETES),$(error Please say which: make add-controlplane KUBERNETES=1.34.11))

.PHONY: removals
removals: need-go ## read which API versions Kubernetes drops from the source of the release in practice/go.mod, and write kube/removal/lifecycle.tsv
	@go run ./dev/removals

# The API server of the program itself is tested with the others.
.PHONY: test-controlplanes
test-controlplanes: build bin/kubectl controlplanes ## test Fieldmark against each version of Kubernetes, and write docs/compatibility.md (KUBERNETES='1.31 1.37': only these; ARGS='-lesson upgrades': only its recorded responses)
	@go run ./dev/compatibility $(ARGS) $(or $(KUBERNETES),$(OTHERS) $(OWN))

.PHONY: check-controlplanes
check-controlplanes: $(TOOLS)/.stamp ## the folders of practice/releases are what `make add-controlplane` makes of the releases, and the table of removals what the source says; lint of the code that they share
	@go run ./dev/controlplane -check
	@go run ./dev/removals -check
	@dev/scripts/check-nested.sh practice/component

##@ Packaging

.PHONY: image
image: need-go $(STATIC) ## the container image for linux/amd64 and linux/arm64, with its SBOM, as an OCI layout in bin/image/fieldmark (BASE=; PUSH=; PLATFORMS=)
	@$(IMAGE) -out $(CURDIR)/bin/image/fieldmark

.PHONY: image-practice
image-practice: need-go $(STATIC) ## the same with the practice cluster, in bin/image/practice (compiles Kubernetes once for each of PLATFORMS)
	@$(IMAGE) -practice -out $(CURDIR)/bin/image/practice

.PHONY: vscode
vscode: need-go $(NODE_MODULES) ## the extension for VS Code, as bin/fieldmark.vsix
	@mkdir -p bin/vscode
	@node dev/scripts/bundle-vscode.mjs bin/vscode
	@go run ./dev/vsix -manifest deploy/vscode/package.json -version '$(VERSION)' -out bin/fieldmark.vsix bin/vscode/extension.js bin/vscode/THIRD-PARTY-LICENCES.txt deploy/vscode/README.md LICENSE

##@ Parts of `make check`

.PHONY: check-root
check-root: ## every check but those of practice/, dev/zoo and dev/team, which compile much
	@$(MAKE) --keep-going check-format check-generated check-lint check-house check-types check-workflows check-tidy check-audit

.PHONY: check-format
check-format: $(TOOLS)/.stamp ## Go files are formatted (templ's formatter is not used: it eats spaces that readers see)
	@$(TOOLS)/golangci-lint fmt --diff || { echo "Please run 'make fmt'." >&2; exit 1; }

.PHONY: check-generated
check-generated: $(TOOLS)/.stamp ## the committed *_templ.go files are what templ makes of their sources
	@dev/scripts/generate.sh --check

.PHONY: check-lint
check-lint: $(TOOLS)/.stamp $(STATIC) ## golangci-lint, go vet among it
	@$(TOOLS)/golangci-lint run $(or $(PKG),./...)
	@GOOS=js GOARCH=wasm $(TOOLS)/golangci-lint run ./wasm/...

.PHONY: check-house
check-house: need-go $(STATIC) ## import rules, function length and the other rules of the house
	@go test -count=1 ./dev/rules

.PHONY: check-types
check-types: $(NODE_MODULES) ## the browser tests' TypeScript
	@node_modules/.bin/tsc --noEmit --project e2e

.PHONY: check-workflows
check-workflows: $(TOOLS)/.stamp ## the workflows of GitHub Actions (dev/rules holds their actions to full digests)
	@$(TOOLS)/actionlint -shellcheck= -pyflakes=

.PHONY: check-tidy
check-tidy: need-go ## go.mod and go.sum say what is imported, no more and no less
	@dev/scripts/check-tidy.sh . dev/tools dev/tools/actionlint dev/tools/templ dev/tools/release

.PHONY: check-audit
check-audit: $(TOOLS)/.stamp $(NODE_MODULES) $(STATIC) ## known vulnerabilities in Go and npm dependencies; says so loudly if the network is in the way
	@dev/scripts/audit.sh

.PHONY: check-platforms
check-platforms: need-go $(STATIC) ## go vet of fieldmark and its verbs for darwin and windows; dev/rules wants it whenever a file for some platforms changes
	@for os in darwin windows; do echo "go vet for $$os"; GOOS=$$os go vet ./server ./server/program ./cli/... || exit 1; done
	@go test -count=1 -run TestPlatformsAreVetted ./dev/rules -update

.PHONY: check-practice
check-practice: bin/fieldmark-practice $(TOOLS)/.stamp ## lint and tidiness of practice/ (compiles Kubernetes the first time)
	@dev/scripts/check-nested.sh practice

.PHONY: check-zoo
check-zoo: $(TOOLS)/.stamp ## lint and tidiness of dev/zoo and dev/image (compiles Helm, Flux, Argo CD's engine and ko the first time)
	@dev/scripts/check-nested.sh dev/zoo dev/zoo/argocd dev/image
	@dev/scripts/check-tidy.sh dev/zoo/helm3

.PHONY: check-team
check-team: $(TOOLS)/.stamp ## lint and tidiness of dev/team (compiles dex the first time)
	@dev/scripts/check-nested.sh dev/team

##@ Parts of `make test`

.PHONY: test-setup
test-setup: need-cc $(TOOLS)/.stamp $(NODE_MODULES) $(STATIC) chromium neovim ## install what the tests need

.PHONY: test-unit
test-unit: need-go need-cc $(STATIC) ## Go tests that need no cluster, with the race detector where anything happens at the same time (PKG=, RUN=)
ifdef PKG
	@$(GO_TEST_RACE) $(PKG)
else
	@$(GO_TEST) $$($(PACKAGES) alone)
	@$(GO_TEST_RACE) $$($(PACKAGES) $(if $(SKIP),un$(SKIP),racing))
endif

.PHONY: test-wasm
test-wasm: need-go need-node ## what the browser's program is made of, tested as WebAssembly in Node, but for tests of how much work something is (RUN=)
	@GOOS=js GOARCH=wasm $(GO_TEST) -short -exec "$(CURDIR)/dev/scripts/node.sh" ./kube/... ./lessons/lesson ./web/... ./wasm/app ./wasm/dom

.PHONY: test-practice
test-practice: bin/kubectl ## the practice cluster's own tests (RUN=)
	@cd practice && $(subst go test,go test -parallel 4,$(GO_TEST)) ./... $(MODULE)/practice/component/...

.PHONY: test-cluster
test-cluster: need-cc bin/fieldmark bin/kubectl neovim ## Go tests of the packages that can use a cluster, with a practice cluster running (PKG=, RUN=; FULL=1 moves seventy objects to server-side apply)
ifeq ($(PKG)$(RUN),)
	@dev/scripts/with-practice.sh env $(if $(FULL),FIELDMARK_TEST_FULL=.) dev/scripts/test-clustered.sh
else
	@dev/scripts/with-practice.sh env $(if $(FULL),FIELDMARK_TEST_FULL=.) $(GO_TEST_RACE) $(or $(PKG),$$($(PACKAGES) clustered))
endif

.PHONY: test-zoo
test-zoo: bin/fieldmark bin/fieldmark-practice bin/kubectl bin/zoo-helm bin/zoo-argocd $(if $(FULL),bin/zoo-helm3) ## the zoo of conflicts: what people report, with the real tools on a practice cluster (RUN=; ARGS=-update writes docs/conflict-zoo.md; FULL=1 moves sixty objects of Helm 3, too)
	@dev/scripts/with-practice.sh env FIELDMARK_ZOO_HELM=$(CURDIR)/bin/zoo-helm FIELDMARK_ZOO_ARGOCD=$(CURDIR)/bin/zoo-argocd $(if $(FULL),FIELDMARK_ZOO_HELM3=$(CURDIR)/bin/zoo-helm3) \
		$(subst go test,go test -C dev/zoo -count=1,$(GO_TEST)) $(if $(ARGS),. $(ARGS),./...)

.PHONY: test-image
test-image: image ## the container image: its files, its configuration, its SBOM, and that the same commit makes it again (RUN=)
	@$(subst go test,go test -C dev/image -count=1,$(GO_TEST)) .

# The chart names the image by the version of the program, which is also the tag that make image pushes. Charts themselves have versions without the v.
.PHONY: chart
chart: bin/zoo-helm ## the Helm chart of this version, in bin/ (VERSION=v1.2.3 CHARTS=folder)
	@bin/zoo-helm package deploy/helm/fieldmark --version '$(VERSION:v%=%)' --app-version '$(VERSION)' --destination '$(CHARTS)'

.PHONY: test-deploy
test-deploy: test-image bin/fieldmark bin/fieldmark-practice bin/kubectl bin/zoo-helm ## the container image, and the Helm chart on a practice cluster (test-zoo tests the chart too; RUN=)
	@dev/scripts/with-practice.sh env FIELDMARK_ZOO_HELM=$(CURDIR)/bin/zoo-helm $(subst go test,go test -C dev/zoo -count=1,$(GO_TEST)) ./chart

# More tests at a time than there are processors, because they wait for tokens to end.
.PHONY: test-team
test-team: bin/fieldmark bin/fieldmark-practice ## signing in to two shared Fieldmarks, with dex and a practice cluster that trusts it, and then the same in Chromium (RUN= some Go tests; TOKENS=2m LIVES=5 for ten minutes with tokens of two)
	@FIELDMARK_BIN=$(CURDIR)/bin/fieldmark FIELDMARK_PRACTICE_BIN=$(CURDIR)/bin/fieldmark-practice \
		FIELDMARK_TEAM_TOKENS='$(TOKENS)' FIELDMARK_TEAM_LIVES='$(LIVES)' \
		$(subst go test,go test -C dev/team -count=1 -parallel 8,$(GO_TEST)) ./...
	@$(if $(RUN),,$(MAKE) --no-print-directory test-people)

.PHONY: test-people
test-people: bin/fieldmark bin/fieldmark-practice $(NODE_MODULES) chromium ## people sign in to two shared Fieldmarks in Chromium (GREP=)
	@go build -C dev/team -o $(CURDIR)/bin/team-stage ./cmd/stage
	@node_modules/.bin/playwright test --config e2e/team.config.ts $(if $(GREP),--grep '$(GREP)')

.PHONY: test-lessons
test-lessons: bin/fieldmark bin/fieldmark-lessons bin/kubectl ## every lesson on a practice cluster: its requests, its checks, that they can fail, and again with kubectl what has changed since `make prove-lessons`
	@bin/fieldmark-lessons check --retry --kubectl bin/kubectl --proved lessons/proved.tsv $(ARGS) lessons/guide

.PHONY: prove-lessons
prove-lessons: ## the same, and all again with kubectl; it notes what kubectl has passed in lessons/proved.tsv
	@$(MAKE) test-lessons ARGS='--note $(ARGS)'

.PHONY: test-browser
test-browser: bin/fieldmark bin/kubectl $(NODE_MODULES) chromium ## Playwright in a real Chromium on a real cluster (GREP=)
	@node_modules/.bin/playwright test --config e2e/playwright.config.ts $(if $(GREP),--grep '$(GREP)')

.PHONY: test-slow
test-slow: bin/fieldmark bin/kubectl $(NODE_MODULES) chromium ## the browser tests as on a slow machine, each twice and none tried again: Chromium and each server have half a core; hours, as root (GREP=)
	@go build -C dev/team -o $(CURDIR)/bin/team-stage ./cmd/stage
	@dev/scripts/slow.sh node_modules/.bin/playwright test --config e2e/playwright.config.ts --repeat-each 2 $(if $(GREP),--grep '$(GREP)')
	@dev/scripts/slow.sh node_modules/.bin/playwright test --config e2e/team.config.ts --repeat-each 2 $(if $(GREP),--grep '$(GREP)' --pass-with-no-tests)

.PHONY: eye
eye: $(STATIC) $(NODE_MODULES) chromium ## what is wrong to see, on samples of every page in every state: cut text, boxes that stick out, pale colors (GREP=; AT= of another commit)
	@dev/scripts/eye.sh $(if $(GREP),--grep '$(GREP)')

.PHONY: test-eye
test-eye: export EYE := live
test-eye: bin/fieldmark bin/kubectl $(NODE_MODULES) chromium ## the same on the pages of a practice cluster; before each release (GREP=)
	@node_modules/.bin/playwright test --config e2e/eye.config.ts $(if $(GREP),--grep '$(GREP)')

.PHONY: pictures
pictures: export EYE := pictures
pictures: eye ## the twelve pictures of docs/pictures, light and dark, from samples; only those whose pixels differ are written (GREP=)

.PHONY: screenshots
screenshots: export SCREENSHOTS := 1
screenshots: test-browser ## the browser tests with a picture of every page and state, in e2e/screenshots/ (GREP=)

##@ Releases

.PHONY: release-check
release-check: export PRACTICE_PLATFORMS ?= $(shell go env GOOS)/$(shell go env GOARCH)
release-check: bin/fieldmark bin/fieldmark-practice $(MANUAL) $(TOOLS)/release/.stamp ## make everything that a release has, in dist/, publish nothing, and test what was made (PRACTICE_PLATFORMS=)
	@$(MAKE) --no-print-directory check-platforms
	@dev/scripts/release.sh --snapshot --skip=sign
	@FIELDMARK_TEST_DIST=$(CURDIR)/dist FIELDMARK_TEST_PRACTICE_PLATFORMS=$(PRACTICE_PLATFORMS) go test -count=1 ./dev/release

.PHONY: release
release: export PRACTICE_PLATFORMS := $(ALL_PRACTICE_PLATFORMS)
release: bin/fieldmark bin/fieldmark-practice $(MANUAL) $(TOOLS)/release/.stamp ## make a release, sign it, and upload it as a draft: only for .github/workflows/release.yml
	@dev/scripts/release.sh

# ---- what the targets above are made of

.PHONY: bin/fieldmark
bin/fieldmark: need-go $(STATIC)
	@go build -ldflags '-X main.version=$(VERSION)' -o $@ ./server
	@ln -sf fieldmark bin/kubectl-fieldmark
	@ln -sf fieldmark bin/kubectl_complete-fieldmark

# The committed reference is made from the same commands, so it changes whenever the pages of the manual would.
$(MANUAL): $(wildcard docs/reference/*.md) server/program/reference_test.go | $(STATIC)
	@rm -rf bin/man
	@go test -count=1 -run TestManual ./server/program -manual $(CURDIR)/$(@D) >/dev/null

.PHONY: bin/fieldmark-lessons
bin/fieldmark-lessons: need-go
	@go build -o $@ ./lessons/cmd/fieldmark-lessons

.PHONY: bin/fieldmark-practice
bin/fieldmark-practice: need-go
	@practice/build.sh bin

.PHONY: bin/kubectl
bin/kubectl: need-go
	@practice/build.sh bin --kubectl

.PHONY: bin/zoo-helm
bin/zoo-helm: need-go
	@go build -C dev/zoo -ldflags='-s -w' -o $(CURDIR)/$@ helm.sh/helm/v4/cmd/helm

.PHONY: bin/zoo-helm3
bin/zoo-helm3: need-go
	@go build -C dev/zoo/helm3 -ldflags='-s -w' -o $(CURDIR)/$@ helm.sh/helm/v3/cmd/helm

.PHONY: bin/zoo-argocd
bin/zoo-argocd: need-go
	@go build -C dev/zoo/argocd -ldflags='-s -w' -o $(CURDIR)/$@ .

# actionlint needs another version of a YAML library than the linters do, and a new templ must not change the linters, whose results are kept by their
# binary. So both have modules of their own.
$(TOOLS)/.stamp: dev/tools/go.mod dev/tools/go.sum dev/tools/actionlint/go.mod dev/tools/actionlint/go.sum dev/tools/templ/go.mod dev/tools/templ/go.sum | need-go
	@echo 'Building the linters and generators (a minute or two the first time)…'
	@mkdir -p $(TOOLS)
	@go build -C dev/tools -o $(CURDIR)/$(TOOLS)/ tool
	@go build -C dev/tools/actionlint -o $(CURDIR)/$(TOOLS)/ tool
	@go build -C dev/tools/templ -o $(CURDIR)/$(TOOLS)/ tool
	@touch $@

# Only releases need these: they take some minutes to compile.
$(TOOLS)/release/.stamp: dev/tools/release/go.mod dev/tools/release/go.sum | need-go
	@echo 'Building goreleaser (some minutes the first time)…'
	@mkdir -p $(@D)
	@go build -C dev/tools/release -o $(CURDIR)/$(@D)/ tool
	@touch $@

$(NODE_MODULES): package.json package-lock.json | need-node
	@PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
	@touch $@

static/dist/fonts/%.woff2: $(NODE_MODULES)
	@mkdir -p $(@D)
	@cp node_modules/@fontsource-variable/$*/files/$*-latin-wght-normal.woff2 $@

# What a document needs at once is in few files, each of which can be asked for again (docs/decisions/0090).
$(SCRIPTS) &: $(NODE_MODULES) dev/scripts/bundle-scripts.mjs $(wildcard static/js/*.js)
	@node dev/scripts/bundle-scripts.mjs static/dist
	@touch $(SCRIPTS)

# The editor is a script of its own, in one file with the packages that it is made of (docs/decisions/0020).
bin/editor.js: $(NODE_MODULES) dev/scripts/bundle-editor.mjs $(wildcard static/editor/*.js)
	@mkdir -p $(@D)
	@node dev/scripts/bundle-editor.mjs $@

# The terminal is, too (docs/decisions/0071).
bin/terminal.js: $(NODE_MODULES) dev/scripts/bundle-terminal.mjs $(wildcard static/terminal/*.js)
	@mkdir -p $(@D)
	@node dev/scripts/bundle-terminal.mjs $@

static/dist/editor.js.br static/dist/terminal.js.br: static/dist/%.br: bin/% | need-node
	@node dev/scripts/pack.mjs $< $(@D)
	@touch $@

# It belongs to the Go that compiled the program, which may have changed since.
.PHONY: static/dist/wasm_exec.js
static/dist/wasm_exec.js: need-go
	@exec_js="$$(go env GOROOT)/lib/wasm/wasm_exec.js"; cmp -s "$$exec_js" $@ || cp "$$exec_js" $@

# The server embeds the program compressed only; the program itself is kept outside of what is embedded.
.PHONY: $(PROGRAMS)
$(PROGRAMS): static/dist/%.br: bin/% need-node
	@node dev/scripts/pack.mjs $< $(@D) $(WASM_QUALITY)

.PHONY: $(WASM)
$(WASM): bin/%.wasm: bin/wasm.json
	@GOOS=js GOARCH=wasm go build -overlay bin/wasm.json -modfile bin/wasm.mod -ldflags='-s -w' $(SMALLER) -o $@ ./wasm/$*
	@node dev/scripts/wasm-data.mjs $@
	@node dev/scripts/wasm-lines.mjs $@

.PHONY: bin/wasm.json
bin/wasm.json: need-go need-node
	@node dev/scripts/wasm-stubs.mjs "$$(go env GOROOT)" bin/wasm

.PHONY: need-go need-cc need-node chromium neovim
need-cc: need-go
need-go need-cc need-node chromium neovim:
	@dev/scripts/need.sh $(@:need-%=%)
