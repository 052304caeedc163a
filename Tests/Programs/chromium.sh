# Downloads with Chromium: WORK INBOX URL NAME [SECONDS], after which it is killed.
work=$1 inbox=$2 url=$3 name=$4
mkdir -p "$work/c/Default"
printf '{"download":{"default_directory":"%s","prompt_for_download":false},"profile":{"default_content_setting_values":{"automatic_downloads":1}},"safebrowsing":{"enabled":false}}' "$inbox" >"$work/c/Default/Preferences"
chromium --headless=new --no-sandbox --disable-gpu --no-first-run --user-data-dir="$work/c" "$url" >"$work/log" 2>&1 & browser=$!
for i in $(seq $((${5:-30} * 10))); do [ -s "$inbox/../$name" ] && break; sleep 0.1; done
kill ${5:+-9} "$browser"; wait || true
