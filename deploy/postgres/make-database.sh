#!/bin/sh
# Runs once, when the server's volume is empty: a role of its own for the daemons, which is no superuser, and its database.
# psql itself reads the password: on its command line others would see it, and a statement that fails would be logged
# with it.
set -eu
PASSWORD_FILE=${SECRETS:-/run/secrets}/database_password
export PASSWORD_FILE
if [ ! -s "$PASSWORD_FILE" ]; then
  echo "make-database.sh: $PASSWORD_FILE is missing or empty; write the password of the daemons' role there" >&2
  exit 1
fi
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
\set password `cat "$PASSWORD_FILE"`
CREATE ROLE libravdb LOGIN PASSWORD :'password';
CREATE DATABASE libravdb OWNER libravdb ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE libravdb FROM PUBLIC;
SQL
