#!/bin/sh
# Copies a PostgreSQL database into $BACKUP_PATH every $BACKUP_EVERY_H hours, and looks whether each copy can be read.
# Which database it is, PGHOST, PGUSER, PGPASSWORD and PGDATABASE say. Copies of the last week are kept, and of each of the
# last four weeks the first. `copies.sh once` makes one and ends.
set -eu
umask 077

make_copy() {
  copy="$BACKUP_PATH/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump"
  if pg_dump --format=custom --file="$copy.partial" && pg_restore --list "$copy.partial" > /dev/null; then
    mv "$copy.partial" "$copy"
    echo "backup.made $copy"
  else
    rm -f "$copy.partial"
    echo "backup.failed $copy" >&2
    return 1
  fi
}

remove_old() {
  find "$BACKUP_PATH" -name "$PGDATABASE-*.dump*" -mtime +28 -delete
  weeks=""
  for copy in $(find "$BACKUP_PATH" -name "$PGDATABASE-*.dump" -mtime +7 | sort); do
    week=$(date -u -r "$copy" +%G%V)
    case " $weeks " in
      *" $week "*) rm "$copy" ;;
      *) weeks="$weeks $week" ;;
    esac
  done
}

if [ "${1:-}" = once ]; then
  make_copy
  remove_old
  exit
fi
trap exit TERM INT
while [ "$BACKUP_EVERY_H" != 0 ]; do
  if make_copy; then
    remove_old
    sleep "$((BACKUP_EVERY_H * 3600))" & wait $!
  else # the server may be away just now
    sleep 60 & wait $!
  fi
done
sleep infinity & wait $!
