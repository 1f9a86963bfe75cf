#!/bin/sh
# Backs up a PostgreSQL database to $BACKUP_PATH every $BACKUP_EVERY_H hours, and checks that each backup can be read.
# PGHOST, PGUSER, PGPASSWORD and PGDATABASE name the database. It keeps all backups of the last week, and the first of each
# of the last four weeks. Once an hour, it removes the others. With BACKUP_EVERY_H=0 it makes none, and still removes old ones.
# `copies.sh once` makes one backup, removes old ones, and ends.
set -eu
umask 077

make_copy() {
  copy="$BACKUP_PATH/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump"
  if pg_dump --format=custom --no-unlogged-table-data --file="$copy.partial" && pg_restore --list "$copy.partial" > /dev/null \
    && mv "$copy.partial" "$copy"; then
    echo "backup.made $copy"
  else
    rm -f "$copy.partial"
    echo "backup.failed $copy" >&2
    return 1
  fi
}

# With the whole time in the name, because the backups of a database such as tiplu-test may be in the same folder.
day="[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]"
names="$PGDATABASE-${day}T[0-9][0-9][0-9][0-9][0-9][0-9]Z.dump"

# Four weeks are 672 hours. As it looks once an hour, what will be older at the next look goes now. (`-mtime +28` is 29 days or more.)
most_minutes=$((671 * 60))

remove_old() {
  find "$BACKUP_PATH" \( -name "$names" -o -name "$names.partial" \) -mmin "+$most_minutes" -delete
  weeks=""
  find "$BACKUP_PATH" -name "$names" -mtime +7 | sort | while IFS= read -r copy; do
    week=$(date -u -r "$copy" +%G%V)
    case " $weeks " in
      *" $week "*) rm "$copy" ;;
      *) weeks="$weeks $week" ;;
    esac
  done
}

# Old backups go even if none can be made: they may name people who were forgotten since.
if [ "${1:-}" = once ]; then
  failed=0
  make_copy || failed=1
  remove_old
  exit "$failed"
fi
trap exit TERM INT
hours_left=0
while :; do
  pause_s=3600
  if [ "$BACKUP_EVERY_H" != 0 ] && [ "$hours_left" -le 0 ]; then
    if make_copy; then
      hours_left=$BACKUP_EVERY_H
    else
      pause_s=60 # the server may be down at the moment
    fi
  fi
  remove_old
  sleep "$pause_s" & wait $!
  hours_left=$((hours_left - 1))
done
