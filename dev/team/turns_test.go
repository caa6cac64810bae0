package team

import "sync"

// reading is locked by a test in which the API server reads its issuers again, and by one in which an issuer is down. After reading them, the API server
// has no keys. It refuses every token of an issuer until it could fetch them there.
var reading sync.Mutex
