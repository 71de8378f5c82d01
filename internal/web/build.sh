#!/usr/bin/env bash
# Builds dist from src with the esbuild whose path is given. The same source and the
# same esbuild give the same bytes.
set -euo pipefail
esbuild=$(realpath "$1")
cd "$(dirname "$0")"
common=(--bundle --minify --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning)
"$esbuild" src/main.js "${common[@]}" --format=esm --outfile=dist/app.js
"$esbuild" src/app.css "${common[@]}" --outfile=dist/app.css
cp src/index.html src/icon.svg dist/
cp src/vendor/uplot-LICENSE.txt dist/uplot-LICENSE.txt
size=$(cat dist/* | wc -c)
if [ "$size" -gt 300000 ]; then
	echo "the page has $size bytes: 300000 is the most" >&2
	exit 1
fi
