# Downloads with Firefox: WORK INBOX URL NAME [SECONDS], after which it is killed.
work=$1 inbox=$2 url=$3 name=$4
mkdir -p "$work/p"
cat >"$work/p/user.js" <<EOF
user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", "$inbox");
user_pref("browser.download.useDownloadDir", true);
user_pref("browser.helperApps.neverAsk.saveToDisk", "application/octet-stream");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
EOF
MOZ_DISABLE_CONTENT_SANDBOX=1 firefox-esr --headless --no-remote --profile "$work/p" "$url" >"$work/log" 2>&1 & browser=$!
for i in $(seq $((${5:-40} * 10))); do [ -s "$inbox/../$name" ] && break; sleep 0.1; done
kill ${5:+-9} "$browser"; wait || true
