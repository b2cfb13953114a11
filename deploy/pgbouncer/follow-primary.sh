#!/bin/sh
# Keeps PgBouncer connected to the primary that the monitor of pg_auto_failover reports.
# MONITOR: the connection string of the monitor. DATABASES: the file that pgbouncer.ini includes under [databases].
# PIDFILE: the pidfile of PgBouncer. NAME: the database. INTERVAL: seconds between two queries.
set -u
: "${MONITOR:?}" "${DATABASES:?}" "${PIDFILE:?}" "${NAME:=bellwether}" "${INTERVAL:=1}"

reloaded=
while :; do
  primary=$(PGCONNECT_TIMEOUT=3 psql -XAtqw "$MONITOR" \
    -c "select format('host=%s port=%s', primary_host, primary_port) from pgautofailover.get_primary()" 2>/dev/null)
  line="$NAME = $primary dbname=$NAME"
  # While the monitor does not respond, the last known primary stays. The pidfile is empty until PgBouncer has started.
  if [ -n "$primary" ] && [ "$line" != "$reloaded" ]; then
    # PgBouncer must not read half a file.
    printf '%s\n' "$line" >"$DATABASES.new" && mv "$DATABASES.new" "$DATABASES"
    if [ -s "$PIDFILE" ] && kill -HUP "$(cat "$PIDFILE")"; then
      reloaded=$line
      echo "the primary is $primary"
    fi
  fi
  sleep "$INTERVAL"
done
