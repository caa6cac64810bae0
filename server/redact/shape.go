package redact

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Credentials that are known by their shape.
var (
	// A JSON Web Token, signed or encrypted. A continue token begins like one, and has no dots.
	webToken = regexp.MustCompile(`eyJ[\w-]{5,}(?:\.[\w-]*){1,4}`)
	// A private key, whole or cut.
	privateKey = regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`)
	// What follows the name of a scheme, as in the header Authorization.
	scheme = regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate)(?:\s+|%20|\+)([\w.~+/=-]{6,})`)
	// Tokens whose makers begin them with a sign, and hashes of passwords.
	signed = regexp.MustCompile(strings.Join(signs, "|"))
	// The same, and others of the above, at the end of a text that is cut: the beginning of one will do.
	begun = regexp.MustCompile(`(?:` + regexp.MustCompile(`\{\d+,\d*\}`).ReplaceAllString(strings.Join(signs, "|"), "*") +
		`|\bSG\.[\w-]*|\b[a-z0-9]{6}\.[a-z]*[0-9][a-z0-9]{4,14}|eyJ[\w-]{5,}\.[\w.-]*)$`)
	begunScheme = regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate)(?:\s+|%20|\+)([\w.~+/=-]+)$`)
	begunSource = regexp.MustCompile(`\b[\w.%+-]+:([^\s:@/"'\x60]+)(?:@[\w.:-]*)?$`)
	// A password in a data source: user:password@host:1, user:password@tcp(host).
	dataSource = regexp.MustCompile(`\b[\w.%+-]+:([^\s:@/"'\x60]{1,128})@([\w.-]+)(?::\d|/|\()`)
	// A password in SQL and in .netrc.
	statement = regexp.MustCompile(`(?i)\b(?:identified\s+(?:with\s+\S+\s+)?by|password|passphrase)\s+\\*["'\x60]([^"'\x60\\]+)`)
	netrc     = regexp.MustCompile(`(?i)\b(?:login\s+\S+\s+password\s+|jdbc:oracle:\w+:[^/\s]+/)([^\s@]+)`)
)

// signs are what the tokens of many makers look like.
var signs = []string{
	`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}`,      // AWS
	`\bgh[pousr]_\w{16,}`, `\bgithub_pat_\w{16,}`, // GitHub
	`\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\w-]{16,}`,                                              // GitLab
	`\bxox[abeoprs]-[\w-]{10,}`, `\bxapp-[\w-]{10,}`, `hooks\.slack\.com/(?:services|workflows)/[\w/+-]+`, // Slack
	`\b[sr]k_(?:live|test|prod)_\w{10,}`, `\bwhsec_\w{10,}`, // Stripe
	`\bAIza[\w-]{30,}`, `\bya29\.[\w-]{10,}`, `\bGOCSPX-[\w-]{10,}`, // Google
	`\bsk-(?:ant|proj|svcacct|admin|or)?-?[\w-]{20,}`, `\bhf_\w{20,}`, // models
	`\bnpm_\w{20,}`, `\bpypi-[\w-]{20,}`, `\brubygems_\w{20,}`, `\bdckr_(?:pat|oat)_[\w-]{16,}`, // registries
	`\bhv[sbr]\.[\w-]{16,}`, `\bSG\.[\w-]{10,}\.[\w-]{10,}`, `\bdop_v1_\w{20,}`, `\bshp(?:at|ca|pa|ss)_\w{16,}`, // Vault, SendGrid, DigitalOcean, Shopify
	`\bsha256~[\w-]{20,}`, `\bATATT[\w=-]{20,}`, `\bAGE-SECRET-KEY-1\w{10,}`, `\bglsa_\w{16,}`, `\bnvapi-[\w-]{20,}`, // OpenShift, Atlassian, age, Grafana, Nvidia
	`\$(?:2[abxy]|apr1|[156y]|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$[\w./$=,+-]{8,}`,
}

// hints are what a shape can't be without: most texts have none of them.
var hints = struct{ signed, scheme, statement, netrc []string }{
	signed: []string{
		"AKIA", "ASIA", "ABIA", "ACCA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "gl", "xox", "xapp-", "hooks.slack", "k_live_", "k_test_", "k_prod_", "whsec_", "AIza", "ya29.",
		"GOCSPX", "sk-", "hf_", "npm_", "pypi-", "rubygems_", "dckr_", "hvs.", "hvb.", "hvr.", "SG.", "dop_v1_", "shp", "sha256~", "ATATT", "AGE-SECRET", "nvapi-", "$",
	},
	scheme:    []string{"bearer", "basic", "digest", "negotiate"},
	statement: []string{"password", "passphrase", "identified"},
	netrc:     []string{"login", "jdbc:oracle"},
}

// known are words that follow the name of a scheme in prose.
var known = []string{"authentication", "authorization", "credentials", "auth-params", "constraint-supported"}

// shapes takes out what its shape gives away. A text that is cut may end inside of one.
func shapes(text string, cut bool) string {
	if strings.Contains(text, "://") {
		text = userInfo(text, cut)
	}
	if len(text) < 12 && !cut {
		return text
	}
	if strings.Contains(text, "PRIVATE KEY") {
		text = privateKey.ReplaceAllString(text, Mark)
	}
	if strings.Contains(text, "eyJ") {
		text = webToken.ReplaceAllString(text, Mark)
	}
	if hasAny(text, hints.signed) {
		text = signed.ReplaceAllString(text, Mark)
	}
	text = bootstrap(text)
	if strings.Contains(text, "@") {
		text = replaceGroup(dataSource, text, 1, nil)
	}
	small := strings.ToLower(text)
	if hasAny(small, hints.scheme) {
		text = replaceGroup(scheme, text, 2, func(value string) bool {
			return !slices.Contains(known, strings.ToLower(strings.TrimRight(value, ".")))
		})
	}
	if hasAny(small, hints.statement) {
		text = replaceGroup(statement, text, 1, nil)
	}
	if hasAny(small, hints.netrc) {
		text = replaceGroup(netrc, text, 1, nil)
	}
	if !cut {
		return text
	}
	tail := max(0, len(text)-mostBegun)
	last := begun.ReplaceAllString(text[tail:], Mark)
	last = replaceGroup(begunScheme, last, 2, nil)
	return text[:tail] + replaceGroup(begunSource, last, 1, nil)
}

// mostBegun is how much of a text is searched for a credential that its end cuts. Those that are longer are known without their end.
const mostBegun = 512

// bootstrap takes bootstrap tokens out, and their like: six letters and digits, a dot, and sixteen more.
func bootstrap(text string) string {
	var spans []span
	for at := strings.IndexByte(text, '.'); at >= 0; {
		from, to := at-len("abcdef"), at+1+len("0123456789abcdef")
		if from >= 0 && to <= len(text) && isToken(text[from:at]) && isToken(text[at+1:to]) && strings.ContainsAny(text[at+1:to], "0123456789") &&
			(from == 0 || !isNameByte(text[from-1])) && (to == len(text) || !isNameByte(text[to])) {
			spans = append(spans, span{from, to})
		}
		next := strings.IndexByte(text[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return without(text, spans)
}

func isToken(s string) bool { return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == "" }

func hasAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// replaceGroup replaces one group of each match that is a credential, unless it is a reference or taken out already. A value of which only a
// part was taken out goes as a whole.
func replaceGroup(re *regexp.Regexp, text string, group int, is func(string) bool) string {
	var out strings.Builder
	done := 0
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		begin, end := at[2*group], at[2*group+1]
		value := text[begin:end]
		image := re == dataSource && strings.HasPrefix(text[end+1:], "sha")
		if saysNothing(value) || image || is != nil && !is(value) {
			continue
		}
		out.WriteString(text[done:begin] + Mark)
		done = end
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// userInfo takes passwords out of URLs: https://user:password@host. Passwords may hold what should have been escaped.
func userInfo(text string, cut bool) string {
	var out strings.Builder
	done := 0
	for at := 0; ; {
		found := strings.Index(text[at:], "://")
		if found < 0 {
			break
		}
		begin := at + found + len("://")
		word := text[begin:min(len(text), begin+mostURL)]
		if end := strings.IndexAny(word, " \t\r\n\"'`<>\\"); end >= 0 {
			word = word[:end]
		}
		at = begin
		from, to := passwordIn(word, schemeBefore(text[max(0, begin-len("://")-32):begin-len("://")]), cut && begin+len(word) == len(text))
		if to <= from || saysNothing(word[from:to]) {
			continue
		}
		out.WriteString(text[done:begin+from] + Mark)
		done, at = begin+to, begin+to
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// mostURL is how much of a URL is looked at for its password.
const mostURL = 1 << 10

func schemeBefore(text string) string {
	return strings.ToLower(text[strings.LastIndexFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-", r)
	})+1:])
}

// passwordIn finds the password in what follows the :// of a URL; a user without one may be a token.
func passwordIn(word, scheme string, cut bool) (from, to int) {
	authority := word
	if end := strings.IndexAny(word, "/?#"); end >= 0 {
		authority = word[:end]
	}
	colon, sign := strings.IndexByte(authority, ':'), strings.LastIndexByte(authority, '@')
	switch {
	case cut && sign >= 0 && colon >= 0 && colon < sign:
		return colon + 1, len(word) // perhaps the password goes on
	case sign >= 0 && colon >= 0 && colon < sign:
		return colon + 1, strings.LastIndexByte(word, '@')
	case sign >= 0:
		if strings.HasSuffix(scheme, "ssh") || scheme == "sftp" || scheme == "spiffe" {
			return 0, 0
		}
		return 0, sign
	case colon < 0:
		if cut && authority == word && !strings.Contains(word, ".") {
			return 0, len(word) // perhaps the beginning of a user
		}
		return 0, 0
	}
	port := strings.Trim(authority[colon+1:], "0123456789") == ""
	if cut && authority == word {
		return colon + 1, len(word) // perhaps the beginning of a password
	}
	if last := strings.LastIndexByte(word, '@'); !port && last > colon {
		return colon + 1, last
	}
	if cut && !port {
		return colon + 1, len(word)
	}
	return 0, 0
}

// saysNothing tells whether a value says nothing secret: nothing at all, yes or no, a reference to a variable, a mask.
func saysNothing(value string) bool {
	value = strings.TrimSpace(value)
	switch strings.ToLower(value) {
	case "", "true", "false", "null", "none", "~", "nil", "<nil>", "<none>", "<unset>", "<unknown>", "<hidden>", "<redacted>", Mark, "{}", "[]":
		return true
	}
	return reference.MatchString(value)
}

var reference = regexp.MustCompile(`^(?:\$\([A-Za-z_][\w.-]*\)|\$\{[A-Z_][A-Z0-9_]*\}|\{\{-? *[.$][\w.]* *-?\}\}|[*•]+(?: \(\d+ bytes, hidden\)(?:, another one)?)?)$`)

// fromBase64 decodes a text that is base64 of a text; false: it isn't. Of one that is cut the whole groups are decoded.
func fromBase64(text string, cut bool) (string, bool) {
	text = strings.TrimRight(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', ' ':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text), "=")
	if len(text) < 12 {
		return "", false
	}
	if cut || len(text)%4 == 1 {
		text = text[:len(text)/4*4]
	}
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return "", false
	}
	decoded = whole(decoded)
	return string(decoded), isText(decoded)
}

// whole is a text without the part of a character that it may end with.
func whole(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if utf8.RuneStart(text[len(text)-n]) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

func isText(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
