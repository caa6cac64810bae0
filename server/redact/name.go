package redact

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// stems say that a name is a credential's, wherever they are in it.
var stems = []string{
	"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "wachtwoord", "contrasena", "motdepasse", "senha", "pwd", "secret", "token", "credential", "authorization", "apikey", "accesskey", "privatekey",
	"accountkey", "sharedkey", "connectionstring", "connstr", "signature", "requirepass", "masterauth", "bindpw", "authkey", "webhookurl",
}

// credentialWords say so as a word of their own.
var credentialWords = []string{"pass", "pw", "psk", "pat", "otp", "jwt", "sas", "sig", "cred", "creds", "cookie", "dsn", "mnemonic", "pin"}

// keyWords before "key" say that it is one to keep: an API key, not the key of a label.
var keyWords = []string{
	"api", "access", "private", "encryption", "encrypt", "signing", "sign", "master", "account", "shared", "storage", "session", "hmac", "ssh", "client",
	"app", "application", "auth", "aes", "rsa", "ec", "crypto", "root", "deploy", "license", "service", "server", "host", "tls", "ssl", "webhook", "cookie", "admin",
}

// publicKeyWords are those before KEY in names of variables whose values are no credentials.
var publicKeyWords = []string{"public", "topology", "partition", "primary", "sort", "label", "annotation", "map", "foreign", "routing", "cache", "index", "config"}

// aboutWords end the names of values that are about a credential and aren't one: where it is, how long it lasts.
var aboutWords = []string{
	"name", "names", "ref", "refs", "reference", "references", "policy", "path", "paths", "file", "files", "filename", "dir", "directory", "mount", "mounts",
	"volume", "volumes", "seconds", "minutes", "hours", "days", "expiration", "expiry", "expires", "ttl", "timeout", "age", "duration", "interval", "lifetime",
	"length", "size", "count", "limit", "type", "types", "kind", "enabled", "enable", "disabled", "required", "optional", "namespace", "namespaces", "version", "format", "audience",
	"audiences", "issuer", "endpoint", "url", "uri", "host", "port", "address", "algorithm", "alg", "method", "methods", "mode", "class", "provider", "store",
	"role", "user", "username", "group", "groups", "selector", "review", "reviews", "request", "requests", "rotation", "status", "state", "reason", "message", "description",
	"title", "prefix", "suffix", "regex", "pattern", "template", "config", "spec", "options", "settings", "controller", "manager", "driver", "plugin", "timestamp", "time",
	"uid", "generator", "resource", "resources", "verb", "verbs", "source", "sources",
}

// plainBelow are further names that stay readable in an object that is named like a credential: references and schemas.
var plainBelow = []string{"key", "keys", "items", "apiversion", "operator", "effect", "defaultmode", "medium", "protocol", "email"}

// webhookURL is the one name that ends in a word of aboutWords and is a credential: such an address is all one needs.
const webhookURL = "webhookurl"

// Names tells whether a value with that name is a credential: of a field, a variable, a flag, a header, a column.
func Names(name string) bool {
	is, _ := judgeName(name)
	return is
}

// judgeName tells also whether the name ends as a credential's does, so that whatever is below it is part of one.
func judgeName(name string) (is, ends bool) {
	if len(name) > 512 { // nobody names a field like that
		name = name[len(name)-512:]
	}
	if !mayName(name) {
		return false, false
	}
	words := wordsOf(name)
	if len(words) == 0 {
		return false, false
	}
	last, joined := words[len(words)-1], strings.Join(words, "")
	if slices.Contains(aboutWords, last) && !strings.HasSuffix(joined, webhookURL) {
		return false, false
	}
	if namesKey(words, name) || endsInPass(last) || slices.Contains(credentialWords, last) || joined == "auth" || joined == "authorization" {
		return true, joined != "auth"
	}
	for _, stem := range stems {
		if strings.Contains(joined, stem) {
			return true, strings.HasSuffix(strings.TrimSuffix(joined, "s"), strings.TrimSuffix(stem, "s"))
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(credentialWords, w) }), false
}

// parts are what a credential's name can't be without.
var parts = [][]byte{
	[]byte("pass"), []byte("pw"), []byte("secret"), []byte("token"), []byte("cred"), []byte("auth"), []byte("key"), []byte("sig"), []byte("cookie"), []byte("psk"), []byte("pat"),
	[]byte("otp"), []byte("jwt"), []byte("sas"), []byte("pin"), []byte("dsn"), []byte("mnemonic"), []byte("conn"), []byte("hook"), []byte("woord"), []byte("wort"),
	[]byte("contra"), []byte("senha"), []byte("master"), []byte("bind"),
}

// mayName rules most names out at once.
func mayName(name string) bool {
	var buffer [64]byte
	if len(name) > len(buffer) {
		return true
	}
	small := buffer[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			small = append(small, c|0x20)
		case c >= 'a' && c <= 'z':
			small = append(small, c)
		}
	}
	for _, part := range parts {
		if bytes.Contains(small, part) {
			return true
		}
	}
	return false
}

// namesKey tells whether the name is that of a key to keep. In variables every KEY is one, but for a few.
func namesKey(words []string, name string) bool {
	last := strings.TrimSuffix(words[len(words)-1], "s")
	if before, is := strings.CutSuffix(last, "key"); is && slices.Contains(keyWords, before) {
		return true
	}
	if at := slices.Index(words, "key"); len(words) == at+2 && at > 0 && words[at+1] == "data" && slices.Contains(keyWords, words[at-1]) {
		return true // client-key-data
	}
	if len(words) < 2 || last != "key" {
		return false
	}
	before := words[len(words)-2]
	if slices.Contains(keyWords, before) {
		return true
	}
	return strings.Contains(name, "_") && name == strings.ToUpper(name) && !slices.Contains(publicKeyWords, before)
}

// endsInPass is about dbpass and its like.
func endsInPass(word string) bool {
	return strings.HasSuffix(word, "pass") && !slices.Contains([]string{"compass", "bypass", "trespass", "surpass", "underpass", "overpass"}, word)
}

// plural tells whether a name is of several: a number by that name says how many.
func plural(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "s") && !endsInPass(strings.ToLower(name))
}

// wordsOf takes a name apart, in small letters: DB_PASSWORD, dbPassword, db-password, example.com/db.password.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r): // digits too: PASSWORD1, PASSWORD_2
			end()
		case unicode.IsUpper(r):
			after := i > 0 && unicode.IsLower(runes[i-1])
			before := i > 0 && unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if after || before {
				end()
			}
			word = append(word, unicode.ToLower(r))
		default:
			word = append(word, r)
		}
	}
	end()
	return words
}
