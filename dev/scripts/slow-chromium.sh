#!/usr/bin/env bash
# slow-chromium.sh FLAGS…: Chromium with half a core. Playwright starts a browser by one path.
exec "$(dirname "$0")/half-core.sh" "${CHROMIUM:-/usr/bin/chromium}" "$@"
