#!/bin/sh
# Runs a tool of Bursar as root, with the settings and secrets of the services. For example: tool.sh doctor
set -ea
[ -n "$1" ] || { echo "Usage: $0 admin|audit|backup|demo|doctor|restore [OPTIONS]" >&2; exit 2; }
. /etc/bursar/bursar.env
. /etc/bursar/owner.env
for secret in data_key database_password database_app_password backup_passphrase; do
  eval "$(echo "$secret" | tr a-z A-Z)_FILE=/etc/bursar/secrets/$secret"
done
DATA_DIR=/var/lib/bursar
tool=$1
shift
cd "$(dirname "$0")/../../.."
exec node "run/$tool.mjs" "$@"
